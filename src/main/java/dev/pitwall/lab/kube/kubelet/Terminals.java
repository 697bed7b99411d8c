package dev.pitwall.lab.kube.kubelet;

import java.util.List;
import java.util.Set;

/** Which command lines are a shell that reads what somebody types. */
final class Terminals {
    private static final Set<String> SHELLS = Set.of("sh", "bash", "ash", "dash");

    private Terminals() {
    }

    static boolean isPlainShell(List<String> words) {
        if (words.isEmpty()) {
            return false;
        }
        String first = words.getFirst();
        return SHELLS.contains(first.substring(first.lastIndexOf('/') + 1))
                && words.subList(1, words.size()).stream().allMatch(word -> word.matches("-[il]+|--login"));
    }
}
