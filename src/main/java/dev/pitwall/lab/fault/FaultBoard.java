package dev.pitwall.lab.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.lab.world.LabFault;
import dev.pitwall.lab.world.Wiring;
import dev.pitwall.lab.world.World;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/**
 * Switches faults on and off. A fault changes the world and objects of the cluster; what it shows is what controllers,
 * kubelets and programs make of that. One that is switched off leaves what it changed as it would be without it: later
 * faults that changed the same are taken back first and put on again after it.
 */
public final class FaultBoard {
    private static final String WHERE = "practice lab";
    /** From the edits to those that come {@code later} and to the restarts: the controllers do their part meanwhile. */
    private static final Duration LATER = Duration.ofSeconds(10);
    /** Until pods that a kubelet has refused are replaced, after a boot too. */
    private static final Duration REPLACED = Duration.ofMinutes(1);
    private static final String DRIVER_LOADED = "driver-loaded";

    private final World world;
    private final List<FaultData> data = FaultData.all();
    private final Map<String, FaultEffect> effects = new HashMap<>();
    /** Newest first. */
    private final Deque<Active> active = new ArrayDeque<>();
    private ClusterEdits cluster = ClusterEdits.NONE;
    private InstantSource clock;

    /**
     * A fault there is.
     *
     * @param trap    its name in the trap vocabulary
     * @param on      what it strikes: {@code host}, {@code card}, {@code node} or {@code cluster}
     * @param summary one line for people
     * @param cards   ids of the cards it can strike now
     */
    public record Known(String trap, String on, String summary, List<String> cards) {
    }

    private record Active(FaultData data, LabFault fault, String card, FaultScope scope, ClusterPart cluster) {
        Optional<String> node() {
            return scope.node().map(node -> node.name);
        }
    }

    public FaultBoard(World world) {
        this.world = world;
        this.clock = world.clock();
        effects.putAll(HostFaults.all());
        effects.putAll(VmFaults.all());
        effects.putAll(NodeFaults.all());
        effects.putAll(ModelFaults.all());
        data.forEach(fault -> effects.computeIfAbsent(fault.trap(), trap -> FaultEffect.none()));
    }

    /**
     * The cluster that faults change; without one, only what they change in the world happens.
     *
     * @param time the cluster's, which is in the past while that is lived through
     */
    public void cluster(ClusterEdits edits, InstantSource time) {
        cluster = edits;
        clock = time;
    }

    /** The faults that this world can express as it is now. */
    public List<Known> possible() {
        return world.read(w -> {
            List<FaultScope> scopes = w.cards.keySet().stream().map(this::scope).toList();
            return data.stream().map(fault -> new Known(fault.trap(), fault.on(), fault.summary(), scopes.stream()
                            .filter(scope -> fits(fault, scope)).map(scope -> scope.card().id).toList()))
                    .filter(fault -> !fault.cards().isEmpty()).toList();
        });
    }

    /**
     * How long before the lab's present a fault was there that is there from the start.
     *
     * @throws TroubleException if there is no such fault or card, or the scene cannot express it; says what there is
     */
    public Duration lead(String trap, Optional<String> card) throws TroubleException {
        FaultData fault = find(trap);
        Optional<TroubleException> trouble = world.read(w -> target(w, fault, card).trouble());
        if (trouble.isPresent()) {
            throw trouble.get();
        }
        return fault.lead();
    }

    /**
     * Switches a fault on; one that is on for the card already stays as it is.
     *
     * @param card empty for the first that fits
     * @throws TroubleException if there is no such fault or card, or the scene cannot express it; says what there is
     */
    public void on(String trap, Optional<String> card) throws TroubleException {
        FaultData fault = find(trap);
        AtomicReference<Optional<TroubleException>> refused = new AtomicReference<>(Optional.empty());
        world.change(w -> refused.set(start(w, fault, card)));
        if (refused.get().isPresent()) {
            throw refused.get().get();
        }
    }

    /** Switches a fault off, on whichever cards it is; without effect if it is not on. */
    public void off(String trap) {
        off(trap, Optional.empty());
    }

