package dev.pitwall.journey.change;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A host is rebooted, which first shuts its guests down. It is done when the kernel's boot id is another one and the
 * host answers; a lost connection proves nothing. Of guests that are nodes the pods leave before where they can run
 * elsewhere; those nodes have to be ready again too.
 *
 * @param stops the guests that run now and therefore stop, in the order of their ids
 * @param nodes the nodes of the cluster that go down with it
 * @param takes how long the host is usually away
 * @param limit how long it is waited for
 */
public record HostReboot(String host, List<Guest> stops, List<NodeDown> nodes, Duration takes, Duration limit)
        implements Change {

    /**
     * A VM or container.
     *
     * @param id     its vmid
     * @param onboot true if it starts with the host
     */
    public record Guest(int id, String name, boolean onboot) {
    }

    public HostReboot {
        stops = List.copyOf(stops);
        nodes = List.copyOf(nodes);
    }

    /** Of a host on which no node of a cluster lives. */
    public HostReboot(String host, List<Guest> stops, Duration takes, Duration limit) {
        this(host, stops, List.of(), takes, limit);
    }

    @Override
    public String system() {
        return host;
    }

    @Override
    public String target() {
        return "Reboot " + host;
    }

    @Override
    public String summary() {
        String guests = switch (stops.size()) {
            case 0 -> "no guest runs on it";
            case 1 -> "1 guest stops";
            default -> stops.size() + " guests stop";
        };
        String pods = NodeDown.summary(nodes);
        return pods.isEmpty() ? guests : guests + ", " + pods;
    }

    @Override
    public Risk risk() {
        return Risk.REBOOTS_HOST;
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
