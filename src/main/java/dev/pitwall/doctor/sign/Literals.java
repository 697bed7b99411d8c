package dev.pitwall.doctor.sign;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Reads from a regular expression the texts of which a match must contain one: a run of plain characters, or of a group
 * that has to be there one run for each of its alternatives.
 */
final class Literals {
    private static final int LONG_ENOUGH = 8;
    private static final List<String> NONE = List.of("");
    private static final Comparator<List<String>> ORDER = Comparator
            .<List<String>>comparingInt(texts -> Math.min(shortest(texts), LONG_ENOUGH))
            .thenComparing(List::size, Comparator.reverseOrder())
            .thenComparing(Literals::shortest);
    private final String regex;
    /** What the outermost sequence must contain. */
    private final List<List<String>> groups = new ArrayList<>();
    private int depth;
    private int at;

    private Literals(String regex) {
        this.regex = regex;
    }

    /** In lower case; an empty text stands for "anything". */
    static List<String> of(String regex) {
        return new Literals(regex).alternatives().stream().map(text -> text.toLowerCase(Locale.ROOT)).distinct().toList();
    }

    /**
     * What a match must contain, for each branch of the expression: of every group one text. A branch without groups may be anything.
     */
    static List<List<List<String>>> branches(String regex) {
        Literals literals = new Literals(regex);
        List<List<List<String>>> branches = new ArrayList<>();
        do {
            literals.at += branches.isEmpty() ? 0 : 1;
            literals.groups.clear();
            literals.depth = 0;
            literals.sequence();
            branches.add(literals.groups.stream().filter(texts -> shortest(texts) > 0)
                    .map(texts -> texts.stream().map(text -> text.toLowerCase(Locale.ROOT)).distinct().toList())
                    .distinct().toList());
        } while (literals.at < regex.length() && regex.charAt(literals.at) == '|');
        return branches;
    }

    private List<String> alternatives() {
        List<String> all = new ArrayList<>(sequence());
        while (at < regex.length() && regex.charAt(at) == '|') {
            at++;
            all.addAll(sequence());
        }
        return all;
    }

    /** Up to the next bar or closing parenthesis. */
    private List<String> sequence() {
        List<String> best = NONE;
        StringBuilder run = new StringBuilder();
        while (at < regex.length() && regex.charAt(at) != '|' && regex.charAt(at) != ')') {
            char c = regex.charAt(at++);
            switch (c) {
                case '(' -> {
                    best = better(best, flushed(run));
                    best = better(best, group());
                }
                case '[' -> {
                    best = better(best, flushed(run));
                    skipClass();
                }
                case '?', '*', '{' -> {
                    // What stands before it may be absent.
                    run.setLength(Math.max(run.length() - 1, 0));
                    best = better(best, flushed(run));
                    at = c == '{' ? regex.indexOf('}', at) + 1 : at;
                }
                case '.', '+', '^', '$' -> best = better(best, flushed(run));
                case '\\' -> {
                    char escaped = regex.charAt(at++);
                    if (Character.isLetterOrDigit(escaped)) {
                        best = better(best, flushed(run));
                    } else {
                        run.append(escaped);
                    }
                }
                default -> run.append(c);
            }
        }
        return better(best, flushed(run));
    }

    private List<String> flushed(StringBuilder run) {
        List<String> text = run.isEmpty() ? NONE : List.of(run.toString());
        run.setLength(0);
        return noted(text);
    }

    private List<String> noted(List<String> texts) {
        if (depth == 0) {
            groups.add(texts);
        }
        return texts;
    }

    /** A group behind its opening parenthesis; nothing where it may be absent. */
    private List<String> group() {
        if (regex.startsWith("?:", at) || regex.startsWith("?-", at)) {
            at = regex.indexOf(':', at) + 1;
        } else if (regex.startsWith("?P<", at)) {
            at = regex.indexOf('>', at) + 1;
        }
        depth++;
        List<String> inner = alternatives();
        depth--;
        at++;
        boolean optional = at < regex.length() && "?*{".indexOf(regex.charAt(at)) >= 0;
        return optional ? NONE : noted(inner);
    }

    private void skipClass() {
        int first = at;
        while (at < regex.length() && (regex.charAt(at) != ']' || at == first)) {
            at += regex.charAt(at) == '\\' ? 2 : 1;
        }
        at++;
    }

    /** The choice whose shortest text is longer; of those that are long enough the smaller. */
    private static List<String> better(List<String> a, List<String> b) {
        return ORDER.compare(b, a) > 0 ? b : a;
    }

    private static int shortest(List<String> texts) {
        return texts.stream().mapToInt(String::length).min().orElse(0);
    }
}