    /** Switches a fault off on one card, or, without one, on all. */
    public void off(String trap, Optional<String> card) {
        world.change(w -> {
            List<Active> off = active.stream().filter(a -> matches(a, trap, card)).toList();
            List<Active> inTheWay = inTheWay(off);
            Deque<Active> again = new ArrayDeque<>();
            for (Active each : List.copyOf(active)) {
                boolean goes = off.contains(each);
                if (goes || inTheWay.contains(each)) {
                    each.cluster.takeBack();
                    each.scope.takeBack();
                    active.remove(each);
                    w.faults.remove(each.fault);
                }
                if (!goes && inTheWay.contains(each)) {
                    again.push(each);
                }
            }
            again.forEach(each -> {
                strike(w, each.data, each.fault, each.card, each.cluster);
                each.cluster.make();
            });
            sort(w);
            off.forEach(each -> repair(w, each));
            Wiring.renew(w);
        });
    }

    /** Later faults that changed something that one of these, or of those in their way, had changed before them. */
    private List<Active> inTheWay(List<Active> off) {
        List<Active> taken = new ArrayList<>();
        List.copyOf(active).reversed().forEach(each -> {
            if (off.contains(each) || taken.stream().anyMatch(before -> each.scope.overlaps(before.scope)
                    || each.cluster.overlaps(before.cluster))) {
                taken.add(each);
            }
        });
        taken.removeAll(off);
        return taken;
    }

    /** Those that were put on again are as old as before. */
    private void sort(World w) {
        List<Active> oldestFirst = List.copyOf(active).reversed().stream()
                .sorted(Comparator.comparing(each -> each.fault.since())).toList();
        active.clear();
        oldestFirst.forEach(active::push);
        w.faults.clear();
        oldestFirst.forEach(each -> w.faults.add(each.fault));
    }

    /** What the controllers do not do by themselves once the cause has gone. */
    private void repair(World w, Active off) {
        if (cluster == ClusterEdits.NONE || off.node().isEmpty()) {
            return;
        }
        EditReader reader = new EditReader(off.scope.words(), clock.instant());
        reader.read(off.data.repair().edits()).stream().filter(edit -> edit.fits(cluster))
                .forEach(edit -> edit.make(cluster));
        String node = off.node().get();
        plan(w, LATER, () -> {
            ClusterPart.restart(cluster, node, off.data.restart());
            ClusterPart.restart(cluster, node, off.data.repair().restart());
        });
        if (off.data.repair().refused()) {
            plan(w, REPLACED, () -> cluster.refused(node).forEach(pod -> cluster.delete(pod, ClusterEdits.Grace.OWN)));
        }
    }

    private void plan(World w, Duration in, Runnable act) {
        w.plan(clock.instant().plus(in), then -> act.run());
    }

    /**
     * Strikes from the list what has ended by itself: a driver that was to compile and has. Nothing is taken back, since
     * what came of it is how things are now.
     */
    public void settle() {
        if (world.read(w -> active.stream().anyMatch(this::isOver))) {
            world.change(w -> active.removeIf(each -> isOver(each) && w.faults.remove(each.fault)));
        }
    }

    private boolean isOver(Active fault) {
        String ends = fault.data.ends();
        if (ends.isEmpty()) {
            return false;
        }
        return ends.equals(DRIVER_LOADED)
                ? fault.scope.node().filter(node -> node.driver.equals("loaded")
                        && node.driverSince.isAfter(fault.fault.since())).isPresent()
                : fault.fault.since().plus(Duration.parse(ends)).isBefore(clock.instant());
    }

    private FaultData find(String trap) throws TroubleException {
        return data.stream().filter(fault -> fault.trap().equals(trap)).findFirst().orElseThrow(() ->
                missing("there is no fault '" + trap + "'", "Possible here: " + names(possible()) + "."));
    }

    /** @param trouble why there is none */
    private record Target(Optional<String> card, Optional<TroubleException> trouble) {
    }

    private Target target(World w, FaultData fault, Optional<String> wanted) {
        if (wanted.isPresent() && !w.cards.containsKey(wanted.get())) {
            return new Target(Optional.empty(), Optional.of(missing("there is no card '" + wanted.get() + "'",
                    "Cards here: " + (w.cards.isEmpty() ? "none" : String.join(", ", w.cards.keySet())) + ".")));
        }
        Optional<String> card = candidates(w, wanted).stream().filter(id -> fits(fault, scope(id))).findFirst();
        return new Target(card, card.isPresent() ? Optional.empty() : Optional.of(missing("the scene '" + w.scene
                + "' cannot express '" + fault.trap() + "'" + wanted.map(id -> " on " + id).orElse(""),
                "Possible here: " + names(possible()) + ".")));
    }

