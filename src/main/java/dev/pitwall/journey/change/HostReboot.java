package dev.pitwall.journey.change;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A host is rebooted, which first shuts its guests down. It is done when the kernel's boot id is another one and the
 * host answers; a lost connection proves nothing.
 *
 * @param stops the guests that run now and therefore stop, in the order of their ids
 * @param takes how long the host is usually away
 * @param limit how long it is waited for
 */
public record HostReboot(String host, List<Guest> stops, Duration takes, Duration limit) implements Change {

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
        return switch (stops.size()) {
            case 0 -> "no guest runs on it";
            case 1 -> "1 guest stops";
            default -> stops.size() + " guests stop";
        };
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
