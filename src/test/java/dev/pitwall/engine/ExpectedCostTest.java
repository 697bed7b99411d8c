package dev.pitwall.engine;

import dev.pitwall.engine.bench.ExactSearch;
import dev.pitwall.engine.bench.SmallCases;
import dev.pitwall.engine.policy.Policies;
import dev.pitwall.engine.sim.Figures;
import dev.pitwall.engine.sim.Simulator;
import dev.pitwall.engine.trace.Family;
import dev.pitwall.engine.trace.Scenario;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** What sets the policy {@code pitwall} apart. Models a, b, c … weigh as given and load at 100 MiB/s on cards of 1,000 MiB. */
class ExpectedCostTest {
    private static Fleet fleet(int cards, double... weights) {
        List<ProviderSpec> providers = new ArrayList<>();
        for (int i = 0; i < cards; i++) {
            providers.add(new ProviderSpec("c" + i, "n", 1000, 0, 100, 1));
        }
        List<ModelSpec> models = new ArrayList<>();
        for (double w : weights) {
            models.add(new ModelSpec("m" + models.size(), w, 0, 0, 1));
        }
        return new Fleet(providers, models, List.of());
    }

    private static Figures run(Fleet fleet, Policies policy, List<Request> trace) {
        return new Simulator(fleet, policy.create(fleet, trace)).run(trace);
    }

    private static void ask(List<Request> trace, double at, int model, double service) {
        trace.add(new Request(trace.size(), model, at, service));
    }

    @Test
    void inACycleThatDoesNotFitMostStaysAndOneSlotTurns() {
        Fleet fleet = fleet(2, 900, 900, 900);
        List<Request> trace = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            ask(trace, i * 60, i % 3, 2);
        }
        assertThat(run(fleet, Policies.LRU, trace).coldStarts()).as("always drives out the next").isEqualTo(600);
        assertThat(run(fleet, Policies.PITWALL, trace).coldStarts()).isLessThan(360);
    }

    @Test
    void whatIsAskedForOnceDoesNotDriveOutWhatIsAskedForOften() {
        double[] weights = new double[42];
        Arrays.fill(weights, 450);
        Fleet fleet = fleet(1, weights);
        List<Request> trace = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            ask(trace, i * 100, 0, 2);
            if (i >= 200 && i < 240) {
                ask(trace, i * 100 + 50, i - 198, 2);
            }
        }
        assertThat(run(fleet, Policies.PITWALL, trace).coldStarts()).as("each of the 40 once, and the liked one once")
                .isEqualTo(41);
    }

    @Test
    void waitsForAModelAtWorkRatherThanDriveOutOneThatIsNeededMore() {
        Fleet fleet = fleet(2, 900, 900, 900);
        List<Request> trace = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            ask(trace, i * 100, 0, 2);
            ask(trace, i * 100 + 30, 1 + i % 2, 40);
            ask(trace, i * 100 + 60, 0, 2);
        }
        ask(trace, 30_000, 1, 40);
        ask(trace, 30_030, 2, 2);
        ask(trace, 30_060, 0, 2);
        assertThat(run(fleet, Policies.PITWALL, trace).loadSeconds())
                .as("m0 stays where it is; m1 and m2 take turns beside it").isLessThanOrEqualTo(10 * 303);
    }

    @Test
    void aLongQueueGetsASecondPlacement() {
        Fleet fleet = fleet(2, 400);
        List<Request> trace = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            ask(trace, i * 0.1, 0, 10);
        }
        Figures own = run(fleet, Policies.PITWALL, trace);
        assertThat(own.loadSeconds()).isEqualTo(10);
        assertThat(own.waitMeanMs()).isLessThan(0.6 * run(fleet, Policies.LRU, trace).waitMeanMs());
    }

    @Test
    void whatComesAndGoesDoesSoOnTheFastCardThoughTheSlowOneTakesLonger() {
        double first = onTwoSpeeds(300);
        assertThat(first).as("the slow card is loaded once, or a second time while nothing is known yet")
                .isBetween(19 + 150 * 2.8 - 1e-6, 2 * 19 + 150 * 2.8 + 1e-6);
        assertThat(onTwoSpeeds(600) - first).as("m1 and m2 in turn on the fast one").isCloseTo(150 * 2.8, within(1e-6));
    }

    /** Every other request is for m0, the rest in turn for m1 and m2. */
    private static double onTwoSpeeds(int requests) {
        Fleet fleet = new Fleet(List.of(new ProviderSpec("slow", "n", 1000, 0, 50, 1),
                new ProviderSpec("fast", "n", 1000, 0, 500, 1)), fleet(0, 900, 900, 900).models(), List.of());
        List<Request> trace = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            ask(trace, i * 100, i % 2 == 0 ? 0 : 1 + i / 2 % 2, 2);
        }
        return run(fleet, Policies.PITWALL, trace).loadSeconds();
    }

    @Test
    void whatComesAndGoesIsLeftTheGapThatItFits() {
        Fleet fleet = fleet(2, 900, 500, 400, 350);
        List<Request> trace = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            ask(trace, i * 100, 0, 2);
            ask(trace, i * 100 + 30, 1, 2);
            ask(trace, i * 100 + 60, 2 + i % 2, 2);
        }
        assertThat(run(fleet, Policies.PITWALL, trace).loadSeconds()).as("m0 and m1 once, m2 and m3 in turn beside m1")
                .isLessThan(10 + 6 + 400 * 4.75 + 20);
    }

    @Test
    void theExactSearchFindsWhatCanBeCountedByHand() {
        Fleet fleet = fleet(1, 400, 500, 600);
        List<Request> trace = new ArrayList<>();
        for (int model : new int[] {0, 1, 2, 0, 1}) {
            ask(trace, trace.size() * 100, model, 1);
        }
        assertThat(new ExactSearch(fleet).leastLoadSeconds(trace)).as("5 + 6 + 7 beside m0, then 6 for m2").isEqualTo(24);
    }

    @Test
    void onSmallCasesItIsNearerTheLeastThanAnyBaseline() {
        Map<Policies, Double> over = SmallCases.overLeast(10);
        assertThat(over.values()).allMatch(ratio -> ratio >= 1);
        double own = over.remove(Policies.PITWALL);
        over.remove(Policies.OFFLINE);
        assertThat(over.values()).allMatch(ratio -> ratio > own);
    }

    @Test
    void aSeedGivesTheSameScenarioAndEveryFamilyHasOne() {
        for (Family family : Family.values()) {
            assertThat(Scenario.of(family, 7)).isEqualTo(Scenario.of(family, 7));
            assertThat(Scenario.of(family, 7).trace()).hasSizeGreaterThan(500)
                    .isSortedAccordingTo(Comparator.comparingDouble(Request::at));
        }
    }
}
