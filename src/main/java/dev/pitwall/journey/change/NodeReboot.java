package dev.pitwall.journey.change;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The machine of a node is rebooted. Its pods leave before where they can run elsewhere; it is done when the kernel's
 * boot id is another one, the node is ready with that boot, and takes pods again if it took some before.
 *
 * @param machine its shell in the site
 * @param vm      the VM that it is the inside of, as {@code pve1/121}; empty text for a machine of its own
 * @param drain   empty where there is no cluster to ask, or no other node that could take the pods
 * @param stops   pods that go down and come up with the machine, because nothing else could take them
 * @param takes   how long it is usually away
 * @param limit   how long it is waited for
 */
public record NodeReboot(String machine, String vm, Optional<Drain> drain, List<Drain.Pod> stops, Duration takes, Duration limit)
        implements Change {

    public NodeReboot {
        stops = List.copyOf(stops);
    }

    /** Of a machine of its own, or one whose VM is not known. */
    public NodeReboot(String machine, Optional<Drain> drain, List<Drain.Pod> stops, Duration takes, Duration limit) {
        this(machine, "", drain, stops, takes, limit);
    }

    @Override
    public String system() {
        return machine;
    }

    @Override
    public String target() {
        return drain.map(d -> "Drain and reboot " + d.node()).orElse("Reboot " + machine);
    }

    @Override
    public String summary() {
        String pods = NodeDown.summary(List.of(new NodeDown(machine, NodeDown.MACHINE, drain, stops)));
        return pods.isEmpty() ? "no pod has to leave" : pods;
    }

    @Override
    public Risk risk() {
        return Risk.DRAINS_NODE;
    }

    @Override
    public Optional<String> undo() {
        return Optional.of("undo reboots it again");
    }

    @Override
    public Optional<Duration> usual() {
        return Optional.of(takes);
    }
}