    private static Collection<String> candidates(World w, Optional<String> wanted) {
        return wanted.<Collection<String>>map(List::of).orElse(w.cards.keySet());
    }

    private Optional<TroubleException> start(World w, FaultData fault, Optional<String> wanted) {
        Collection<String> cards = candidates(w, wanted);
        if (active.stream().anyMatch(a -> a.data == fault && cards.contains(a.card))) {
            return Optional.empty();
        }
        Target target = target(w, fault, wanted);
        if (target.card().isEmpty()) {
            return target.trouble();
        }
        LabFault made = new LabFault(fault.trap(), target.card(), clock.instant());
        EditReader reader = new EditReader(scope(target.card().get()).words(), clock.instant());
        ClusterPart part = new ClusterPart(cluster, reader.read(fault.edits()), reader.read(fault.later()));
        Active struck = strike(w, fault, made, target.card().get(), part);
        Wiring.renew(w);
        try {
            part.make();
        } catch (EditRefused refused) {
            off(fault.trap(), target.card());
            return Optional.of(missing("the cluster does not take '" + fault.trap() + "': " + refused.getMessage(),
                    "Possible here: " + names(possible()) + "."));
        }
        follow(w, struck);
        return Optional.empty();
    }

    private Active strike(World w, FaultData fault, LabFault made, String card, ClusterPart part) {
        FaultScope scope = scope(card);
        if (stillFits(fault, scope)) {
            effects.get(fault.trap()).effect().accept(scope);
            new WorldPart(world(fault, scope)).strike(scope);
        }
        Active struck = new Active(fault, made, card, scope, part);
        active.push(struck);
        w.faults.add(made);
        return struck;
    }

    /** Edits and restarts that come a little later, unless the fault is off by then. */
    private void follow(World w, Active struck) {
        FaultData fault = struck.data;
        boolean more = !fault.later().isMissingNode() || !fault.restart().isEmpty();
        if (cluster == ClusterEdits.NONE || !more) {
            return;
        }
        plan(w, LATER, () -> active.stream().filter(each -> each.fault == struck.fault).findFirst().ifPresent(each -> {
            try {
                each.cluster.makeLater();
            } catch (EditRefused refused) {
                // What an administrator would see is all that is left of it: the object is not there.
            }
            each.node().ifPresent(node -> ClusterPart.restart(cluster, node, fault.restart()));
        }));
    }

    /** The world part with its words filled in, and with the pods that are not to end found. */
    private JsonNode world(FaultData fault, FaultScope scope) {
        JsonNode change = new EditReader(scope.words(), clock.instant()).filled(fault.world());
        if (change.path("stuck") instanceof ObjectNode labels && change instanceof ObjectNode object) {
            ArrayNode names = object.arrayNode();
            Map<String, String> wanted = new TreeMap<>();
            labels.properties().forEach(label -> wanted.put(label.getKey(), label.getValue().asText()));
            scope.node().map(node -> node.name).stream().flatMap(node -> cluster.pods(node, wanted).stream())
                    .forEach(pod -> names.add(pod.namespace() + "/" + pod.name()));
            object.set("stuck", names);
        }
        return change;
    }

    private FaultScope scope(String card) {
        return new FaultScope(world, world.cards.get(card), clock);
    }

    private boolean stillFits(FaultData fault, FaultScope scope) {
        return FaultNeeds.hold(fault.needs(), scope, cluster) && effects.get(fault.trap()).fits().test(scope);
    }

    private boolean fits(FaultData fault, FaultScope scope) {
        return stillFits(fault, scope) && (cluster == ClusterEdits.NONE
                || new EditReader(scope.words(), clock.instant()).read(fault.edits()).stream()
                .allMatch(edit -> edit.fits(cluster)));
    }

    private static boolean matches(Active fault, String trap, Optional<String> card) {
        return fault.fault.trap().equals(trap) && card.map(fault.card::equals).orElse(true);
    }

    private static String names(List<Known> faults) {
        return faults.stream().map(Known::trap).sorted().collect(Collectors.joining(", "));
    }

    private static TroubleException missing(String what, String next) {
        return new TroubleException(new Trouble(Trouble.Kind.MISSING, WHERE, what, next));
    }
}
