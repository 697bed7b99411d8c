package dev.pitwall.lab.kube.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rule of {@code x-kubernetes-validations}: the part of CEL that definitions of the lab's kinds use. Known are literals,
 * {@code self}, {@code oldSelf}, fields, indexes, {@code has}, {@code size}, the comparisons, {@code in}, the logic, {@code ?:} and
 * {@code startsWith}, {@code endsWith}, {@code contains}, {@code matches}. A rule with anything else is not understood, and is
 * then not enforced.
 */
public final class CelRule {
    private static final Pattern TOKEN = Pattern.compile("\\s*(?:(\\d+(?:\\.\\d+)?)|'([^'\\\\]*)'|\"([^\"\\\\]*)\""
            + "|([A-Za-z_]\\w*)|(&&|\\|\\||==|!=|<=|>=|[-+!<>?:.,()\\[\\]]))");
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** What a rule can see. */
    private record Scope(JsonNode self, JsonNode oldSelf) {
    }

    @FunctionalInterface
    private interface Expression {
        JsonNode of(Scope scope);
    }

    /** A value is not there or of a kind that an operation does not take; CEL then fails, and so does the rule. */
    private static final class Undefined extends RuntimeException {
        private static final long serialVersionUID = 1;

        Undefined() {
            super(null, null, false, false);
        }
    }

