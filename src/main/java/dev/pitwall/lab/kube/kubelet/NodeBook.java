package dev.pitwall.lab.kube.kubelet;

import dev.pitwall.lab.kube.control.Moments;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * One node's book of devices. Texts and rules are those of the kubelet's device manager. Touched only under the lock of
 * {@link Kubelets}.
 */
final class NodeBook implements DeviceBook {
    /** endpointStopGracePeriod: so long a resource stays in the capacity after its plugin has gone. */
    static final Duration GRACE = Duration.ofMinutes(5);

    private final InstantSource clock;
    private final Runnable changed;
    private final Map<String, Listed> resources = new TreeMap<>();

    /** A resource that a plugin has registered once. */
    private static final class Listed {
        /** By id, in the plugin's order, with their health. */
        Map<String, Boolean> devices = new LinkedHashMap<>();
        /** When its plugin went; {@link Instant#MAX} while it is there. */
        Instant gone = Instant.MAX;
        /** Forgotten after the grace, or at a boot: shown as 0. */
        boolean empty;
        /** Pod's uid, then container, then ids. */
        final Map<String, Map<String, List<String>>> held = new LinkedHashMap<>();

        long healthy() {
            return devices.values().stream().filter(healthy -> healthy).count();
        }
    }

    /** A container cannot have the devices it asks for. The message is the kubelet's. */
    static final class Refusal extends Exception {
        private static final long serialVersionUID = 1;

        Refusal(String message) {
            super(message, null, false, false);
        }
    }

    /** @param changed what to do when capacity or allocatable are others than before */
    NodeBook(InstantSource clock, Runnable changed) {
        this.clock = clock;
        this.changed = changed;
    }

    @Override
    public void register(String resource, Map<String, Boolean> devices) {
        Listed listed = resources.computeIfAbsent(resource, r -> new Listed());
        if (listed.gone.equals(Instant.MAX) && !listed.empty && listed.devices.equals(devices)) {
            return;
        }
        listed.devices = new LinkedHashMap<>(devices);
        listed.gone = Instant.MAX;
        listed.empty = false;
        changed.run();
    }

    @Override
    public void withdraw(String resource) {
        Listed listed = resources.get(resource);
        if (listed == null || !listed.gone.equals(Instant.MAX) || listed.empty) {
            return;
        }
        listed.devices.replaceAll((id, healthy) -> false);
        listed.gone = clock.instant();
        changed.run();
    }

    /** The machine has booted: what was registered is known by name only, until its plugin comes again. */
    void reboot() {
        resources.values().forEach(listed -> {
            listed.devices.clear();
            listed.held.clear();
            listed.gone = Instant.MAX;
            listed.empty = true;
        });
        changed.run();
    }

    /** Forgets devices whose plugin has been gone for too long. @return when to ask again */
    Instant expire(Instant now) {
        Instant next = Instant.MAX;
        for (Listed listed : resources.values()) {
            if (listed.gone.equals(Instant.MAX)) {
                continue;
            }
            Instant end = listed.gone.plus(GRACE);
            if (end.isAfter(now)) {
                next = Moments.earlier(next, end);
            } else {
                listed.devices.clear();
                listed.gone = Instant.MAX;
                listed.empty = true;
                changed.run();
            }
        }
        return next;
    }

    /** By resource; healthy and unhealthy together. */
    Map<String, Long> capacity() {
        Map<String, Long> counts = new TreeMap<>();
        resources.forEach((name, listed) -> counts.put(name, (long) listed.devices.size()));
        return counts;
    }

    /** By resource; the healthy ones. */
    Map<String, Long> allocatable() {
        Map<String, Long> counts = new TreeMap<>();
        resources.forEach((name, listed) -> counts.put(name, listed.healthy()));
        return counts;
    }

    @Override
    public List<String> free(String resource) {
        Listed listed = resources.get(resource);
        if (listed == null) {
            return List.of();
        }
        List<String> taken = listed.held.values().stream().flatMap(of -> of.values().stream()).flatMap(List::stream)
                .toList();
        return listed.devices.entrySet().stream().filter(Map.Entry::getValue).map(Map.Entry::getKey)
                .filter(id -> !taken.contains(id)).toList();
    }

    /** Devices of a container, by resource. */
    Map<String, List<String>> of(String uid, String container) {
        Map<String, List<String>> found = new TreeMap<>();
        resources.forEach((name, listed) -> {
            List<String> ids = listed.held.getOrDefault(uid, Map.of()).getOrDefault(container, List.of());
            if (!ids.isEmpty()) {
                found.put(name, ids);
            }
        });
        return found;
    }

    /**
     * Gives devices to a pod's containers, init containers first: what they had, the containers after them have.
     *
     * @param containers what each asks for, by resource, in the order of their start; init containers come first
     * @param inits      how many of them are init containers that end before the others start
     * @throws Refusal if one cannot be had; nothing is given then
     */
    void allocate(String uid, Map<String, Map<String, Long>> containers, Set<String> inits) throws Refusal {
        Map<String, List<String>> reusable = new HashMap<>();
        try {
            for (Map.Entry<String, Map<String, Long>> container : containers.entrySet()) {
                for (Map.Entry<String, Long> wanted : container.getValue().entrySet()) {
                    Listed listed = resources.get(wanted.getKey());
                    if (listed != null && wanted.getValue() > 0) {
                        List<String> left = reusable.computeIfAbsent(wanted.getKey(), r -> new ArrayList<>());
                        List<String> ids = choose(wanted.getKey(), listed, wanted.getValue(), left);
                        boolean passesOn = inits.contains(container.getKey());
                        left.removeIf(id -> !passesOn && ids.contains(id));
                        ids.stream().filter(id -> passesOn && !left.contains(id)).forEach(left::add);
                        listed.held.computeIfAbsent(uid, u -> new LinkedHashMap<>()).put(container.getKey(), ids);
                    }
                }
            }
        } catch (Refusal refusal) {
            release(uid);
            throw refusal;
        }
    }

    private List<String> choose(String resource, Listed listed, long wanted, List<String> reusable) throws Refusal {
        if (listed.healthy() == 0) {
            throw new Refusal("no healthy devices present; cannot allocate unhealthy devices " + resource);
        }
        List<String> ids = new ArrayList<>(reusable.subList(0, (int) Math.min(wanted, reusable.size())));
        List<String> free = free(resource);
        if (ids.size() + free.size() < wanted) {
            throw new Refusal("requested number of devices unavailable for " + resource + ". Requested: "
                    + (wanted - ids.size()) + ", Available: " + free.size());
        }
        ids.addAll(free.subList(0, (int) (wanted - ids.size())));
        return List.copyOf(ids);
    }

    /** The pod has come to its end. */
    void release(String uid) {
        resources.values().forEach(listed -> listed.held.remove(uid));
    }
}
