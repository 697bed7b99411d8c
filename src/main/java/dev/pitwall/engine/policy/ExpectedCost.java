package dev.pitwall.engine.policy;

import dev.pitwall.engine.Board;
import dev.pitwall.engine.Fleet;
import dev.pitwall.engine.Model;
import dev.pitwall.engine.Placement;
import dev.pitwall.engine.Policy;
import dev.pitwall.engine.Provider;
import dev.pitwall.engine.Reason;
import dev.pitwall.engine.Reason.Costs;
import dev.pitwall.engine.Verdict;
import dev.pitwall.engine.policy.Victims.Chosen;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * {@code pitwall}: the placement that is expected to cost the fewest seconds. A load costs its own time there, the time
 * to load its victims again by the likelihood that they are needed within the {@link Horizon}, and what those who wait
 * lose at the price of {@link Patience}. In a fleet of some cards the best ways by that sum are then compared by {@link
 * Foresight}. A victim that is at work may be waited for, if that is cheaper than driving out
 * an idle one that is needed more: so models that take turns serve whole runs in one place, and what is often needed
 * stays. All it knows it has learned from the requests so far.
 */
final class ExpectedCost implements Policy {
    /** Nobody waits on purpose for longer than this, seconds. */
    private static final double LONGEST_WAIT_SECONDS = 120;
    private static final double SHORTEST_WAIT_SECONDS = 1;
    /** Loads that wait their turn keep a load there waiting: seconds each is held to cost. */
    private static final double QUEUED_LOAD_SECONDS = 2;
    /**
     * How much it counts that a load into free room is slower than the fastest: it is paid once, while a card that is
     * left empty makes the others change places again and again.
     */
    private static final double ONCE = 0.05;

    /** Sets of victims of one provider that are looked at closely, and ways over all providers. */
    private static final int MOST_WAYS = 4;
    private static final int MOST_OPTIONS = 12;

    private static final Comparator<Option> BY_COST = Comparator.comparingDouble(o -> o.costs().total());

    private record Option(Provider provider, Chosen victims, Costs costs) {
    }

    private final Fleet fleet;
    private final Needs needs;
    private final Services services;
    private final Patience patience;
    private Board board;
    private Losses losses;
    private Victims victims;
    private Proposals proposals;
    private Replicas replicas;
    private Foresight foresight;
    private Optional<Model> asked = Optional.empty();

    ExpectedCost(Fleet fleet) {
        this.fleet = fleet;
        needs = new Needs(fleet.models().size());
        services = new Services(fleet.models().size());
        patience = new Patience(fleet, services);
    }

    @Override
    public String name() {
        return Policies.PITWALL.wireName();
    }

    @Override
    public void begin(Board newBoard) {
        board = newBoard;
        losses = new Losses(needs, new Sizes(fleet), board);
        victims = new Victims(losses, services);
        proposals = new Proposals(board);
        replicas = new Replicas(services, victims);
        foresight = new Foresight(board, needs, losses);
    }

    @Override
    public Verdict decide(Model model, Board sameBoard, double now) {
        List<Option> options = options(model, proposals.of(model), now);
        if (options.isEmpty()) {
            options = options(model, board.providers(), now);
        }
        if (now - model.line().getFirst().at() >= LONGEST_WAIT_SECONDS) {
            options = options.stream().filter(o -> o.victims().atOnce()).toList();
        }
        return foreseen(model, options, now).stream().min(BY_COST)
                .<Verdict>map(o -> o.victims().atOnce() ? load(o, now) : defer(o, now)).orElseGet(Verdict.Blocked::new);
    }

