package dev.pitwall.lab.talos;

import java.util.List;

/** What differs between two texts, as one hunk of a unified diff from the first to the last line that changed. */
final class LineDiff {
    private static final int AROUND = 3;

    private LineDiff() {
    }

    /** @return empty if nothing differs */
    static String of(String before, String after) {
        List<String> a = before.lines().toList();
        List<String> b = after.lines().toList();
        int head = 0;
        while (head < Math.min(a.size(), b.size()) && a.get(head).equals(b.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < Math.min(a.size(), b.size()) - head
                && a.get(a.size() - 1 - tail).equals(b.get(b.size() - 1 - tail))) {
            tail++;
        }
        if (head + tail == a.size() && a.size() == b.size()) {
            return "";
        }
        int from = Math.max(0, head - AROUND);
        int more = Math.min(AROUND, tail);
        int aTo = a.size() - tail;
        int bTo = b.size() - tail;
        StringBuilder out = new StringBuilder("--- a\n+++ b\n").append(String.format("@@ -%d,%d +%d,%d @@%n", from + 1,
                aTo + more - from, from + 1, bTo + more - from));
        a.subList(from, head).forEach(line -> out.append(' ').append(line).append('\n'));
        a.subList(head, aTo).forEach(line -> out.append('-').append(line).append('\n'));
        b.subList(head, bTo).forEach(line -> out.append('+').append(line).append('\n'));
        a.subList(aTo, aTo + more).forEach(line -> out.append(' ').append(line).append('\n'));
        return out.toString();
    }
}
