package dev.pitwall.lab.fault;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.lab.world.LabFault;
import dev.pitwall.lab.world.Wiring;
import dev.pitwall.lab.world.World;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/**
 * Switches faults on and off. A fault that is switched off leaves the world as it would be without it: faults that
 * came later are taken back first and put on again after it.
 */
public final class FaultBoard {
    private static final String COMPILING = "waiting-driver-compiling";
    private static final String WHERE = "practice lab";

    private final World world;
    private final List<Entry> known;
    private ClusterEdits cluster = ClusterEdits.NONE;
    private final Map<String, FaultEffect> effects = new HashMap<>();
    private final Deque<Active> active = new ArrayDeque<>();

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

    /** @param edits what it changes in the cluster; empty for nothing */
    private record Entry(String trap, String on, String summary, JsonNode edits) {
        private Entry {
            edits = edits == null ? MissingNode.getInstance() : edits;
        }

        Known on(List<String> cards) {
            return new Known(trap, on, summary, cards);
        }
    }

    private record Active(LabFault fault, String card, FaultScope scope, ClusterPart cluster) {
    }

    public FaultBoard(World world) {
        this.world = world;
        try (InputStream in = FaultBoard.class.getResourceAsStream("/lab/faults.yaml")) {
            known = new YAMLMapper().readValue(in, new TypeReference<List<Entry>>() { });
        } catch (IOException e) {
            throw new UncheckedIOException("lab/faults.yaml cannot be read", e);
        }
        effects.putAll(HostFaults.all());
        effects.putAll(VmFaults.all());
        effects.putAll(NodeFaults.all());
        known.forEach(fault -> effects.computeIfAbsent(fault.trap(), trap -> FaultEffect.onlyInCluster()));
    }

    /** The cluster that faults change; without one, only what they change in the world happens. */
    public void cluster(ClusterEdits edits) {
        cluster = edits;
    }

    /** The faults that this world can express as it is now. */
    public List<Known> possible() {
        return world.read(w -> known.stream().map(fault -> fault.on(w.cards.keySet().stream()
                .filter(card -> fits(fault.trap(), card)).toList())).filter(fault -> !fault.cards().isEmpty()).toList());
    }

    /**
     * Switches a fault on; one that is on for the card already stays as it is.
     *
     * @param card empty for the first that fits
     * @throws TroubleException if there is no such fault or card, or the scene cannot express it; says what there is
     */
    public void on(String trap, Optional<String> card) throws TroubleException {
        if (!effects.containsKey(trap)) {
            throw missing("there is no fault '" + trap + "'", "Possible here: " + names(possible()) + ".");
        }
        AtomicReference<Optional<TroubleException>> refused = new AtomicReference<>(Optional.empty());
        world.change(w -> refused.set(start(w, trap, card)));
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
            List<ClusterPart> again = inTheWay(off);
            off.forEach(a -> a.cluster.takeBack());
            Deque<Active> later = new ArrayDeque<>();
            while (active.stream().anyMatch(off::contains)) {
                Active last = active.pop();
                last.scope.takeBack();
                w.faults.remove(last.fault);
                if (!off.contains(last)) {
                    later.push(last);
                }
            }
            later.forEach(other -> strike(w, other.fault, other.card, other.cluster));
            again.reversed().forEach(ClusterPart::make);
            Wiring.renew(w);
        });
    }

    /** Takes back what later faults have changed in the same objects. @return what is to be made again, newest first */
    private List<ClusterPart> inTheWay(List<Active> off) {
        List<ClusterPart> taken = new ArrayList<>();
        int open = off.size();
        for (Active fault : active) {
            if (off.contains(fault)) {
                open--;
            } else if (open > 0 && off.stream().anyMatch(a -> a.cluster.overlaps(fault.cluster))) {
                fault.cluster.takeBack();
                taken.add(fault.cluster);
            }
        }
        return taken;
    }

    /**
     * Strikes from the list what has ended by itself: a driver that was to compile and has. Nothing is taken back, since
     * what came of it is how things are now.
     */
    public void settle() {
        if (world.read(w -> active.stream().anyMatch(FaultBoard::isOver))) {
            world.change(w -> active.removeIf(a -> isOver(a) && w.faults.remove(a.fault)));
        }
    }

    private static boolean isOver(Active fault) {
        return fault.fault.trap().equals(COMPILING)
                && fault.scope.node().filter(node -> node.driver.equals("loaded")).isPresent();
    }

    private Optional<TroubleException> start(World w, String trap, Optional<String> wanted) {
        if (wanted.isPresent() && !w.cards.containsKey(wanted.get())) {
            return Optional.of(missing("there is no card '" + wanted.get() + "'",
                    "Cards here: " + (w.cards.isEmpty() ? "none" : String.join(", ", w.cards.keySet())) + "."));
        }
        Collection<String> cards = wanted.<Collection<String>>map(List::of).orElse(w.cards.keySet());
        if (active.stream().anyMatch(a -> a.fault.trap().equals(trap) && cards.contains(a.card))) {
            return Optional.empty();
        }
        Optional<String> card = cards.stream().filter(id -> fits(trap, id)).findFirst();
        if (card.isEmpty()) {
            return Optional.of(missing("the scene '" + w.scene + "' cannot express '" + trap + "'"
                    + wanted.map(id -> " on " + id).orElse(""), "Possible here: " + names(possible()) + "."));
        }
        apply(w, new LabFault(trap, card, w.clock().instant()), card.get());
        Wiring.renew(w);
        return Optional.empty();
    }

    private void apply(World w, LabFault fault, String card) {
        ClusterPart part = new ClusterPart(cluster, edits(fault.trap(), new FaultScope(w, w.cards.get(card))));
        strike(w, fault, card, part);
        part.make();
    }

    private void strike(World w, LabFault fault, String card, ClusterPart part) {
        FaultScope scope = new FaultScope(w, w.cards.get(card));
        if (effects.get(fault.trap()).fits().test(scope)) {
            effects.get(fault.trap()).effect().accept(scope);
        }
        active.push(new Active(fault, card, scope, part));
        w.faults.add(fault);
    }

    private List<Edit> edits(String trap, FaultScope scope) {
        JsonNode edits = known.stream().filter(fault -> fault.trap().equals(trap)).findFirst().orElseThrow().edits();
        return new EditReader(scope.words()).read(edits);
    }

    private boolean fits(String trap, String card) {
        FaultScope scope = new FaultScope(world, world.cards.get(card));
        if (!effects.get(trap).fits().test(scope)) {
            return false;
        }
        // Before the cluster is there, nothing is known of its objects; the faults to begin with are checked when it is.
        return cluster == ClusterEdits.NONE
                || edits(trap, scope).stream().allMatch(edit -> edit.fits(cluster));
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
