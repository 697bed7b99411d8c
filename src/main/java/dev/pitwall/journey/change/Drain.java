package dev.pitwall.journey.change;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Pods leave a node before its machine goes down: no new ones come, and those that are there are evicted as their
 * disruption budgets allow. Pods of DaemonSets and static pods stay and go down with it.
 *
 * @param cluster the cluster in the site
 * @param node    its name there
 * @param pods    those that leave
 * @param whom    which of them leave
 * @param limit   how long they may take
 */
public record Drain(String cluster, String node, List<Pod> pods, Whom whom, Duration limit) {

    /** Which pods leave; the others stop and start with the machine, and keep what they have on it. */
    public enum Whom {
        ALL,
        /** Only those of which nothing is lost. */
        UNHARMED;

        /** The pods that leave, of those that could. */
        public List<Pod> of(List<Pod> pods) {
            return switch (this) {
                case ALL -> pods;
                case UNHARMED -> pods.stream().filter(pod -> !pod.loses()).toList();
            };
        }
    }

    public Drain {
        pods = List.copyOf(pods);
    }

    /**
     * A pod that leaves.
     *
     * @param owner what makes it again elsewhere, for example {@code ReplicaSet ollama-7d9}; empty text for nothing
     * @param data  true if it has data on the node that go with it ({@code emptyDir})
     */
    public record Pod(String namespace, String name, String owner, boolean data) {

        /** True if something of it is lost: nobody makes it again, or its data go. */
        public boolean loses() {
            return owner.isEmpty() || data;
        }

        /** {@code namespace/name}. */
        public String place() {
            return namespace + "/" + name;
        }
    }

    /** The pods of which something is lost. */
    public List<Pod> losing() {
        return pods.stream().filter(Pod::loses).toList();
    }

    /** The command that does it by hand, word by word. */
    public List<String> command() {
        List<String> words = new ArrayList<>(List.of("kubectl", "drain", node, "--ignore-daemonsets"));
        if (pods.stream().anyMatch(Pod::data)) {
            words.add("--delete-emptydir-data");
        }
        if (pods.stream().anyMatch(p -> p.owner().isEmpty())) {
            words.add("--force");
        }
        return words;
    }

    /** The command after which the node takes pods again. */
    public List<String> reopening() {
        return List.of("kubectl", "uncordon", node);
    }

    /** For example {@code llm/ollama-a-0, web/web-7d9}. */
    public String names() {
        return pods.stream().map(Pod::place).collect(Collectors.joining(", "));
    }
}
