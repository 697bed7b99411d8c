package dev.pitwall.journey.change;

import java.util.List;
import java.util.Optional;

/**
 * A node of the cluster that goes down with the machine that it runs on.
 *
 * @param node  its name in the cluster
 * @param vmid  the VM that it is; {@link #MACHINE} for a machine of its own
 * @param drain what leaves it before; empty where its pods go down with it
 * @param stops pods that go down and come up with it
 */
public record NodeDown(String node, int vmid, Optional<Drain> drain, List<Drain.Pod> stops) {
    /** No VM has this id. */
    public static final int MACHINE = 0;

    public NodeDown {
        stops = List.copyOf(stops);
    }

    /** The pods that leave it. */
    public List<Drain.Pod> leaves() {
        return drain.map(Drain::pods).orElse(List.of());
    }

    /** The pods of which something is lost. */
    public List<Drain.Pod> losing() {
        return drain.map(Drain::losing).orElse(List.of());
    }

    /** How many pods leave and how many stop, for example {@code 3 pods leave before}; empty text where there are none. */
    static String summary(List<NodeDown> nodes) {
        int leave = nodes.stream().mapToInt(n -> n.leaves().size()).sum();
        int stop = nodes.stream().mapToInt(n -> n.stops().size()).sum();
        String leaving = leave == 0 ? "" : pods(leave) + (leave == 1 ? " leaves" : " leave") + " before";
        String stopping = stop == 0 ? "" : pods(stop) + (stop == 1 ? " stops and starts" : " stop and start") + " with it";
        return leaving + (leaving.isEmpty() || stopping.isEmpty() ? "" : ", ") + stopping;
    }

    private static String pods(int count) {
        return count == 1 ? "1 pod" : count + " pods";
    }
}
