package dev.pitwall.lab.ssh.shell;

import dev.pitwall.lab.ssh.Entry;
import dev.pitwall.lab.ssh.FileTrouble;
import dev.pitwall.lab.ssh.FileView;
import dev.pitwall.lab.ssh.shell.Syntax.Piece;
import dev.pitwall.lab.ssh.shell.Syntax.Word;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Turns the words of a command line into arguments: variables, substitutions, field splitting, globs. */
final class Expansion {
    private static final Pattern SPLIT = Pattern.compile("[ \\t\\n]+");

    /** What a substituted command printed, and its status. */
    record Substituted(String output, int status) {
    }

    interface Runner {
        Substituted run(String commandLine) throws IOException;
    }

    /** One argument in the making. A globbing character counts only where it was not quoted. */
    private static final class Field {
        private final StringBuilder text = new StringBuilder();
        private final StringBuilder pattern = new StringBuilder();
        private boolean quoted;
        private boolean glob;

        void literal(String s) {
            text.append(s);
            s.chars().forEach(c -> pattern.append(quote((char) c)));
        }

        /** A slash stays bare: patterns are cut there. */
        private static String quote(char c) {
            return c == '/' ? "/" : Pattern.quote(String.valueOf(c));
        }

        void bare(String s) {
            text.append(s);
            for (int i = 0; i < s.length(); i++) {
                char c = s.charAt(i);
                int close = c == '[' ? s.indexOf(']', i + 1) : -1;
                if (c == '*' || c == '?') {
                    glob = true;
                    pattern.append(c == '*' ? ".*" : ".");
                } else if (close > i + 1) {
                    glob = true;
                    pattern.append('[').append(s.substring(i + 1, close).replaceFirst("^!", "^")).append(']');
                    i = close;
                } else {
                    pattern.append(quote(c));
                }
            }
        }
    }

    private final Shell shell;
    private final Supplier<FileView> files;
    private final Runner runner;
    private int lastStatus;

    Expansion(Shell shell, Supplier<FileView> files, Runner runner) {
        this.shell = shell;
        this.files = files;
        this.runner = runner;
    }

    /** Status of the last substitution, which is the status of a bare assignment. */
    int lastStatus() {
        return lastStatus;
    }

    List<String> words(List<Word> words) throws IOException {
        List<String> out = new ArrayList<>();
        for (Word word : words) {
            for (Field field : fields(word)) {
                out.addAll(globbed(field));
            }
        }
        return out;
    }

    /** A word that is neither split nor globbed: a redirection's target, an assignment's value. */
    String single(Word word) throws IOException {
        StringBuilder out = new StringBuilder();
        for (Piece piece : word.pieces()) {
            out.append(switch (piece) {
                case Syntax.Text t -> t.text();
                case Syntax.Variable v -> value(v.expression());
                case Syntax.Substitution s -> substituted(s.commandLine());
                case Syntax.Arithmetic a -> computed(a);
            });
        }
        return out.toString();
    }

    private List<Field> fields(Word word) throws IOException {
        List<Field> fields = new ArrayList<>();
        if (shell.arguments().isEmpty() && isAllArguments(word)) {
            return fields;
        }
        Field current = new Field();
        for (Piece piece : word.pieces()) {
            switch (piece) {
                case Syntax.Text t -> {
                    if (t.quoted()) {
                        current.literal(t.text());
                        current.quoted = true;
                    } else {
                        current.bare(t.text().equals("~") || t.text().startsWith("~/")
                                ? shell.variable("HOME") + t.text().substring(1) : t.text());
                    }
                }
                case Syntax.Variable v when isEachArgument(v) -> current = each(fields, current);
                case Syntax.Variable v -> current = spliced(fields, current, value(v.expression()), v.quoted());
                case Syntax.Substitution s ->
                        current = spliced(fields, current, substituted(s.commandLine()), s.quoted());
                case Syntax.Arithmetic a -> current = spliced(fields, current, computed(a), a.quoted());
            }
        }
        if (current.quoted || !current.text.isEmpty()) {
            fields.add(current);
        }
        return fields;
    }

    /** {@code "$@"}, which is no word at all where there are no arguments. */
    private static boolean isAllArguments(Word word) {
        return word.pieces().stream().anyMatch(p -> p instanceof Syntax.Variable v && isEachArgument(v))
                && word.pieces().stream().allMatch(p -> switch (p) {
                    case Syntax.Text t -> t.text().isEmpty();
                    case Syntax.Variable v -> isEachArgument(v);
                    case Syntax.Substitution s -> false;
                    case Syntax.Arithmetic a -> false;
                });
    }

    private static boolean isEachArgument(Syntax.Variable variable) {
        return variable.quoted() && variable.expression().equals("@");
    }

    private Field each(List<Field> fields, Field current) {
        Field field = current;
        List<String> arguments = shell.arguments();
        for (int i = 0; i < arguments.size(); i++) {
            if (i > 0) {
                fields.add(field);
                field = new Field();
            }
            field.literal(arguments.get(i));
            field.quoted = true;
        }
        return field;
    }

