package dev.pitwall.read;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A text from outside, cleaned for the readers: no byte order mark, colours, Windows line ends, code fences or shell
 * prompts. Lines keep the numbers they have in the source.
 *
 * <p>Whether the last line is whole decides what may be taken from it: without a line end, its last word may be half of
 * a longer one ({@code 160} of {@code 16062}), so readers take from an open line only what something else closes.
 *
 * <p>Lines are cut out of the text when they are asked for, since a text may have millions of them.
 */
public final class Text {

    /** The most of one line that line readers look at; what is longer counts as cut there. */
    static final int LONGEST_LINE = 8192;
    /** A paste of a terminal has a few prompts; a text with more is no such paste. */
    static final int MOST_SECTIONS = 50;
    /** The most lines a line reader takes, so that what it finds stays in memory. */
    static final int MOST_LINES = 200_000;
    private static final int LOOKED_AT = 400;

    private static final Pattern ESCAPES =
            Pattern.compile("\u001B\\[[0-?]*[ -/]*[@-~]|\u001B\\][^\u0007\u001B\n]*(?:\u0007|\u001B\\\\)?|\u001B\\[?[0-?]*|[\u0000\b]");
    private static final Pattern USER_PROMPT = Pattern.compile(
            "\\s*(?:\\([\\w .-]{1,40}\\)\\s*)?\\[?[\\w.-]{1,40}@[\\w.-]{1,80}(?:[: ][^#$%>]{0,120})?]?\\s?[#$%](?:\\s.*)?");
    private static final Pattern BARE_PROMPT = Pattern.compile(
            "\\s*(?:\\([\\w .-]{1,40}\\)\\s*)?(?:[$#]|PS [A-Z]:\\\\[^>]{0,120}>)\\s+(?:sudo\\s+)?(?:lspci|nvidia-smi|dmesg|journalctl|cat|kubectl|qm|"
                    + "pvesh|curl|find|lsmod|ls|grep|proxmox-boot-tool|helm|talosctl|ollama|modprobe|uname|crictl)(?:\\s.*)?");

    private final String source;
    private final int[] starts;
    private final int[] kept;
    private final BitSet prompts;
    private final boolean open;

    /**
     * @param source cleaned
     * @param starts where each line of the source begins
     * @param kept   indexes of the lines that count
     * @param open   true if the source stops in its last line
     */
    private Text(String source, int[] starts, int[] kept, BitSet prompts, boolean open) {
        this.source = source;
        this.starts = starts;
        this.kept = kept;
        this.prompts = prompts;
        this.open = open;
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
     * @param open   true if the text stops in this line, or the line was cut for its length: its last word may be cut
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
        String source = clean(raw);
        int[] starts = starts(source);
        BitSet prompts = new BitSet();
        BitSet dropped = new BitSet();
        for (int i = 0; i < starts.length; i++) {
            if (isPrompt(source, starts[i], end(source, starts, i))) {
                prompts.set(i);
                dropped.set(i);
            } else if (source.startsWith("```", starts[i])) {
                dropped.set(i);
            }
        }
        int[] kept = new int[starts.length - dropped.cardinality()];
        for (int i = 0, at = 0; i < starts.length; i++) {
            if (!dropped.get(i)) {
                kept[at++] = i;
            }
        }
        boolean open = ending == Ending.MAYBE_CUT && !source.isEmpty() && !source.endsWith("\n");
        return new Text(source, starts, kept, prompts, open);
    }

    private static int[] starts(String source) {
        int count = source.isEmpty() || source.endsWith("\n") ? 0 : 1;
        for (int at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) {
            count++;
        }
        int[] starts = new int[count];
        for (int i = 1; i < count; i++) {
            starts[i] = source.indexOf('\n', starts[i - 1]) + 1;
        }
        return starts;
    }

    private static int end(String source, int[] starts, int line) {
        int end = line + 1 < starts.length ? starts[line + 1] - 1 : source.length();
        return end > starts[line] && end == source.length() && source.charAt(end - 1) == '\n' ? end - 1 : end;
    }

