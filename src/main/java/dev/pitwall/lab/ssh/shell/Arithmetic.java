package dev.pitwall.lab.ssh.shell;

import java.util.List;
import java.util.function.Function;
import java.util.function.LongBinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values of {@code $(( … ))}: whole numbers, variables, brackets and the operators of C that give a value. */
final class Arithmetic {
    private static final Pattern TOKEN = Pattern.compile("\\s*(\\d+|[A-Za-z_]\\w*|\\*\\*|<<|>>|<=|>=|==|!=|&&|\\|\\||[-+*/%<>()!])");
    /** From the loosest to the tightest. */
    private static final List<List<String>> LEVELS = List.of(List.of("||"), List.of("&&"), List.of("==", "!="),
            List.of("<=", ">=", "<", ">"), List.of("<<", ">>"), List.of("+", "-"), List.of("*", "/", "%"));

    private final Matcher tokens;
    private final Function<String, String> variables;
    private String token = "";
    private int at;

    private Arithmetic(String text, Function<String, String> variables) {
        this.tokens = TOKEN.matcher(text.strip());
        this.variables = variables;
        next();
    }

    /** What no shell can compute, in the words of most. */
    static final class Trouble extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Trouble(String message) {
            super(message, null, false, false);
        }
    }

    /** @throws Trouble if it is no expression, or divides by zero */
    static long value(String text, Function<String, String> variables) {
        Arithmetic arithmetic = new Arithmetic(text, variables);
        if (arithmetic.token.isEmpty()) {
            return 0;
        }
        long value = arithmetic.level(0);
        if (!arithmetic.token.isEmpty()) {
            throw new Trouble("arithmetic syntax error");
        }
        return value;
    }

    private void next() {
        if (at >= tokens.regionEnd() - tokens.regionStart()) {
            token = "";
            return;
        }
        tokens.region(at, tokens.regionEnd());
        if (!tokens.lookingAt()) {
            throw new Trouble("arithmetic syntax error");
        }
        token = tokens.group(1);
        at = tokens.end();
        tokens.region(0, tokens.regionEnd());
    }

    private boolean took(String wanted) {
        boolean here = token.equals(wanted);
        if (here) {
            next();
        }
        return here;
    }

    private long level(int level) {
        if (level == LEVELS.size()) {
            return single();
        }
        long value = level(level + 1);
        while (LEVELS.get(level).contains(token)) {
            LongBinaryOperator operator = operator(token);
            next();
            value = operator.applyAsLong(value, level(level + 1));
        }
        return value;
    }

    private long single() {
        if (took("-")) {
            return -single();
        }
        if (took("+")) {
            return single();
        }
        if (took("!")) {
            return single() == 0 ? 1 : 0;
        }
        if (took("(")) {
            long value = level(0);
            if (!took(")")) {
                throw new Trouble("arithmetic syntax error");
            }
            return value;
        }
        String text = Character.isLetter(token.isEmpty() ? ' ' : token.charAt(0)) || token.startsWith("_")
                ? variables.apply(token).strip() : token;
        String number = text.isEmpty() && !token.isEmpty() ? "0" : text;
        if (!number.matches("-?\\d{1,18}")) {
            throw new Trouble("arithmetic syntax error");
        }
        next();
        return Long.parseLong(number);
    }

    private static LongBinaryOperator operator(String token) {
        return switch (token) {
            case "+" -> Long::sum;
            case "-" -> (a, b) -> a - b;
            case "*" -> (a, b) -> a * b;
            case "/" -> (a, b) -> a / nonZero(b);
            case "%" -> (a, b) -> a % nonZero(b);
            case "<<" -> (a, b) -> a << b;
            case ">>" -> (a, b) -> a >> b;
            case "<" -> (a, b) -> a < b ? 1 : 0;
            case ">" -> (a, b) -> a > b ? 1 : 0;
            case "<=" -> (a, b) -> a <= b ? 1 : 0;
            case ">=" -> (a, b) -> a >= b ? 1 : 0;
            case "==" -> (a, b) -> a == b ? 1 : 0;
            case "!=" -> (a, b) -> a != b ? 1 : 0;
            case "&&" -> (a, b) -> a != 0 && b != 0 ? 1 : 0;
            case "||" -> (a, b) -> a != 0 || b != 0 ? 1 : 0;
            default -> throw new Trouble("arithmetic syntax error");
        };
    }

    private static long nonZero(long divisor) {
        if (divisor == 0) {
            throw new Trouble("divide by zero");
        }
        return divisor;
    }
}
