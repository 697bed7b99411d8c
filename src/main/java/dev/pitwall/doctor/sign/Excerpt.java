package dev.pitwall.doctor.sign;

import java.util.ArrayList;
import java.util.List;

/**
 * What one of the things shows that a comparison rests on: some of its lines, with those marked that count.
 *
 * @param from  how a person finds it again: the command or file, and the object in it
 * @param lines in the order in which it has them
 */
public record Excerpt(String from, List<Line> lines) {
    private static final int MOST_SHOWN = 400;

    /** What a line is to the comparison. */
    public enum Weight { COUNTS, AROUND }

    /** @param number of the line in its document, from 1; 0 where lines have no numbers, as in an object of an API */
    public record Line(long number, String text, Weight weight) {
        public Line {
            text = text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "…" : text;
        }

        public boolean counts() {
            return weight == Weight.COUNTS;
        }
    }

    public Excerpt {
        lines = List.copyOf(lines);
    }

    /** A line that was found, with those around it. */
    public static Excerpt of(Cited cited) {
        List<Line> lines = new ArrayList<>();
        long first = cited.number() - cited.before().size();
        for (String before : cited.before()) {
            lines.add(new Line(cited.number() == 0 ? 0 : first++, before, Weight.AROUND));
        }
        lines.add(new Line(cited.number(), cited.text(), Weight.COUNTS));
        long next = cited.number();
        for (String after : cited.after()) {
            lines.add(new Line(cited.number() == 0 ? 0 : ++next, after, Weight.AROUND));
        }
        return new Excerpt(cited.from(), lines);
    }

    /** True if it shows nothing that counts, such as a text that was too long to be kept. */
    public boolean empty() {
        return lines.stream().noneMatch(Line::counts);
    }
}
