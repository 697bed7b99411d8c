package dev.pitwall.doctor.sign;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.pitwall.doctor.sign.Sign.About;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the signs of lines, one line after the other, and holds no more of the text than a few lines around each sign.
 * Not thread-safe; one is made for each diagnosis.
 */
public final class LineScanner {
    private static final int AROUND = 2;
    private static final int MOST_SHOWN = 400;
    /** Where a text turns to something else: {@code kubectl describe}, {@code tail}'s and people's own headings. */
    private static final Pattern HEADING = Pattern.compile(
            "^(?:Name:\\s+(?P<name>\\S+)|(?:==+>?|--+|#{2,})\\s*(?P<heading>[^=#-].*))$");
    /** Prose of something that is over: it tells of a trouble that was, not of one that is. */
    private static final Pattern BYGONE = Pattern.compile(
            "\\blast (?:year|month|week|summer|winter|spring|autumn)\\b.{0,160}\\b(?:solved|fixed|resolved|replaced|gone)\\b"
            + "|\\b(?:some|several|two|three|\\d+) (?:year|month)s? ago\\b"
            + "|\\b(?:is|are|was|were|got|has been|have been) (?:since |already |long )*(?:solved|fixed|resolved)(?:\\W*$| (?:since|last|back|then)\\b)"
            + "|\\bused to (?:have|get|see|show|fail)\\b|\\bin the past\\b|\\bback then\\b", Pattern.CASE_INSENSITIVE);
    private final SignTable table;
    private final SignBook book;
    private final GramFilter filter;
    private final BitSet candidates = new BitSet();
    private final Deque<String> before = new ArrayDeque<>();
    private final List<Open> open = new ArrayList<>();
    private String document = "";
    private Hint hint = Hint.UNKNOWN;
    private About about = About.NOTHING;
    private String part = "";
    private long number;

    /** A sign whose following lines are still to come. */
    private static final class Open {
        private final Sign sign;
        private final List<String> before;
        private final List<String> after = new ArrayList<>();

        Open(Sign sign, List<String> before) {
            this.sign = sign;
            this.before = before;
        }
    }

    /** @param book gets the signs */
    public LineScanner(SignTable table, SignBook book) {
        this.table = table;
        this.book = book;
        this.filter = table.filter();
    }

    /** Begins another document. @param about what it is about; its component is taken from the name if it has none */
    public void begin(String name, Hint kind, About subject) {
        end();
        document = name;
        hint = kind;
        about = subject.component().isEmpty() ? subject.of(table.component(name)) : subject;
        part = "";
        number = 0;
    }

    /**
     * What the name of the document says: people write into it when they took the output, for example after a restart.
     * File names have underscores for characters that they cannot have.
     */
    public void title() {
        String words = document.replace('_', ' ');
        table.titles().forEach(pattern -> match(pattern, words, document, about.component(), 0));
        end();
    }

    /** The next line of the document. */
    public void line(String raw) {
        number++;
        scan(raw, number);
    }

    /** A text that stands in an object, for example the message of an event. @param subject what it is about */
    public void said(String where, About subject, String text) {
        begin(where, Hint.UNKNOWN, subject);
        text.lines().forEach(line -> scan(line, 0));
        end();
    }

    private void scan(String raw, long at) {
        String line = LogLine.said(raw);
        String shown = line.length() > MOST_SHOWN ? line.substring(0, MOST_SHOWN) + "…" : line;
        follow(shown);
        if (!line.isBlank()) {
            heading(line);
            filter.candidates(line, candidates);
            String component = component(line);
            int patterns = table.patterns().size();
            for (int i = candidates.nextSetBit(0); i >= 0 && i < patterns; i = candidates.nextSetBit(i + 1)) {
                match(table.patterns().get(i), line, shown, component, at);
            }
        }
        before.addLast(shown);
        if (before.size() > AROUND) {
            before.removeFirst();
        }
    }

    private void heading(String line) {
        char first = line.charAt(0);
        if (first == 'N' || first == '=' || first == '-' || first == '#') {
            Matcher matcher = HEADING.matcher(line);
            if (matcher.find()) {
                String title = matcher.group("name") == null ? matcher.group("heading") : matcher.group("name");
                part = table.component(title);
            }
        }
    }

    private String component(String line) {
        int first = table.patterns().size();
        for (int i = candidates.nextSetBit(first); i >= 0; i = candidates.nextSetBit(i + 1)) {
            SignTable.Component component = table.components().get(i - first);
            if (component.pattern().matcher(line).find()) {
                return component.id();
            }
        }
        return part.isEmpty() ? about.component() : part;
    }

    private void match(LinePattern pattern, String line, String shown, String component, long at) {
        if (!pattern.hints().isEmpty() && hint != Hint.UNKNOWN && !pattern.hints().contains(hint)) {
            return;
        }
        Matcher matcher = pattern.pattern().matcher(line);
        if (!meant(matcher, pattern) || pattern.unless().map(u -> u.matcher(line).find()).orElse(false) || BYGONE.matcher(line).find()) {
            return;
        }
        Map<String, String> values = new HashMap<>();
        for (String name : pattern.pattern().namedGroups().keySet()) {
            Optional.ofNullable(matcher.group(name)).ifPresent(value -> values.put(name, value.strip()));
        }
        String subject = pattern.component().isEmpty() ? component : pattern.component();
        Sign sign = new Sign(pattern.sign(), about.of(subject), values, Optional.of(new Cited(document, at, shown)));
        open.add(new Open(sign, List.copyOf(before)));
    }

    /** Goes to the first place where the wording stands and its words are none of those that are excepted. */
    private static boolean meant(Matcher matcher, LinePattern pattern) {
        boolean found = matcher.find();
        while (found && pattern.except().isPresent() && pattern.except().get().matcher(matcher.group()).find()) {
            found = matcher.find();
        }
        return found;
    }

    private void follow(String shown) {
        if (open.isEmpty()) {
            return;
        }
        open.forEach(o -> o.after.add(shown));
        open.removeIf(o -> {
            boolean full = o.after.size() >= AROUND;
            if (full) {
                close(o);
            }
            return full;
        });
    }

    private void close(Open o) {
        Cited line = o.sign.line().orElseThrow();
        book.add(new Sign(o.sign.id(), o.sign.about(), o.sign.values(),
                Optional.of(new Cited(line.from(), line.number(), line.text(), o.before, o.after))));
    }

    /** Ends the document: what was found on its last lines is noted. */
    public void end() {
        open.forEach(this::close);
        open.clear();
        before.clear();
    }
}
