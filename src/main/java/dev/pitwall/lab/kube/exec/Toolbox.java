package dev.pitwall.lab.kube.exec;

import dev.pitwall.lab.ssh.shell.Wording;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is in an image besides its own program.
 *
 * @param shell       how its {@code sh} speaks
 * @param programs    that the lab runs
 * @param unserved    that are there, and that the lab does not run
 * @param merged      {@code /bin} is a link to {@code /usr/bin}
 * @param release     text of its {@code /etc/os-release}; empty for none
 * @param environment that it sets
 */
public record Toolbox(Wording shell, Set<String> programs, Set<String> unserved, boolean merged, String release,
                      Map<String, String> environment) {
    private static final List<String> FOLDERS = List.of("/usr/local/sbin/", "/usr/local/bin/", "/usr/sbin/",
            "/usr/bin/", "/sbin/", "/bin/");

    /** True for a program that can be started by this name or path. */
    public boolean has(String command) {
        String name = command.substring(command.lastIndexOf('/') + 1);
        String folder = command.substring(0, command.length() - name.length());
        return (folder.isEmpty() || FOLDERS.contains(folder)) && (programs.contains(name) || unserved.contains(name));
    }

    /** Where its programs are. */
    String folder() {
        return merged ? "/usr/bin/" : "/bin/";
    }
}
