package dev.pitwall.read;

import java.util.ArrayList;
import java.util.List;

/** Collects what a reader could not take, each with its line, while it reads. */
final class Notes {

    private static final int MOST = 20;

    private final List<String> notes = new ArrayList<>();
    private int more;

    /** Something of this line was left out. */
    void line(Text.Line line, String what) {
        add("line " + line.number() + ": " + what);
    }

    void add(String note) {
        if (notes.contains(note)) {
            return;
        }
        if (notes.size() < MOST) {
            notes.add(note);
        } else {
            more++;
        }
    }

    /** A value at the end of a line that has no line end. */
    void openEnd(Text.Line line) {
        line(line, line.text().length() == Text.LONGEST_LINE ? "the line is too long; its end was left out"
                : "the text stops here without a line end; a word that may be cut was left out");
    }

    List<String> list() {
        List<String> all = new ArrayList<>(notes);
        if (more > 0) {
            all.add("and " + more + " more like these");
        }
        return List.copyOf(all);
    }
}
