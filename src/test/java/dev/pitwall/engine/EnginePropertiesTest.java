package dev.pitwall.engine;

import dev.pitwall.engine.policy.Policies;
import dev.pitwall.engine.sim.Figures;
import dev.pitwall.engine.sim.Simulator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/** What holds for every policy, fleet and trace. */
class EnginePropertiesTest {
    private static final int TRIES = 150;

    /** A fleet and a trace. */
    record Case(Fleet fleet, List<Request> trace) {
    }

    /** Looks over the engine's shoulder at every decision. */
    private static final class Watch implements Policy {
        private final Policy policy;
        private final List<String> decisions = new ArrayList<>();
        private final Set<Placement> promised = new HashSet<>();
        private Board board;

        Watch(Policy policy) {
            this.policy = policy;
        }

        @Override
        public String name() {
            return policy.name();
        }

        @Override
        public void begin(Board newBoard) {
            board = newBoard;
            policy.begin(newBoard);
        }

        @Override
        public List<Pin> initial(Board same) {
            return policy.initial(same);
        }

        @Override
        public Optional<Refusal> refuses(Model model) {
            return policy.refuses(model);
        }

        @Override
        public OptionalDouble idleLimit() {
            return policy.idleLimit();
        }

        @Override
        public Verdict decide(Model model, Board same, double now) {
            Verdict verdict = policy.decide(model, same, now);
            if (verdict instanceof Verdict.Load load) {
                look(model, load);
            }
            return verdict;
        }

        @Override
        public Optional<Beside> beside(Board same, double now) {
            Optional<Beside> beside = policy.beside(same, now);
            beside.ifPresent(b -> look(b.model(), b.load()));
            return beside;
        }

        private void look(Model model, Verdict.Load load) {
            double room = load.provider().freeMiB();
            for (Placement victim : load.victims()) {
                assertThat(victim.pinned()).as("%s is pinned", victim).isFalse();
                assertThat(victim.requests()).as("%s is busy", victim).isZero();
                assertThat(victim.provider()).isSameAs(load.provider());
                room += victim.needMiB();
            }
            assertThat(load.provider().held()).isFalse();
            assertThat(room).isGreaterThanOrEqualTo(load.provider().needMiB(model));
            promised.addAll(load.victims());
            decisions.add(model + " -> " + load.provider() + " " + load.victims());
        }

        @Override
        public void placed(Placement placement, double now) {
            policy.placed(placement, now);
            for (Provider p : board.providers()) {
                double taken = p.placements().stream().mapToDouble(Placement::needMiB).sum();
                assertThat(taken).as("on %s", p).isLessThanOrEqualTo(p.spec().capacityMiB() + 1e-6);
            }
        }

        @Override
        public void evicted(Placement placement, double now) {
            policy.evicted(placement, now);
            assertThat(promised.contains(placement) || policy.idleLimit().isPresent()).isTrue();
        }

        @Override
        public void arrived(long request, Model model, double now) {
            policy.arrived(request, model, now);
        }

        @Override
        public void used(Placement placement, double now) {
            policy.used(placement, now);
        }

        @Override
        public void served(long request, Model model, double seconds, double now) {
            policy.served(request, model, seconds, now);
        }

        @Override
        public void waited(long request, double seconds) {
            policy.waited(request, seconds);
        }
    }

    @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
    void nothingPinnedOrBusyGoesMemoryIsNeverOverbookedAndEveryRequestEnds(@ForAll("cases") Case c, @ForAll Policies policy) {
        Fleet fleet = policy.fleet(c.fleet());
        Watch watch = new Watch(policy.create(fleet, c.trace()));
        Figures f = new Simulator(fleet, watch).run(c.trace());

        assertThat(f.pinViolations()).isZero();
        assertThat(f.interrupted()).isZero();
        long refused = f.refused().values().stream().mapToLong(Long::longValue).sum();
        assertThat(f.served() + refused).isEqualTo(f.requests()).isEqualTo(c.trace().size());
    }

    @Property(tries = TRIES / 2, shrinking = ShrinkingMode.OFF)
    void theSameEventsGiveTheSameDecisions(@ForAll("cases") Case c) {
        Watch first = new Watch(Policies.PITWALL.create(c.fleet(), c.trace()));
        Watch second = new Watch(Policies.PITWALL.create(c.fleet(), List.of()));
        new Simulator(c.fleet(), first).run(c.trace());
        new Simulator(c.fleet(), second).run(c.trace());

        assertThat(second.decisions).as("and the policy knows nothing of the future").isEqualTo(first.decisions);
    }

    @Provide
    Arbitrary<Case> cases() {
        Arbitrary<List<ProviderSpec>> providers = Combinators.combine(Arbitraries.integers().between(1000, 4000),
                Arbitraries.integers().between(0, 300), Arbitraries.integers().between(50, 500),
                Arbitraries.integers().between(1, 3)).as(CardDraw::new).list().ofMinSize(1).ofMaxSize(4)
                .map(EnginePropertiesTest::cards);
        Arbitrary<List<ModelSpec>> models = Arbitraries.integers().between(200, 3500).list().ofMinSize(2).ofMaxSize(8)
                .map(EnginePropertiesTest::models);
        Arbitrary<List<int[]>> asks = Arbitraries.integers().between(0, 40).tuple3().map(t ->
                new int[] {t.get1(), t.get2(), t.get3()}).list().ofMinSize(1).ofMaxSize(60);
        return Combinators.combine(providers, models, asks, Arbitraries.integers().between(0, 3))
                .as(EnginePropertiesTest::fleetAndTrace);
    }

    private record CardDraw(int vram, int reserve, int speed, int parallel) {
    }

    private static List<ProviderSpec> cards(List<CardDraw> draws) {
        List<ProviderSpec> cards = new ArrayList<>();
        draws.forEach(d -> cards.add(new ProviderSpec("c" + cards.size(), "n", d.vram(), d.reserve(), d.speed(),
                d.parallel())));
        return cards;
    }

    private static List<ModelSpec> models(List<Integer> weights) {
        List<ModelSpec> models = new ArrayList<>();
        weights.forEach(w -> models.add(new ModelSpec("m" + models.size(), w, 10, 2048, 40)));
        return models;
    }

    private static Case fleetAndTrace(List<ProviderSpec> cards, List<ModelSpec> models, List<int[]> asks, int pinned) {
        List<Pin> pins = new ArrayList<>();
        double[] free = cards.stream().mapToDouble(ProviderSpec::capacityMiB).toArray();
        for (int m = 0; m < Math.min(pinned, models.size()); m++) {
            int card = m % cards.size();
            free[card] -= cards.get(card).needMiB(models.get(m));
            if (free[card] >= 0) {
                pins.add(new Pin(m, card));
            } else {
                free[card] += cards.get(card).needMiB(models.get(m));
            }
        }
        List<Request> trace = new ArrayList<>();
        double at = 0;
        for (int[] ask : asks) {
            at += ask[0];
            trace.add(new Request(trace.size(), ask[1] % models.size(), at, ask[2]));
        }
        return new Case(new Fleet(cards, models, pins), trace);
    }
}