    private static Field spliced(List<Field> fields, Field current, String value, boolean quoted) {
        if (quoted) {
            current.literal(value);
            current.quoted = true;
            return current;
        }
        Field field = current;
        String[] parts = SPLIT.split(value, -1);
        for (int i = 0; i < parts.length; i++) {
            if (i > 0) {
                if (field.quoted || !field.text.isEmpty()) {
                    fields.add(field);
                }
                field = new Field();
            }
            field.bare(parts[i]);
        }
        return field;
    }

    private String computed(Syntax.Arithmetic arithmetic) throws IOException {
        return Long.toString(Arithmetic.value(single(arithmetic.expression()), shell::variable));
    }

    private String substituted(String commandLine) throws IOException {
        Substituted result = runner.run(commandLine);
        lastStatus = result.status();
        return result.output().replaceFirst("\\n+$", "");
    }

    /** {@code name}, {@code name:-word}, {@code name#pattern}, {@code name##pattern}, {@code name%…}, {@code #name}. */
    private String value(String expression) throws IOException {
        if (expression.startsWith("#") && expression.length() > 1) {
            return Integer.toString(shell.variable(expression.substring(1)).length());
        }
        int end = 0;
        while (end < expression.length() && (Character.isLetterOrDigit(expression.charAt(end))
                || expression.charAt(end) == '_' || end == 0 && expression.length() == 1)) {
            end++;
        }
        String value = shell.variable(expression.substring(0, end));
        String rest = expression.substring(end);
        if (rest.isEmpty()) {
            return value;
        }
        if (rest.startsWith(":-") || rest.startsWith("-")) {
            return value.isEmpty() ? instead(rest.substring(rest.startsWith(":") ? 2 : 1)) : value;
        }
        boolean greedy = rest.length() > 1 && rest.charAt(1) == rest.charAt(0);
        String pattern = regex(rest.substring(greedy ? 2 : 1));
        return switch (rest.charAt(0)) {
            case '#' -> value.replaceFirst("^" + (greedy ? pattern : pattern.replace(".*", ".*?")), "");
            case '%' -> suffixRemoved(value, pattern, greedy);
            default -> value;
        };
    }

    /** The word that stands in for a variable without a value: it may have variables of its own. */
    private String instead(String word) throws IOException {
        try {
            return single(new Lexer(word).quotedText());
        } catch (SyntaxError e) {
            return word;
        }
    }

    private static String suffixRemoved(String value, String pattern, boolean greedy) {
        for (int i = 0; i <= value.length(); i++) {
            int from = greedy ? i : value.length() - i;
            if (value.substring(from).matches(pattern)) {
                return value.substring(0, from);
            }
        }
        return value;
    }

    private static String regex(String glob) {
        StringBuilder out = new StringBuilder();
        for (char c : glob.toCharArray()) {
            out.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
        }
        return out.toString();
    }

    private List<String> globbed(Field field) {
        if (!field.glob) {
            return List.of(field.text.toString());
        }
        FileView view = files.get();
        List<String> found = new ArrayList<>(List.of(field.text.charAt(0) == '/' ? "/" : ""));
        String[] texts = field.text.toString().split("/");
        String[] patterns = field.pattern.toString().split("/");
        for (int i = 0; i < texts.length; i++) {
            if (texts[i].isEmpty()) {
                continue;
            }
            String part = i < patterns.length ? patterns[i] : Pattern.quote(texts[i]);
            found = step(view, found, texts[i], part);
        }
        return found.isEmpty() ? List.of(field.text.toString()) : found;
    }

    private List<String> step(FileView view, List<String> bases, String text, String pattern) {
        boolean plain = text.chars().noneMatch(c -> "*?[".indexOf(c) >= 0);
        Pattern compiled = Pattern.compile(pattern.isEmpty() ? Pattern.quote(text) : pattern);
        List<String> next = new ArrayList<>();
        for (String base : bases) {
            String folder = FileView.absolute(shell.directory(), base.isEmpty() ? "." : base);
            String prefix = base.isEmpty() || base.endsWith("/") ? base : base + "/";
            if (plain) {
                if (view.exists(FileView.absolute(folder, text)) || isLink(view, folder + "/" + text)) {
                    next.add(prefix + text);
                }
                continue;
            }
            for (String name : names(view, folder)) {
                if (compiled.matcher(name).matches() && (!name.startsWith(".") || text.startsWith("."))) {
                    next.add(prefix + name);
                }
            }
        }
        return next;
    }

    private static boolean isLink(FileView view, String path) {
        try {
            return view.entry(path, FileView.Follow.NO) instanceof Entry.Link;
        } catch (FileTrouble e) {
            return false;
        }
    }

    private static List<String> names(FileView view, String folder) {
        try {
            return view.names(folder);
        } catch (FileTrouble e) {
            return List.of();
        }
    }
}
