package dev.pitwall.lab.kube.control.workload;

import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;

/** Completion indexes as a Job's status has them: {@code 0-2,5}. */
final class Indexes {
    private Indexes() {
    }

    /** @param limit indexes from here on do not count */
    static Set<Integer> parse(String text, int limit) {
        Set<Integer> indexes = new TreeSet<>();
        for (String part : text.split(",")) {
            String[] ends = part.split("-", 2);
            if (!part.isEmpty()) {
                int last = Math.min(Integer.parseInt(ends[ends.length - 1]), limit - 1);
                for (int index = Integer.parseInt(ends[0]); index <= last; index++) {
                    indexes.add(index);
                }
            }
        }
        return indexes;
    }

    static String format(Set<Integer> indexes) {
        StringJoiner text = new StringJoiner(",");
        TreeSet<Integer> left = new TreeSet<>(indexes);
        while (!left.isEmpty()) {
            int first = left.pollFirst();
            int last = first;
            while (left.remove(last + 1)) {
                last++;
            }
            // A dash stands between the ends of three and more; two neighbours have a comma.
            text.add(last == first ? "" + first : last == first + 1 ? first + "," + last : first + "-" + last);
        }
        return text.toString();
    }
}