    /** A text that its source says is complete. */
    public static Text whole(String raw) {
        return of(raw, Ending.WHOLE);
    }

    /** The lines of this text from one number on and before another. */
    Text between(int from, int before) {
        int[] part = Arrays.stream(kept).filter(i -> i + 1 >= from && i + 1 < before).toArray();
        return new Text(source, starts, part, prompts, open);
    }

    /** The lines that count, in order; blank ones included. */
    public List<Line> lines() {
        return new AbstractList<>() {
            @Override
            public Line get(int index) {
                return line(kept[index], Integer.MAX_VALUE);
            }

            @Override
            public int size() {
                return kept.length;
            }
        };
    }

    private Line line(int index, int most) {
        int end = end(source, starts, index);
        boolean last = index == starts.length - 1;
        boolean tooLong = end - starts[index] > most;
        return new Line(index + 1, source.substring(starts[index], tooLong ? starts[index] + most : end),
                (open && last) || tooLong);
    }

    /** The parts of this text between shell prompts, those without words left out. */
    public List<Text> sections() {
        List<Text> sections = new ArrayList<>();
        int from = 1;
        for (int i = prompts.nextSetBit(0); i >= 0 && sections.size() < MOST_SECTIONS; i = prompts.nextSetBit(i + 1)) {
            sections.add(between(from, i + 1));
            from = i + 2;
        }
        sections.add(between(from, Integer.MAX_VALUE));
        sections.removeIf(Text::blank);
        return sections;
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

    private static boolean isPrompt(String source, int from, int to) {
        String line = to - from > 400 ? "" : source.substring(from, to);
        if (line.isEmpty() || (line.indexOf('@') < 0 && line.indexOf('$') < 0 && line.indexOf('#') < 0
                && line.indexOf('>') < 0)) {
            return false;
        }
        return (line.indexOf('@') >= 0 && USER_PROMPT.matcher(line).matches()) || BARE_PROMPT.matcher(line).matches();
    }

    /** True if there is nothing to read. */
    public boolean blank() {
        return lines().stream().allMatch(Line::blank);
    }

    /**
     * Lines that are not blank, in order, for line readers: what is too long is cut, and open.
     *
     * @param notes gets a sentence if there are more lines than are read
     */
    public Iterable<Line> filled(Consumer<String> notes) {
        if (kept.length > MOST_LINES) {
            notes.accept("only the first " + MOST_LINES + " lines were read");
        }
        return () -> Arrays.stream(kept).limit(MOST_LINES).mapToObj(i -> line(i, LONGEST_LINE))
                .filter(l -> !l.blank()).iterator();
    }

    /** The first lines that are not blank. */
    List<Line> first(int most) {
        return Arrays.stream(kept).mapToObj(i -> line(i, LONGEST_LINE)).filter(l -> !l.blank()).limit(most).toList();
    }

    /** True if the text stops in the middle of a line. */
    public boolean open() {
        return open && kept.length > 0 && kept[kept.length - 1] == starts.length - 1;
    }

    /** The text as one string in which every line keeps its number; removed lines are empty. */
    public String body() {
        if (kept.length == starts.length) {
            return source;
        }
        StringBuilder body = new StringBuilder();
        int number = 0;
        for (int index : kept) {
            body.repeat('\n', index - number);
            int end = end(source, starts, index);
            body.append(source, starts[index], end);
            number = index;
            if (end < source.length()) {
                body.append('\n');
                number++;
            }
        }
        return body.toString();
    }

    /** Share of the first 400 filled lines that the test accepts, 0 to 1; 0 for an empty text. */
    double share(Predicate<String> test) {
        List<Line> sample = first(LOOKED_AT);
        return sample.isEmpty() ? 0 : (double) hits(test) / sample.size();
    }

    /** Number of lines among the first 400 filled ones that the test accepts. */
    long hits(Predicate<String> test) {
        return first(LOOKED_AT).stream().filter(l -> test.test(head(l.text()))).count();
    }

    /** The first line with words, shortened, for messages. */
    String firstLine() {
        String first = first(1).stream().map(Line::trimmed).findFirst().orElse("");
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
