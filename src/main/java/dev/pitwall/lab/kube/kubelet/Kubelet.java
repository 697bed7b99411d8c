package dev.pitwall.lab.kube.kubelet;

import dev.pitwall.lab.kube.control.Moments;
import dev.pitwall.lab.kube.control.node.UnheardNode;
import dev.pitwall.lab.kube.store.ObjectKey;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The kubelet of one node: its pods, its images, its book of devices. Touched only under the lock of {@link Kubelets}. */
final class Kubelet {
    private static final int FIRST_HOST = 2;
    private static final int LAST_HOST = 254;

    private final Surroundings around;
    private final NodeBook book;
    private final NodeObject object;
    private final String network;
    private final Map<ObjectKey, PodRecord> records = new LinkedHashMap<>();
    /** Pods whose programs look at the world. */
    private final Set<PodRecord> worldly = new LinkedHashSet<>();
    private final Set<String> images = new HashSet<>();
    private final Set<String> addresses = new HashSet<>();
    private Machine machine;
    private int lastHost = FIRST_HOST - 1;
    private boolean works;
    private boolean touched;
    private boolean capacityChanged;
    private Instant boot = Instant.MIN;
    private Instant silentSince = Instant.MAX;

    Kubelet(Surroundings around, Machine machine, int index) {
        this.around = around;
        this.machine = machine;
        this.book = new NodeBook(around.clock(), () -> capacityChanged = true);
        this.object = new NodeObject(around, machine.name(), index, book);
        this.network = object.podNetwork(machine) + ".";
    }

    String name() {
        return machine.name();
    }

    Machine machine() {
        return machine;
    }

    NodeBook book() {
        return book;
    }

    /** The cluster's time. */
    Instant now() {
        return around.clock().instant();
    }

    Volumes volumes() {
        return around.volumes();
    }

    Set<String> images() {
        return images;
    }

    /** It runs and reaches the API server. */
    boolean works() {
        return works;
    }

    /** What runs here is to be looked at again. */
    void touch() {
        touched = true;
    }

    boolean isTouched() {
        return touched;
    }

    boolean takeTouched() {
        boolean was = touched;
        touched = false;
        return was;
    }

    Collection<PodRecord> worldly() {
        return List.copyOf(worldly);
    }

    void worldly(PodRecord record, boolean looks) {
        if (looks) {
            worldly.add(record);
        } else {
            worldly.remove(record);
        }
    }

    Collection<PodRecord> records() {
        return List.copyOf(records.values());
    }

    void add(PodRecord record) {
        records.put(record.key(), record);
        String address = record.facts().address();
        if (address.startsWith(network)) {
            addresses.add(address);
        }
        touch();
    }

    void remove(PodRecord record) {
        records.remove(record.key());
        worldly.remove(record);
        addresses.remove(record.facts().address());
        record.work().ifPresent(work -> addresses.remove(work.address));
        book.release(record.uid());
        touch();
    }

    /** An address of the node's pod network that no other pod here has. */
    String claimAddress() {
        for (int tries = FIRST_HOST; tries <= LAST_HOST; tries++) {
            lastHost = lastHost >= LAST_HOST ? FIRST_HOST : lastHost + 1;
            String address = network + lastHost;
            if (addresses.add(address)) {
                return address;
            }
        }
        return network + LAST_HOST;
    }

    void freeAddress(String address) {
        addresses.remove(address);
    }

    /** What the machine's state makes of the kubelet. */
    enum Turn { NOTHING, STARTED, BACK, BOOTED }

    /** Looks at the machine, keeps the node object up to date. */
    Turn see(Machine now, Instant time) {
        machine = now;
        boolean worked = works;
        works = now.works(time);
        if (works && !worked) {
            return arrive(time);
        }
        if (!works && worked) {
            silentSince = time;
        } else if (!works && boot.equals(Instant.MIN) && !now.on()) {
            boot = now.bootedAt();
            silentSince = now.bootedAt();
            object.register(now, time);
        }
        if (works && capacityChanged) {
            refresh(time);
        }
        return Turn.NOTHING;
    }

    private Turn arrive(Instant now) {
        boolean first = boot.equals(Instant.MIN);
        boolean booted = !first && !boot.equals(machine.bootedAt());
        boot = machine.bootedAt();
        silentSince = Instant.MAX;
        if (booted) {
            book.reboot();
        }
        object.register(machine, now);
        object.started(machine, booted, now);
        capacityChanged = false;
        return booted ? Turn.BOOTED : first ? Turn.STARTED : Turn.BACK;
    }

    /** Writes what programs have done to the book of devices. @return true if they have */
    boolean settle(Instant now) {
        if (!works || !capacityChanged) {
            return false;
        }
        refresh(now);
        return true;
    }

    private void refresh(Instant now) {
        capacityChanged = false;
        object.report(machine, now);
        touch();
    }

    /**
     * Heartbeats, leases, and what a node controller writes about a node that is not heard of.
     *
     * @return true if the node has just been given up
     */
    boolean beat(Instant now) {
        if (works) {
            book.expire(now);
            if (capacityChanged) {
                refresh(now);
            }
            object.beat(machine, now);
            return false;
        }
        return !silentSince.equals(Instant.MAX) && !silentSince.plus(UnheardNode.PATIENCE).isAfter(now)
                && object.giveUp(now);
    }

    /** When {@link #see} or {@link #beat} has something to do though nothing has changed. */
    Instant due(Instant now) {
        if (works) {
            return Moments.earlier(book.expire(now), object.nextBeat(now));
        }
        Instant start = machine.on() ? machine.kubeletSince() : Instant.MAX;
        Instant given = silentSince.equals(Instant.MAX) || object.isGivenUp() ? Instant.MAX
                : silentSince.plus(UnheardNode.PATIENCE);
        return Moments.earlier(start, given);
    }
}
