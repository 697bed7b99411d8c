package dev.pitwall.ui.change;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;

/** What of many lines shows first: those that matter with a few around them. The rest are gaps that can be opened. */
final class Excerpt {

    /**
     * A stretch of lines.
     *
     * @param from index of its first line
     * @param to   index after its last line
     */
    record Piece(int from, int to, Kind kind) {
        enum Kind { LINES, GAP }

        int size() {
            return to - from;
        }
    }

    private Excerpt() {
    }

    /**
     * @param around how many lines show before and after one that matters
     * @param most   no more lines than that show; where none matters, the first so many
     * @return pieces that together cover all lines, in order
     */
    static List<Piece> of(int lines, IntPredicate matters, int around, int most) {
        BitSet shown = new BitSet(lines);
        for (int i = 0; i < lines; i++) {
            if (matters.test(i)) {
                shown.set(Math.max(0, i - around), Math.min(lines, i + around + 1));
            }
        }
        if (shown.isEmpty()) {
            shown.set(0, lines);
        }
        closeSmallGaps(shown, lines);
        while (shown.cardinality() > most) {
            shown.clear(shown.previousSetBit(lines));
        }
        return pieces(shown, lines);
    }

    /** A gap of one line would take the room of the line itself. */
    private static void closeSmallGaps(BitSet shown, int lines) {
        for (int i = 0; i < lines; i++) {
            boolean before = i == 0 || shown.get(i - 1);
            boolean after = i == lines - 1 || shown.get(i + 1);
            if (!shown.get(i) && before && after) {
                shown.set(i);
            }
        }
    }

    private static List<Piece> pieces(BitSet shown, int lines) {
        List<Piece> pieces = new ArrayList<>();
        int from = 0;
        while (from < lines) {
            boolean here = shown.get(from);
            int to = here ? shown.nextClearBit(from) : shown.nextSetBit(from);
            to = to < 0 ? lines : Math.min(to, lines);
            pieces.add(new Piece(from, to, here ? Piece.Kind.LINES : Piece.Kind.GAP));
            from = to;
        }
        return List.copyOf(pieces);
    }
}
