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
 * @param which   of them
 * @param takes   how long they usually take to go
 * @param limit   how long they may take
 */
public record PodRestart(String cluster, List<Pod> pods, Which which, Duration takes, Duration limit, String summary)
        implements Change {

    /** Which of the pods go. */
    public enum Which {
        ALL,
        /**
         * Those that their kubelet refuses when the node has booted: it admits the pods that it had before its device plugin has
         * told it of a card (facts: cluster.md 7.1). The others begin anew by themselves.
         */
        REFUSED
    }

    public PodRestart {
        // What was noted before there was a choice was about all of them.
        which = which == null ? Which.ALL : which;
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
     * @param began when its containers began, as the object had it; other times show that it has begun anew since
     */
    public record Pod(String namespace, String name, String uid, String owner, String began) {
        public Pod {
            began = began == null ? "" : began;
        }

        /** One that goes in any case. */
        public Pod(String namespace, String name, String uid, String owner) {
            this(namespace, name, uid, owner, "");
        }

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

    /** All of them. */
    public PodRestart(String cluster, List<Pod> pods, Duration takes, Duration limit, String summary) {
        this(cluster, pods, Which.ALL, takes, limit, summary);
    }

    @Override
    public String target() {
        return switch (which) {
            case ALL -> "restart " + names();
            case REFUSED -> "after the boot, restart what is refused of " + names();
        };
    }

    /** For example {@code gpu-operator/nvidia-driver-daemonset-x7k2p, llm/ollama-a-0}. */
    public String names() {
        return pods.stream().map(Pod::place).collect(Collectors.joining(", "));
    }

    /** One pod a line, with what makes it again. */
    public String lines() {
        return pods.stream().map(p -> "delete pod " + p.place() + (which == Which.REFUSED ? "  # if its kubelet refuses it;" : "  #")
                        + " made again by " + p.owner() + "\n")
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