    /** The rule uses a part of CEL that is not known here. */
    private static final class NotUnderstood extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotUnderstood() {
            super(null, null, false, false);
        }
    }

    private record Token(Type type, String text) {
        enum Type { NUMBER, TEXT, NAME, SIGN }

        boolean is(String sign) {
            return type == Type.SIGN && text.equals(sign);
        }
    }

    private final Expression expression;
    private final boolean comparesWithOld;

    private CelRule(Expression expression, boolean comparesWithOld) {
        this.expression = expression;
        this.comparesWithOld = comparesWithOld;
    }

    /** @return empty if the rule is not understood */
    public static Optional<CelRule> parse(String rule) {
        try {
            Parser parser = new Parser(tokens(rule));
            Expression expression = parser.choice();
            parser.requireEnd();
            return Optional.of(new CelRule(expression, rule.contains("oldSelf")));
        } catch (NotUnderstood e) {
            return Optional.empty();
        }
    }

    /**
     * @param before the value as it was; a rule that names it counts for changes only
     * @return empty if the rule does not count here
     */
    public Optional<Boolean> holds(JsonNode self, Optional<JsonNode> before) {
        if (comparesWithOld && before.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(truth(expression.of(new Scope(self, before.orElse(MissingNode.getInstance())))));
        } catch (Undefined e) {
            return Optional.of(false);
        }
    }

    private static List<Token> tokens(String rule) {
        List<Token> tokens = new ArrayList<>();
        Matcher matcher = TOKEN.matcher(rule.strip());
        int at = 0;
        while (at < rule.strip().length()) {
            if (!matcher.find(at) || matcher.start() != at) {
                throw new NotUnderstood();
            }
            at = matcher.end();
            if (matcher.group(1) != null) {
                tokens.add(new Token(Token.Type.NUMBER, matcher.group(1)));
            } else if (matcher.group(2) != null || matcher.group(3) != null) {
                tokens.add(new Token(Token.Type.TEXT, matcher.group(2) != null ? matcher.group(2) : matcher.group(3)));
            } else if (matcher.group(4) != null) {
                tokens.add(new Token(Token.Type.NAME, matcher.group(4)));
            } else {
                tokens.add(new Token(Token.Type.SIGN, matcher.group(5)));
            }
        }
        return tokens;
    }

    private static boolean truth(JsonNode value) {
        if (!value.isBoolean()) {
            throw new Undefined();
        }
        return value.asBoolean();
    }

    private static JsonNode present(JsonNode value) {
        if (value.isMissingNode()) {
            throw new Undefined();
        }
        return value;
    }

    private static boolean same(JsonNode left, JsonNode right) {
        return left.isNumber() && right.isNumber() ? left.decimalValue().compareTo(right.decimalValue()) == 0
                : left.equals(right);
    }

    private static int order(JsonNode left, JsonNode right) {
        if (left.isNumber() && right.isNumber()) {
            return left.decimalValue().compareTo(right.decimalValue());
        }
        if (left.isTextual() && right.isTextual()) {
            return left.asText().compareTo(right.asText());
        }
        throw new Undefined();
    }

    /** From the loosest binding to the tightest. */
    private static final class Parser {
        private static final Map<String, BiFunction<String, String, Boolean>> TEXT_METHODS = Map.of(
                "startsWith", String::startsWith, "endsWith", String::endsWith, "contains", String::contains,
                "matches", (text, pattern) -> Pattern.compile(pattern).matcher(text).find());

        private final List<Token> tokens;
        private int at;

        Parser(List<Token> tokens) {
            this.tokens = tokens;
        }

        void requireEnd() {
            if (at != tokens.size()) {
                throw new NotUnderstood();
            }
        }

        private boolean accept(String sign) {
            if (at < tokens.size() && tokens.get(at).is(sign)) {
                at++;
                return true;
            }
            return false;
        }

        private void expect(String sign) {
            if (!accept(sign)) {
                throw new NotUnderstood();
            }
        }

        private Token next() {
            if (at >= tokens.size()) {
                throw new NotUnderstood();
            }
            return tokens.get(at++);
        }

        Expression choice() {
            Expression condition = either();
            if (!accept("?")) {
                return condition;
            }
            Expression yes = choice();
            expect(":");
            Expression no = choice();
            return scope -> truth(condition.of(scope)) ? yes.of(scope) : no.of(scope);
        }

        private Expression either() {
            Expression left = both();
            while (accept("||")) {
                Expression first = left;
                Expression second = both();
                left = scope -> BooleanNode.valueOf(truth(first.of(scope)) || truth(second.of(scope)));
            }
            return left;
        }

        private Expression both() {
            Expression left = comparison();
            while (accept("&&")) {
                Expression first = left;
                Expression second = comparison();
                left = scope -> BooleanNode.valueOf(truth(first.of(scope)) && truth(second.of(scope)));
            }
            return left;
        }

        private Expression comparison() {
            Expression left = sum();
            if (at < tokens.size() && tokens.get(at).type() == Token.Type.NAME && tokens.get(at).text().equals("in")) {
                at++;
                Expression list = sum();
                return scope -> BooleanNode.valueOf(isIn(present(left.of(scope)), present(list.of(scope))));
            }
            for (String sign : List.of("==", "!=", "<=", ">=", "<", ">")) {
                if (accept(sign)) {
                    Expression right = sum();
                    return scope -> BooleanNode.valueOf(compare(sign, present(left.of(scope)),
                            present(right.of(scope))));
                }
            }
            return left;
        }

        private static boolean compare(String sign, JsonNode left, JsonNode right) {
            return switch (sign) {
                case "==" -> same(left, right);
                case "!=" -> !same(left, right);
                case "<=" -> order(left, right) <= 0;
                case ">=" -> order(left, right) >= 0;
                case "<" -> order(left, right) < 0;
                default -> order(left, right) > 0;
            };
        }

        private static boolean isIn(JsonNode value, JsonNode list) {
            if (list.isObject()) {
                return list.has(value.asText());
            }
            for (JsonNode one : list) {
                if (same(one, value)) {
                    return true;
                }
            }
            return false;
        }

        private Expression sum() {
            Expression left = unary();
            while (at < tokens.size() && (tokens.get(at).is("+") || tokens.get(at).is("-"))) {
                boolean plus = next().is("+");
                Expression first = left;
                Expression second = unary();
                left = scope -> add(present(first.of(scope)), present(second.of(scope)), plus);
            }
            return left;
        }

        private static JsonNode add(JsonNode left, JsonNode right, boolean plus) {
            if (left.isTextual() && right.isTextual() && plus) {
                return TextNode.valueOf(left.asText() + right.asText());
            }
            if (!left.isNumber() || !right.isNumber()) {
                throw new Undefined();
            }
            BigDecimal second = right.decimalValue();
            return DecimalNode.valueOf(left.decimalValue().add(plus ? second : second.negate()));
        }

        private Expression unary() {
            if (accept("!")) {
                Expression inner = unary();
                return scope -> BooleanNode.valueOf(!truth(inner.of(scope)));
            }
            if (accept("-")) {
                Expression inner = unary();
                return scope -> DecimalNode.valueOf(present(inner.of(scope)).decimalValue().negate());
            }
            return chain(primary());
        }

        private Expression chain(Expression start) {
            Expression value = start;
            while (true) {
                Expression owner = value;
                if (accept(".")) {
                    value = member(owner, next().text());
                } else if (accept("[")) {
                    Expression index = choice();
                    expect("]");
                    value = scope -> element(present(owner.of(scope)), present(index.of(scope)));
                } else {
                    return value;
                }
            }
        }

        private Expression member(Expression owner, String name) {
            if (!accept("(")) {
                return scope -> present(owner.of(scope)).path(name);
            }
            if (name.equals("size")) {
                expect(")");
                return scope -> size(present(owner.of(scope)));
            }
            BiFunction<String, String, Boolean> method = TEXT_METHODS.get(name);
            if (method == null) {
                throw new NotUnderstood();
            }
            Expression argument = choice();
            expect(")");
            return scope -> BooleanNode.valueOf(method.apply(present(owner.of(scope)).asText(),
                    present(argument.of(scope)).asText()));
        }

        private static JsonNode element(JsonNode owner, JsonNode index) {
            return present(owner.isArray() ? owner.path(index.asInt()) : owner.path(index.asText()));
        }

        private static JsonNode size(JsonNode value) {
            return LongNode.valueOf(value.isTextual() ? value.asText().codePointCount(0, value.asText().length())
                    : value.size());
        }

        private Expression primary() {
            if (accept("(")) {
                Expression inner = choice();
                expect(")");
                return inner;
            }
            if (accept("[")) {
                return list();
            }
            Token token = next();
            return switch (token.type()) {
                case NUMBER -> scope -> DecimalNode.valueOf(new BigDecimal(token.text()));
                case TEXT -> scope -> TextNode.valueOf(token.text());
                case NAME -> named(token.text());
                case SIGN -> throw new NotUnderstood();
            };
        }

        private Expression list() {
            List<Expression> entries = new ArrayList<>();
            while (!accept("]")) {
                entries.add(choice());
                accept(",");
            }
            return scope -> {
                var list = NODES.arrayNode();
                entries.forEach(entry -> list.add(present(entry.of(scope))));
                return list;
            };
        }

        private Expression named(String name) {
            return switch (name) {
                case "self" -> Scope::self;
                case "oldSelf" -> Scope::oldSelf;
                case "true", "false" -> scope -> BooleanNode.valueOf(name.equals("true"));
                case "null" -> scope -> NODES.nullNode();
                case "has" -> {
                    Expression argument = argument();
                    yield scope -> BooleanNode.valueOf(!argument.of(scope).isMissingNode());
                }
                case "size" -> {
                    Expression argument = argument();
                    yield scope -> size(present(argument.of(scope)));
                }
                default -> throw new NotUnderstood();
            };
        }

        private Expression argument() {
            expect("(");
            Expression inner = choice();
            expect(")");
            return inner;
        }
    }
}
