package dev.pitwall.cli.journey;

import dev.pitwall.journey.change.Diff;
import dev.pitwall.journey.change.DiffLine;
import dev.pitwall.journey.change.DiffLine.Sign;

import java.util.ArrayList;
import java.util.List;

/** What differs between two texts, with a few lines around it, in the form of {@code diff -u} without its file names. */
final class UnifiedDiff {
    private final List<DiffLine> all;
    private final int context;

    UnifiedDiff(String before, String after, int context) {
        this.all = Diff.of(before, after);
        this.context = context;
    }

    /** Empty where nothing differs. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        int next = 0;
        while (next < all.size()) {
            int change = changeFrom(next);
            if (change == all.size()) {
                break;
            }
            int end = endOfHunk(change);
            int start = Math.max(next, change - context);
            lines.add(head(start, end));
            all.subList(start, end).forEach(l -> lines.add(mark(l.sign()) + l.text()));
            next = end;
        }
        return lines;
    }

    private int changeFrom(int index) {
        int at = index;
        while (at < all.size() && all.get(at).sign() == Sign.SAME) {
            at++;
        }
        return at;
    }

    /** Changes that are no further from each other than their lines around them are one hunk. */
    private int endOfHunk(int change) {
        int end = change;
        int next = change;
        while (next < all.size() && next - end <= 2 * context) {
            end = next + 1;
            next = changeFrom(end);
        }
        return Math.min(all.size(), end + context);
    }

    private String head(int start, int end) {
        return "@@ -" + range(start, end, Sign.ADDED) + " +" + range(start, end, Sign.REMOVED) + " @@";
    }

    /** Of one side: all lines but those that only the other side has. */
    private String range(int start, int end, Sign other) {
        long above = all.subList(0, start).stream().filter(l -> l.sign() != other).count();
        long count = all.subList(start, end).stream().filter(l -> l.sign() != other).count();
        return (count == 0 ? above : above + 1) + (count == 1 ? "" : "," + count);
    }

    private static String mark(Sign sign) {
        return switch (sign) {
            case SAME -> " ";
            case ADDED -> "+";
            case REMOVED -> "-";
        };
    }
}
