package dev.pitwall.journey.change;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Pods are deleted, so that whoever made them makes them again: they begin anew with what is there now. It is done when
 * none of them is there any more. There is nothing to take back.
 *
 * @param cluster the cluster in the site
 * @param pods    at least one
 * @param takes   how long they usually take to go
 * @param limit   how long they may take
 */
public record PodRestart(String cluster, List<Pod> pods, Duration takes, Duration limit, String summary) implements Change {
    public PodRestart {
        pods = List.copyOf(pods);
        if (pods.isEmpty()) {
            throw new IllegalArgumentException("no pod to restart");
        }
    }

    /**
     * A pod that goes.
     *
     * @param uid   a pod of the same name with another one is the new pod
     * @param owner what makes it again, for example {@code DaemonSet nvidia-driver-daemonset}
     */
    public record Pod(String namespace, String name, String uid, String owner) {

        public ObjectRef ref() {
            return new ObjectRef(ObjectType.POD, namespace, name);
        }

        /** {@code namespace/name}. */
        public String place() {
            return namespace + "/" + name;
        }
    }

    @Override
    public String system() {
        return cluster;
    }

    @Override
    public String target() {
        return "restart " + names();
    }

    /** For example {@code gpu-operator/nvidia-driver-daemonset-x7k2p, llm/ollama-a-0}. */
    public String names() {
        return pods.stream().map(Pod::place).collect(Collectors.joining(", "));
    }

    /** One pod a line, with what makes it again. */
    public String lines() {
        return pods.stream().map(p -> "delete pod " + p.place() + "  # made again by " + p.owner() + "\n")
                .collect(Collectors.joining());
    }

    @Override
    public Risk risk() {
        return Risk.RESTARTS_PODS;
    }

    @Override
    public Optional<String> undo() {
        return Optional.empty();
    }

    @Override
    public Optional<Duration> usual() {
        return Optional.of(takes);
    }
}
