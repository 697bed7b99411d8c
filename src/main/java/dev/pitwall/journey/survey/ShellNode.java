package dev.pitwall.journey.survey;

import java.util.Map;

/**
 * A node with a shell: Debian, Ubuntu, the RHEL family.
 *
 * @param machine the shell in the site
 * @param kernel  {@code uname -r}
 * @param release the values of {@code /etc/os-release}
 */
public record ShellNode(String name, String machine, String kernel, Map<String, String> release,
                        Map<String, Shown> shown) implements NodeSurvey {

    public ShellNode {
        release = Map.copyOf(release);
        shown = Map.copyOf(shown);
    }
}
