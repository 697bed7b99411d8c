package dev.pitwall.lab.prometheus;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the part of PromQL this lab's Prometheus answers: selectors, ranges, offset, {@code *_over_time}, rate,
 * increase, delta, sum, max, avg, min, count with by and without, arithmetic and comparison. All else is refused.
 */
final class PromQlParser {
    private static final Pattern TOKEN = Pattern.compile(
            "\\s*(?:(#.*)|(\\d+(?:ms|[smhdwy])(?:\\d+(?:ms|[smhdwy]))*(?![\\w.]))|((?:0x[0-9a-fA-F]+|\\d*\\.?\\d+(?:[eE][+-]?\\d+)?)"
                    + "(?![\\w:]))|([a-zA-Z_:][\\w:]*)|(\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])*'|`[^`]*`)"
                    + "|(=~|!~|!=|==|>=|<=|[-+*/%^=<>(){}\\[\\],]))", Pattern.DOTALL);
    private static final Pattern DURATION = Pattern.compile("(\\d+)(ms|[smhdwy])");
    private static final Set<String> COMPARISONS = Set.of("==", "!=", ">", "<", ">=", "<=");

    private enum Type { DURATION, NUMBER, NAME, TEXT, SIGN, END }

    private record Token(Type type, String text, int at) {
    }

    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private PromQlParser(String query) throws PromQlException {
        Matcher m = TOKEN.matcher(query);
        int end = 0;
        while (end < query.length() && !query.substring(end).isBlank()) {
            if (!m.find(end) || m.start() != end) {
                throw error(end, "unexpected character: '" + query.substring(end).strip().charAt(0) + "'");
            }
            end = m.end();
            Type[] types = {Type.DURATION, Type.NUMBER, Type.NAME, Type.TEXT, Type.SIGN};
            for (int i = 0; i < types.length; i++) {
                if (m.group(i + 2) != null) {
                    tokens.add(new Token(types[i], m.group(i + 2), m.start(i + 2)));
                }
            }
        }
        tokens.add(new Token(Type.END, "end of input", query.length()));
    }

    static PromQl parse(String query) throws PromQlException {
        if (query.isBlank()) {
            throw error(-1, "no expression found in input");
        }
        PromQlParser parser = new PromQlParser(query);
        PromQl all = parser.comparison();
        if (parser.here().type() != Type.END) {
            throw parser.unexpected("");
        }
        return all;
    }

    /** A series selector alone, as {@code match[]} takes it. */
    static List<LabelMatcher> parseSelector(String text) throws PromQlException {
        return switch (parse(text)) {
            case PromQl.Selector s when s.offset() == 0 -> s.matchers();
            case PromQl.Selector s -> throw error(0, "unexpected offset");
            case PromQl.Number n -> throw error(0, "unexpected number");
            case PromQl.Range r -> throw error(0, "unexpected range");
            case PromQl.OverTime o -> throw error(0, "unexpected function");
            case PromQl.Timestamp t -> throw error(0, "unexpected function");
            case PromQl.Aggregate a -> throw error(0, "unexpected aggregation");
            case PromQl.Binary b -> throw error(0, "unexpected operator");
            case PromQl.Negative n -> throw error(0, "unexpected operator");
        };
    }

    private PromQl comparison() throws PromQlException {
        PromQl left = sum();
        while (COMPARISONS.contains(here().text()) && here().type() == Type.SIGN) {
            String operator = next().text();
            boolean bool = here().text().equals("bool");
            at += bool ? 1 : 0;
            left = new PromQl.Binary(operator, left, sum(), bool);
        }
        if (Set.of("and", "or", "unless").contains(here().text())) {
            throw error(here().at(), "set operator \"" + here().text() + "\" is not supported by this server");
        }
        return left;
    }

    private PromQl sum() throws PromQlException {
        PromQl left = product();
        while (sign("+") || sign("-")) {
            String operator = next().text();
            left = new PromQl.Binary(operator, left, product(), false);
        }
        return left;
    }

    private PromQl product() throws PromQlException {
        PromQl left = unary();
        while (sign("*") || sign("/") || sign("%")) {
            String operator = next().text();
            if (Set.of("on", "ignoring").contains(here().text())) {
                throw error(here().at(), "vector matching with \"" + here().text()
                        + "\" is not supported by this server");
            }
            left = new PromQl.Binary(operator, left, unary(), false);
        }
        return left;
    }