    /** For each provider the cheapest ways, those among them that wait for others, and the cheapest that can be had at once. */
    private List<Option> options(Model model, Collection<Provider> providers, double now) {
        double secondPrice = patience.price() * model.line().size();
        List<Option> options = new ArrayList<>();
        double fastest = providers.stream().filter(p -> p.needMiB(model) <= p.spec().capacityMiB())
                .mapToDouble(p -> p.spec().loadSeconds(model.spec())).min().orElse(0);
        for (Provider p : providers) {
            if (!p.held() && p.needMiB(model) <= p.spec().capacityMiB()) {
                victims.ways(model, p, MOST_WAYS, secondPrice, now)
                        .forEach(c -> options.add(option(model, p, c, secondPrice, fastest)));
            }
        }
        return options;
    }

    /** The most promising ways, by what they will have cost a while later, as far as that can be played through. */
    private List<Option> foreseen(Model model, List<Option> options, double now) {
        if (options.size() < 2) {
            return options;
        }
        List<Option> promising = options.stream().sorted(BY_COST).limit(MOST_OPTIONS).map(o -> alone(model, o)).toList();
        return foresight.best(model, promising.stream().map(ExpectedCost::way).toList(), now).map(best -> {
            double least = best.stream().mapToDouble(Foresight.Foreseen::later).min().orElse(0);
            return best.stream().map(f -> later(promising.get(f.way()), f.later() - least)).toList();
        }).orElse(options);
    }

    /** What it costs without what comes later. */
    private static Option alone(Model model, Option option) {
        return new Option(option.provider(), option.victims(), new Costs(
                option.provider().spec().loadSeconds(model.spec()) + QUEUED_LOAD_SECONDS * option.provider().loads(), 0,
                option.costs().waiting()));
    }

    private static Foresight.Way way(Option option) {
        return new Foresight.Way(option.provider(), option.victims().placements(), option.costs().total());
    }

    /** @param seconds what comes later, beyond what comes after the way that has least of it */
    private static Option later(Option option, double seconds) {
        return new Option(option.provider(), option.victims(),
                new Costs(option.costs().load(), seconds, option.costs().waiting()));
    }

    private static Option option(Model model, Provider provider, Chosen chosen, double secondPrice, double fastest) {
        double load = provider.spec().loadSeconds(model.spec());
        double counted = chosen.candidates().isEmpty() ? fastest + ONCE * (load - fastest) : load;
        return new Option(provider, chosen, new Costs(
                counted + QUEUED_LOAD_SECONDS * provider.loads(), chosen.reload(),
                chosen.seconds() * secondPrice));
    }

    private static Verdict load(Option option, double now) {
        List<Reason.Going> going = option.victims().going(now);
        return new Verdict.Load(option.provider(), option.victims().placements(),
                new Reason(going.isEmpty() ? Reason.Kind.FITS : Reason.Kind.LESS_NEEDED, option.costs(), going));
    }

    private static Verdict defer(Option option, double now) {
        return new Verdict.Defer(now + Math.max(SHORTEST_WAIT_SECONDS, option.victims().seconds()),
                new Reason(Reason.Kind.WAIT_IS_CHEAPER, option.costs(), option.victims().going(now)));
    }

    @Override
    public Optional<Beside> beside(Board sameBoard, double now) {
        Optional<Beside> replica = asked.flatMap(m -> replicas.of(m, proposals.of(m), now));
        asked = Optional.empty();
        return replica;
    }

    @Override
    public void arrived(long request, Model model, double now) {
        needs.arrived(model.index(), now);
        patience.arrived(request, model, now);
        asked = Optional.of(model);
    }

    @Override
    public void refused(long request) {
        patience.refused(request);
        asked = Optional.empty();
    }

    @Override
    public void placed(Placement placement, double now) {
        proposals.room(placement.provider());
    }

    @Override
    public void used(Placement placement, double now) {
        proposals.worth(placement, losses.seconds(placement, now));
    }

    @Override
    public void evicted(Placement placement, double now) {
        proposals.gone(placement);
    }

    @Override
    public void waited(long request, double seconds) {
        patience.waited(request, seconds);
    }

    @Override
    public void served(long request, Model model, double seconds, double now) {
        services.served(model.index(), seconds);
        patience.served(request, seconds);
    }
}
