package dev.pitwall.lab.fault;

import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabPci;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.Wiring;
import dev.pitwall.lab.world.World;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What a fault may look at and change: the card it was aimed at and what belongs to it. Every change is noted with
 * what was there, so that it can be taken back. Used only inside {@link World#change}.
 */
final class FaultScope {
    private final World world;
    private final LabCard card;
    private final Deque<Runnable> undo = new ArrayDeque<>();

    FaultScope(World world, LabCard card) {
        this.world = world;
        this.card = card;
    }

    World world() {
        return world;
    }

    LabCard card() {
        return card;
    }

    LabHost host() {
        return world.hosts.get(card.host);
    }

    /** The VM that is configured with the card and runs a node, else the first that is configured with it. */
    Optional<LabVm> vm() {
        List<LabVm> configured = world.vms.values().stream()
                .filter(vm -> vm.host.equals(card.host) && Wiring.held(world, vm, vm.config).contains(card)).toList();
        return configured.stream().filter(vm -> nodeOf(vm).isPresent()).findFirst()
                .or(() -> configured.stream().findFirst());
    }

    /** The node that uses the card, or would if its VM ran. */
    Optional<LabNode> node() {
        return vm().flatMap(this::nodeOf).or(() -> world.nodes.values().stream()
                .filter(node -> node.vmid == 0 && node.host.equals(card.host)).findFirst());
    }

    /** What edits of the cluster may name in braces. */
    Map<String, String> words() {
        Map<String, String> words = new HashMap<>();
        words.put("card", card.id);
        words.put("uuid", card.uuid);
        words.put("product", card.product);
        node().ifPresent(node -> words.put("node", node.name));
        return words;
    }

    /** The card's functions on its host, function 0 first. */
    List<LabPci> functions() {
        return host().pci.stream().filter(function -> function.address.startsWith(card.slot + ".")).toList();
    }

    <T> void set(Supplier<T> get, Consumer<T> set, T value) {
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

    <T> void replace(List<T> list, List<T> content) {
        List<T> was = new ArrayList<>(list);
        undo.push(() -> {
            list.clear();
            list.addAll(was);
        });
        list.clear();
        list.addAll(content);
    }

    /** Stops a VM, as when it could not be started. */
    void stop(LabVm vm) {
        set(() -> vm.status, status -> vm.status = status, "stopped");
        List.copyOf(vm.running.keySet()).forEach(key -> remove(vm.running, key));
    }

    /** Everything as it was. */
    void takeBack() {
        while (!undo.isEmpty()) {
            undo.pop().run();
        }
    }

    private <K, V> void noteEntry(Map<K, V> map, K key) {
        Optional<V> was = Optional.ofNullable(map.get(key));
        undo.push(() -> was.ifPresentOrElse(value -> map.put(key, value), () -> map.remove(key)));
    }

    private Optional<LabNode> nodeOf(LabVm vm) {
        return world.nodes.values().stream().filter(node -> node.vmid == vm.vmid).findFirst();
    }
}
