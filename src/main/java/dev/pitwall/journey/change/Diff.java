package dev.pitwall.journey.change;

import java.util.ArrayList;
import java.util.List;

/** Compares two texts line by line: the longest common sequence stays, everything else went or came. */
public final class Diff {

    /** Above this product of line counts the middle part is shown as replaced: the table would need too much memory. */
    private static final long LARGEST_TABLE = 4_000_000;

    private final List<String> before;
    private final List<String> after;
    private final List<DiffLine> result = new ArrayList<>();

    private Diff(List<String> before, List<String> after) {
        this.before = before;
        this.after = after;
    }

    /** All lines of both texts, in order; a text without a last line end has that line all the same. */
    public static List<DiffLine> of(String before, String after) {
        return new Diff(before.lines().toList(), after.lines().toList()).compare();
    }

    private List<DiffLine> compare() {
        int shorter = Math.min(before.size(), after.size());
        int head = 0;
        while (head < shorter && before.get(head).equals(after.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < shorter - head
                && before.get(before.size() - 1 - tail).equals(after.get(after.size() - 1 - tail))) {
            tail++;
        }
        same(0, head);
        middle(head, before.size() - tail, after.size() - tail);
        same(after.size() - tail, after.size());
        return List.copyOf(result);
    }

    private void same(int from, int to) {
        for (int i = from; i < to; i++) {
            result.add(new DiffLine(DiffLine.Sign.SAME, i + 1, after.get(i)));
        }
    }

    private void middle(int from, int beforeEnd, int afterEnd) {
        int b = from;
        int a = from;
        if ((long) (beforeEnd - from) * (afterEnd - from) <= LARGEST_TABLE) {
            int[][] common = commonLengths(from, beforeEnd, afterEnd);
            while (b < beforeEnd && a < afterEnd) {
                if (before.get(b).equals(after.get(a))) {
                    same(a, a + 1);
                    b++;
                    a++;
                } else if (common[b - from + 1][a - from] >= common[b - from][a - from + 1]) {
                    removed(b++);
                } else {
                    added(a++);
                }
            }
        }
        while (b < beforeEnd) {
            removed(b++);
        }
        while (a < afterEnd) {
            added(a++);
        }
    }

    /** Length of the longest common sequence of the rests from each pair of places on. */
    private int[][] commonLengths(int from, int beforeEnd, int afterEnd) {
        int[][] common = new int[beforeEnd - from + 1][afterEnd - from + 1];
        for (int b = beforeEnd - 1; b >= from; b--) {
            for (int a = afterEnd - 1; a >= from; a--) {
                common[b - from][a - from] = before.get(b).equals(after.get(a))
                        ? common[b - from + 1][a - from + 1] + 1
                        : Math.max(common[b - from + 1][a - from], common[b - from][a - from + 1]);
            }
        }
        return common;
    }

    private void removed(int index) {
        result.add(new DiffLine(DiffLine.Sign.REMOVED, index + 1, before.get(index)));
    }

    private void added(int index) {
        result.add(new DiffLine(DiffLine.Sign.ADDED, index + 1, after.get(index)));
    }
}
