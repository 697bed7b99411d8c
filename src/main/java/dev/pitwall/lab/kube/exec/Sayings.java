package dev.pitwall.lab.kube.exec;

import dev.pitwall.lab.ssh.shell.Wording;
import java.util.List;

/** Which shell of an image speaks when a command line is started. */
final class Sayings {
    private Sayings() {
    }

    static Wording of(Toolbox box, List<String> words) {
        return !words.isEmpty() && words.getFirst().endsWith("bash") ? Wording.BASH : box.shell();
    }
}
