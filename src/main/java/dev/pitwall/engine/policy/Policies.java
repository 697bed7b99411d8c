package dev.pitwall.engine.policy;

import dev.pitwall.engine.Fleet;
import dev.pitwall.engine.ModelSpec;
import dev.pitwall.engine.Policy;
import dev.pitwall.engine.ProviderSpec;
import dev.pitwall.engine.Request;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The policies by name. */
public enum Policies {
    PITWALL("pitwall"),
    OLLAMA("ollama"),
    LRU("lru"),
    LFU("lfu"),
    LARGEST_FIRST("largest-first"),
    GDSF("gdsf"),
    LANDLORD("landlord"),
    KUBEMOOT("kubemoot"),
    STATIC("static"),
    UNLIMITED("unlimited"),
    OFFLINE("offline");

    private static final double OLLAMA_KEEP_ALIVE_SECONDS = 300;
    private static final double ENDLESS_MIB = Double.POSITIVE_INFINITY;

    private final String wireName;

    Policies(String wireName) {
        this.wireName = wireName;
    }

    /** The name in {@code --policy} and in JSON. */
    public String wireName() {
        return wireName;
    }

    /** @param name in capitals or not */
    public static Optional<Policies> of(String name) {
        return Arrays.stream(values()).filter(p -> p.wireName.equalsIgnoreCase(name)).findFirst();
    }

    /** The fleet the policy is shown: {@code unlimited} has cards without end. */
    public Fleet fleet(Fleet real) {
        return this != UNLIMITED ? real : new Fleet(real.providers().stream().map(Policies::endless).toList(),
                real.models(), real.pins());
    }

    private static ProviderSpec endless(ProviderSpec p) {
        return new ProviderSpec(p.id(), p.node(), ENDLESS_MIB, 0, p.loadMiBPerSecond(), p.maxParallel());
    }

    /** A new one. Only {@code offline} and {@code static} look at the trace. */
    public Policy create(Fleet fleet, List<Request> trace) {
        return switch (this) {
            case PITWALL -> new ExpectedCost(fleet);
            case OLLAMA -> new Ranked(wireName, alphabetical(fleet), Ranked.Cheapest.LEAST_VALUE,
                    OptionalDouble.of(OLLAMA_KEEP_ALIVE_SECONDS));
            case LRU -> new Ranked(wireName, (p, _) -> p.lastUse());
            case LFU -> new Ranked(wireName, (p, _) -> p.model().arrivals());
            case LARGEST_FIRST -> new Ranked(wireName, (p, _) -> 1 / p.needMiB());
            case GDSF -> new Ranked(wireName, new GreedyDual(fleet, GreedyDual.Uses.COUNT));
            case LANDLORD -> new Ranked(wireName, new GreedyDual(fleet, GreedyDual.Uses.IGNORED));
            case KUBEMOOT -> new Ranked(wireName, new Demand(fleet), Ranked.Cheapest.FEWEST_VICTIMS,
                    OptionalDouble.empty());
            case STATIC -> new StaticOnce(fleet, trace);
            case UNLIMITED -> new Ranked(wireName, (_, _) -> 0);
            case OFFLINE -> new Ranked(wireName, new Clairvoyant(fleet, trace));
        };
    }

    private static KeepValue alphabetical(Fleet fleet) {
        List<String> names = fleet.models().stream().map(ModelSpec::name).sorted().toList();
        double[] rank = fleet.models().stream().mapToDouble(m -> names.indexOf(m.name())).toArray();
        return (p, _) -> rank[p.model().index()];
    }
}