    private PromQl unary() throws PromQlException {
        if (sign("-")) {
            at++;
            return new PromQl.Negative(unary());
        }
        if (sign("+")) {
            at++;
            return unary();
        }
        PromQl base = primary();
        if (sign("^")) {
            at++;
            return new PromQl.Binary("^", base, unary(), false);
        }
        return base;
    }

    private PromQl primary() throws PromQlException {
        Token token = here();
        switch (token.type()) {
            case NUMBER -> {
                at++;
                return new PromQl.Number(token.text().startsWith("0x") ? Long.decode(token.text())
                        : Double.parseDouble(token.text()));
            }
            case SIGN -> {
                if (sign("(")) {
                    at++;
                    PromQl inner = comparison();
                    expect(")");
                    return inner;
                }
                if (sign("{")) {
                    return ranged(new ArrayList<>());
                }
                throw unexpected("");
            }
            case NAME -> {
                return named(token);
            }
            default -> throw unexpected("");
        }
    }

    private PromQl named(Token token) throws PromQlException {
        String lower = token.text().toLowerCase(Locale.ROOT);
        if (lower.equals("inf") || lower.equals("nan")) {
            at++;
            return new PromQl.Number(lower.equals("inf") ? Double.POSITIVE_INFINITY : Double.NaN);
        }
        for (PromQl.Aggregate.Operation operation : PromQl.Aggregate.Operation.values()) {
            if (operation.name().equalsIgnoreCase(lower) && aggregates()) {
                at++;
                return aggregate(operation);
            }
        }
        if (at + 1 < tokens.size() && tokens.get(at + 1).text().equals("(")) {
            return function(token);
        }
        at++;
        List<LabelMatcher> matchers = new ArrayList<>();
        matchers.add(LabelMatcher.of(Labels.NAME, LabelMatcher.Kind.EQUAL, token.text()));
        return ranged(matchers);
    }

    private boolean aggregates() {
        String after = at + 1 < tokens.size() ? tokens.get(at + 1).text() : "";
        return Set.of("(", "by", "without").contains(after);
    }

    private PromQl aggregate(PromQl.Aggregate.Operation operation) throws PromQlException {
        PromQl.Aggregate.Grouping grouping = PromQl.Aggregate.Grouping.BY;
        Set<String> labels = new HashSet<>();
        boolean before = Set.of("by", "without").contains(here().text());
        if (before) {
            grouping = grouping();
            labels = labelList();
        }
        expect("(");
        PromQl of = comparison();
        expect(")");
        if (!before && Set.of("by", "without").contains(here().text())) {
            grouping = grouping();
            labels = labelList();
        }
        return new PromQl.Aggregate(operation, grouping, labels, of);
    }

    private PromQl.Aggregate.Grouping grouping() {
        return PromQl.Aggregate.Grouping.valueOf(next().text().toUpperCase(Locale.ROOT));
    }

    private Set<String> labelList() throws PromQlException {
        Set<String> labels = new HashSet<>();
        expect("(");
        while (!sign(")")) {
            if (here().type() != Type.NAME) {
                throw unexpected(" in grouping opts, expected label");
            }
            labels.add(next().text());
            if (sign(",")) {
                at++;
            }
        }
        at++;
        return labels;
    }

