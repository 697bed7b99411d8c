package dev.pitwall.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A text from outside, cleaned for the readers: no byte order mark, colours, Windows line ends, code fences or shell
 * prompts. Lines keep the numbers they have in the source.
 *
 * <p>Whether the last line is whole decides what may be taken from it: without a line end, its last word may be half of
 * a longer one ({@code 160} of {@code 16062}), so readers take from an open line only what something else closes.
 *
 * @param lines    the lines that are left, in order; blank ones included
 * @param sections the same lines, split where a shell prompt stood
 */
public record Text(List<Line> lines, List<List<Line>> sections) {

    private static final Pattern ESCAPES =
            Pattern.compile("\u001B\\[[0-?]*[ -/]*[@-~]|\u001B\\][^\u0007\u001B\n]*(?:\u0007|\u001B\\\\)?|\u001B\\[?[0-?]*|[\u0000\b]");
    private static final Pattern USER_PROMPT = Pattern.compile(
            "\\s*(?:\\([\\w .-]{1,40}\\)\\s*)?\\[?[\\w.-]{1,40}@[\\w.-]{1,80}(?:[: ][^#$%>]{0,120})?]?\\s?[#$%](?:\\s.*)?");
    private static final Pattern BARE_PROMPT = Pattern.compile(
            "\\s*(?:\\([\\w .-]{1,40}\\)\\s*)?(?:[$#]|PS [A-Z]:\\\\[^>]{0,120}>)\\s+(?:sudo\\s+)?(?:lspci|nvidia-smi|dmesg|journalctl|cat|kubectl|qm|"
                    + "pvesh|curl|find|lsmod|ls|grep|proxmox-boot-tool|helm|talosctl|ollama|modprobe|uname|crictl)(?:\\s.*)?");

    public Text {
        lines = List.copyOf(lines);
        sections = sections.stream().map(List::copyOf).toList();
    }

    /** What is known of the end of a text. */
    public enum Ending {
        /** The source said that it is complete, for example a command that has exited. */
        WHOLE,
        /** A file or paste: the last line is trusted only if it has a line end. */
        MAYBE_CUT
    }

    /**
     * @param number from 1, in the source
     * @param text   without its line end
     * @param open   true if the text stops in this line, so that its last word may be cut
     */
    public record Line(int number, String text, boolean open) {

        public boolean blank() {
            return text.isBlank();
        }

        /** The text without surrounding blanks. */
        public String trimmed() {
            return text.strip();
        }

        /** Number of blanks (a tab counts as eight) before the first word. */
        public int indent() {
            int width = 0;
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c == ' ') {
                    width++;
                } else if (c == '\t') {
                    width += 8;
                } else {
                    return width;
                }
            }
            return width;
        }

        /** True if nothing at all follows {@code end} in a text that stops here: what ends there may be cut. */
        public boolean mayBeCutAt(int end) {
            return open && end >= text.length();
        }
    }

    /** Cleans a text. */
    public static Text of(String raw, Ending ending) {
        String clean = clean(raw);
        boolean open = ending == Ending.MAYBE_CUT && !clean.isEmpty() && !clean.endsWith("\n");
        List<Line> lines = new ArrayList<>();
        List<List<Line>> sections = new ArrayList<>();
        List<Line> section = new ArrayList<>();
        int number = 0;
        int from = 0;
        while (from < clean.length()) {
            int to = clean.indexOf('\n', from);
            int end = to < 0 ? clean.length() : to;
            Line line = new Line(++number, clean.substring(from, end), to < 0 && open);
            from = end + 1;
            if (isPrompt(line.text())) {
                sections.add(section);
                section = new ArrayList<>();
            } else if (!line.text().startsWith("```")) {
                lines.add(line);
                section.add(line);
            }
        }
        sections.add(section);
        sections.removeIf(s -> s.stream().allMatch(Line::blank));
        return new Text(lines, sections);
    }

    /** A text that its source says is complete. */
    public static Text whole(String raw) {
        return of(raw, Ending.WHOLE);
    }

    /** A part of this text. */
    static Text part(List<Line> lines) {
        return new Text(lines, List.of(lines));
    }

    private static String clean(String raw) {
        String text = raw.startsWith("\uFEFF") ? raw.substring(1) : raw;
        if (text.indexOf('\r') >= 0) {
            text = text.replace("\r\n", "\n").replace('\r', '\n');
        }
        if (text.indexOf('\u001B') >= 0 || text.indexOf('\u0000') >= 0 || text.indexOf('\b') >= 0) {
            text = ESCAPES.matcher(text).replaceAll("");
        }
        return text;
    }

    private static boolean isPrompt(String line) {
        if (line.length() > 400 || (line.indexOf('@') < 0 && line.indexOf('$') < 0 && line.indexOf('#') < 0
                && line.indexOf('>') < 0)) {
            return false;
        }
        return (line.indexOf('@') >= 0 && USER_PROMPT.matcher(line).matches()) || BARE_PROMPT.matcher(line).matches();
    }

    /** True if there is nothing to read. */
    public boolean blank() {
        return lines.stream().allMatch(Line::blank);
    }

    /** Lines that are not blank, in order. */
    public List<Line> filled() {
        return lines.stream().filter(l -> !l.blank()).toList();
    }

    /** True if the text stops in the middle of a line. */
    public boolean open() {
        return !lines.isEmpty() && lines.getLast().open();
    }

    /** The text as one string in which every line keeps its number; removed lines are empty. */
    public String body() {
        StringBuilder body = new StringBuilder();
        int number = 1;
        for (Line line : lines) {
            while (number < line.number()) {
                body.append('\n');
                number++;
            }
            body.append(line.text());
            if (!line.open()) {
                body.append('\n');
                number++;
            }
        }
        return body.toString();
    }

    /** Share of the first 400 filled lines that the test accepts, 0 to 1; 0 for an empty text. */
    double share(java.util.function.Predicate<String> test) {
        List<Line> sample = lines.stream().filter(l -> !l.blank()).limit(400).toList();
        long hits = sample.stream().filter(l -> test.test(head(l.text()))).count();
        return sample.isEmpty() ? 0 : (double) hits / sample.size();
    }

    /** Number of lines among the first 400 filled ones that the test accepts. */
    long hits(java.util.function.Predicate<String> test) {
        return lines.stream().filter(l -> !l.blank()).limit(400).filter(l -> test.test(head(l.text()))).count();
    }

    /** The first line with words, shortened, for messages. */
    String firstLine() {
        String first = lines.stream().filter(l -> !l.blank()).map(Line::trimmed).findFirst().orElse("");
        return first.length() > 80 ? first.substring(0, 77) + "…" : first;
    }

    private static String head(String line) {
        return line.length() > 4000 ? line.substring(0, 4000) : line;
    }

    /** Lower case without regard to the system's language. */
    static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
