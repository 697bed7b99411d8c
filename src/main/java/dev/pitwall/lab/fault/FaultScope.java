package dev.pitwall.lab.fault;

import dev.pitwall.lab.world.GuestDriver;
import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabPci;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.Wiring;
import dev.pitwall.lab.world.World;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What a fault may look at and change: the card it was aimed at and what belongs to it. Every change is noted with
 * what was there, so that it can be taken back. Used only inside {@link World#change}.
 */
final class FaultScope {
    private final World world;
    private final LabCard card;
    private final InstantSource clock;
    private final Deque<Runnable> undo = new ArrayDeque<>();
    private final Set<Place> places = new HashSet<>();
    /** As they were before the fault, which may take the card from its VM. */
    private final Optional<LabVm> vm;
    private final Optional<LabNode> node;

    /** One thing that can be changed: a field of an object, or an entry of a map. */
    private record Place(int owner, Object what) {
        static Place of(Object owner, Object what) {
            return new Place(System.identityHashCode(owner), what);
        }
    }

    /** @param clock the cluster's, which at the lab's start is in the past */
    FaultScope(World world, LabCard card, InstantSource clock) {
        this.world = world;
        this.card = card;
        this.clock = clock;
        this.vm = configured(world, card);
        this.node = vm.flatMap(this::nodeOf).or(() -> world.nodes.values().stream()
                .filter(each -> each.vmid == 0 && each.host.equals(card.host)).findFirst());
    }

    private Optional<LabVm> configured(World world, LabCard card) {
        List<LabVm> configured = world.vms.values().stream()
                .filter(each -> each.host.equals(card.host) && Wiring.held(world, each, each.config).contains(card))
                .toList();
        return configured.stream().filter(each -> nodeOf(each).isPresent()).findFirst()
                .or(() -> configured.stream().findFirst());
    }

    World world() {
        return world;
    }

    Instant now() {
        return clock.instant();
    }

    LabCard card() {
        return card;
    }

    LabHost host() {
        return world.hosts.get(card.host);
    }

    /** The VM that is configured with the card and runs a node, else the first that is configured with it. */
    Optional<LabVm> vm() {
        return vm;
    }

    /** The node that uses the card, or would if its VM ran. */
    Optional<LabNode> node() {
        return node;
    }

    /** The model server on the card. */
    Optional<LabModelServer> server() {
        return world.servers.values().stream().filter(server -> server.card.equals(card.id)).findFirst();
    }

    /** What the data of a fault may name in braces. */
    Map<String, String> words() {
        Map<String, String> words = new HashMap<>();
        words.put("card", card.id);
        words.put("uuid", card.uuid);
        words.put("product", card.product);
        words.put("operator", world.kubernetes.operatorNamespace());
        node.ifPresent(each -> {
            String taint = taint(each);
            words.put("node", each.name);
            words.put("taint", taint);
            words.put("other", taint.equals("present") ? "true" : "present");
        });
        server().ifPresent(server -> {
            words.put("server", server.name);
            words.put("serverNamespace", server.namespace);
        });
        return words;
    }

    private static String taint(LabNode node) {
        String prefix = "nvidia.com/gpu=";
        return node.taints.stream().filter(taint -> taint.startsWith(prefix))
                .map(taint -> taint.substring(prefix.length()).replaceFirst(":.*", "")).findFirst().orElse("true");
    }

    /** The card's functions on its host, function 0 first. */
    List<LabPci> functions() {
        return host().pci.stream().filter(function -> function.address.startsWith(card.slot + ".")).toList();
    }

    /** @param owner and {@code field} say what it is, so that two faults that change the same are known */
    <T> void set(Object owner, String field, Supplier<T> get, Consumer<T> set, T value) {
        places.add(Place.of(owner, field));
        T was = get.get();
        undo.push(() -> set.accept(was));
        set.accept(value);
    }

    <K, V> void put(Map<K, V> map, K key, V value) {
        noteEntry(map, key);
        map.put(key, value);
    }

    <K, V> void remove(Map<K, V> map, K key) {
        noteEntry(map, key);
        map.remove(key);
    }

    <T> void add(Set<T> set, T item) {
        places.add(Place.of(set, item));
        if (set.add(item)) {
            undo.push(() -> set.remove(item));
        }
    }

    /** Other contents of a list that nobody but faults changes. */
    <T> void replace(List<T> list, List<T> content) {
        places.add(Place.of(list, ""));
        List<T> was = List.copyOf(list);
        undo.push(() -> {
            list.clear();
            list.addAll(was);
        });
        list.clear();
        list.addAll(content);
    }

    /** One more item; taking back leaves what others have added. */
    <T> void append(List<T> list, T item) {
        list.add(item);
        undo.push(() -> list.remove(item));
    }

    /** Stops a VM, as when it could not be started. It goes on where it was, unless somebody has started it meanwhile. */
    void stop(LabVm vm) {
        places.add(Place.of(vm, "status"));
        vm.running.keySet().forEach(key -> places.add(Place.of(vm.running, key)));
        String status = vm.status;
        Map<String, String> running = Map.copyOf(vm.running);
        vm.status = "stopped";
        vm.running.clear();
        undo.push(() -> {
            if (vm.status.equals("stopped")) {
                vm.status = status;
                vm.running.clear();
                vm.running.putAll(running);
            }
        });
    }

    /** Another NVIDIA module, or none; taken back, the one that was there is loaded again unless it has come by itself. */
    void driver(LabNode node, Runnable change) {
        places.add(Place.of(node, "driver"));
        String state = node.driver;
        String version = node.driverVersion;
        GuestDriver.Source source = node.driverSource;
        Instant since = node.driverSince;
        undo.push(() -> {
            switch (state) {
                case "loaded" -> GuestDriver.load(world, node, version, source, since);
                case "failed" -> GuestDriver.fail(world, node, version, source, since);
                case "absent" -> GuestDriver.unload(world, node, since);
                default -> {
                    // It was on its way, and goes on by itself.
                }
            }
        });
        change.run();
    }

    /** Something that happens and cannot unhappen. */
    void undoWith(Runnable repair) {
        undo.push(repair);
    }

    /** Everything as it was. */
    void takeBack() {
        while (!undo.isEmpty()) {
            undo.pop().run();
        }
    }

    /** True if both have changed the same thing, so that they must be taken back in the order they came. */
    boolean overlaps(FaultScope other) {
        return !Collections.disjoint(places, other.places);
    }

    private <K, V> void noteEntry(Map<K, V> map, K key) {
        places.add(Place.of(map, key));
        Optional<V> was = Optional.ofNullable(map.get(key));
        undo.push(() -> was.ifPresentOrElse(value -> map.put(key, value), () -> map.remove(key)));
    }

    private Optional<LabNode> nodeOf(LabVm vm) {
        return world.nodes.values().stream().filter(node -> node.vmid == vm.vmid).findFirst();
    }
}