    private PromQl function(Token token) throws PromQlException {
        if (token.text().equals("timestamp")) {
            return timestamp(token);
        }
        PromQl.Function function;
        try {
            function = PromQl.Function.valueOf(token.text().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw error(token.at(), "unknown function with name \"" + token.text() + "\"");
        }
        at += 2;
        PromQl argument = comparison();
        expect(")");
        if (argument instanceof PromQl.Range range) {
            return new PromQl.OverTime(function, range);
        }
        throw error(token.at(), "expected type range vector in call to function \"" + token.text()
                + "\", got instant vector");
    }

    private PromQl timestamp(Token token) throws PromQlException {
        at += 2;
        PromQl argument = comparison();
        expect(")");
        return switch (argument) {
            case PromQl.Range range -> throw error(token.at(),
                    "expected type instant vector in call to function \"timestamp\", got range vector");
            case PromQl.Number number -> throw error(token.at(),
                    "expected type instant vector in call to function \"timestamp\", got scalar");
            default -> new PromQl.Timestamp(argument);
        };
    }

    private PromQl ranged(List<LabelMatcher> matchers) throws PromQlException {
        if (sign("{")) {
            at++;
            while (!sign("}")) {
                matchers.add(matcher());
                if (sign(",")) {
                    at++;
                } else if (!sign("}")) {
                    throw unexpected(" in label matching, expected \",\" or \"}\"");
                }
            }
            at++;
        }
        boolean empty = matchers.stream().allMatch(m -> m.test(Labels.NONE));
        if (empty) {
            throw error(0, "vector selector must contain at least one non-empty matcher");
        }
        long range = -1;
        if (sign("[")) {
            at++;
            range = duration();
            expect("]");
        }
        long offset = 0;
        if (here().text().equals("offset") && here().type() == Type.NAME) {
            at++;
            boolean forward = sign("-");
            at += forward ? 1 : 0;
            offset = forward ? -duration() : duration();
        }
        PromQl.Selector selector = new PromQl.Selector(List.copyOf(matchers), offset);
        return range < 0 ? selector : new PromQl.Range(selector, range);
    }

    private LabelMatcher matcher() throws PromQlException {
        if (here().type() != Type.NAME) {
            throw unexpected(" in label matching, expected identifier or \"}\"");
        }
        String label = next().text();
        LabelMatcher.Kind kind = switch (here().text()) {
            case "=" -> LabelMatcher.Kind.EQUAL;
            case "!=" -> LabelMatcher.Kind.NOT_EQUAL;
            case "=~" -> LabelMatcher.Kind.MATCHES;
            case "!~" -> LabelMatcher.Kind.MATCHES_NOT;
            default -> throw unexpected(" in label matching, expected label matching operator");
        };
        at++;
        if (here().type() != Type.TEXT) {
            throw unexpected(" in label matching, expected string");
        }
        String quoted = next().text();
        String inner = quoted.substring(1, quoted.length() - 1);
        return LabelMatcher.of(label, kind, quoted.startsWith("`") ? inner
                : inner.replaceAll("\\\\(.)", "$1").replace("\\n", "\n"));
    }

    private long duration() throws PromQlException {
        if (here().type() != Type.DURATION) {
            throw unexpected(", expected duration");
        }
        return millis(next().text());
    }

    /** A Prometheus duration such as {@code 1h30m}, in milliseconds. */
    static long millis(String text) {
        long total = 0;
        Matcher m = DURATION.matcher(text);
        while (m.find()) {
            long n = Long.parseLong(m.group(1));
            total += switch (m.group(2)) {
                case "ms" -> n;
                case "s" -> n * 1000;
                case "m" -> Duration.ofMinutes(n).toMillis();
                case "h" -> Duration.ofHours(n).toMillis();
                case "d" -> Duration.ofDays(n).toMillis();
                case "w" -> Duration.ofDays(7 * n).toMillis();
                default -> Duration.ofDays(365 * n).toMillis();
            };
        }
        return total;
    }

    private Token here() {
        return tokens.get(at);
    }

    private Token next() {
        return tokens.get(at++);
    }

    private boolean sign(String text) {
        return here().type() == Type.SIGN && here().text().equals(text);
    }

    private void expect(String sign) throws PromQlException {
        if (!sign(sign)) {
            throw unexpected(", expected \"" + sign + "\"");
        }
        at++;
    }

    private PromQlException unexpected(String where) {
        Token token = here();
        String what = switch (token.type()) {
            case END -> "end of input";
            case NAME -> "identifier \"" + token.text() + "\"";
            case NUMBER -> "number \"" + token.text() + "\"";
            case DURATION -> "duration \"" + token.text() + "\"";
            case TEXT -> "string " + token.text();
            case SIGN -> "\"" + token.text() + "\"";
        };
        return error(token.at(), "unexpected " + what + where);
    }

    private static PromQlException error(int position, String message) {
        return new PromQlException((position < 0 ? "unknown position: " : "1:" + (position + 1) + ": ")
                + "parse error: " + message);
    }
}
