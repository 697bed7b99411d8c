package dev.pitwall.engine;

import dev.pitwall.engine.policy.Policies;
import dev.pitwall.engine.sim.Figures;
import dev.pitwall.engine.sim.Simulator;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Each rule of simulation.md on cases small enough to count by hand. Unless said otherwise a card has 1,000 MiB, loads
 * 100 MiB/s and serves one request at once; a model's need is its weights; a request is 1 s in service.
 */
class BaselinesTest {
    private static final double SERVICE = 1;

    private final List<ProviderSpec> cards = new ArrayList<>();
    private final List<ModelSpec> models = new ArrayList<>();
    private final List<Pin> pins = new ArrayList<>();
    private final List<Request> trace = new ArrayList<>();

    private BaselinesTest card(double mib, double speed) {
        cards.add(new ProviderSpec("c" + cards.size(), "n", mib, 0, speed, 1));
        return this;
    }

    private BaselinesTest models(double... weights) {
        for (double w : weights) {
            models.add(new ModelSpec(String.valueOf((char) ('a' + models.size())), w, 0, 0, 1));
        }
        return this;
    }

    /** Times and models in turn: {@code asks(0, 'a', 10, 'b')}. */
    private BaselinesTest asks(Object... timesAndModels) {
        for (int i = 0; i < timesAndModels.length; i += 2) {
            trace.add(new Request(trace.size(), (char) timesAndModels[i + 1] - 'a',
                    ((Number) timesAndModels[i]).doubleValue(), SERVICE));
        }
        return this;
    }

    private Figures run(Policies policy) {
        Fleet fleet = policy.fleet(new Fleet(cards, models, pins));
        return new Simulator(fleet, policy.create(fleet, trace)).run(trace);
    }

    @Test
    void aFirstRequestWaitsForItsLoadAndTheNextDoesNot() {
        Figures f = card(1000, 100).models(400).asks(0, 'a', 20, 'a').run(Policies.LRU);

        assertThat(f.loadSeconds()).isEqualTo(5);
        assertThat(f.bytesLoaded()).isEqualTo(400L << 20);
        assertThat(f.coldStarts()).isEqualTo(1);
        assertThat(f.waitMeanMs()).isEqualTo(2500);
        assertThat(f.waitP50Ms()).isZero();
        assertThat(f.waitMaxMs()).isEqualTo(5000);
    }

    @Test
    void whoJoinsALoadingPlacementIsColdTooAndWaitsItsTurn() {
        Figures f = card(1000, 100).models(400).asks(0, 'a', 1, 'a').run(Policies.LRU);

        assertThat(f.coldStarts()).isEqualTo(2);
        assertThat(f.waitMaxMs()).as("loaded at 5, the first served until 6").isEqualTo(5000);
        assertThat(f.waitMeanMs()).isEqualTo(5000);
    }

    @Test
    void loadsOfOneCardAreOneAfterTheOther() {
        Figures f = card(1000, 100).models(400, 500).asks(0, 'a', 0, 'b').run(Policies.LRU);

        assertThat(f.loadSeconds()).isEqualTo(11);
        assertThat(f.waitMaxMs()).isEqualTo(11000);
    }

    @Test
    void anEvictedPlacementsMemoryComesBackASecondLater() {
        Figures f = card(1000, 100).models(600, 700).asks(0, 'a', 20, 'b').run(Policies.LRU);

        assertThat(f.evictions()).isEqualTo(1);
        assertThat(f.waitMaxMs()).as("1 s for the memory, 8 s for the load").isEqualTo(9000);
        assertThat(f.loadSeconds()).isEqualTo(15);
    }

    @Test
    void aBusyPlacementIsNotEvictedAndTheWantedLoadWaits() {
        Figures f = card(1000, 100).models(600, 700).asks(0, 'a', 7.5, 'b').run(Policies.LRU);
        assertThat(f.waitMaxMs()).as("a is served from 7 to 8").isEqualTo(500 + 1000 + 8000);
        assertThat(f.interrupted()).isZero();
    }

    @Test
    void aLoadThatCannotBeDecidedHoldsUpNoOther() {
        Figures f = card(1000, 100).models(600, 700, 300).asks(0, 'a', 7.2, 'b', 7.3, 'c').run(Policies.LRU);
        assertThat(f.coldStarts()).isEqualTo(3);
        assertThat(f.waitMaxMs()).as("c has room beside a and loads from 7.3 to 11.3; b gets a's room at 8 and loads after c")
                .isCloseTo((11.3 + 8 - 7.2) * 1000, within(1e-6));
    }

    @Test
    void theRoomiestCardIsTakenAndTheFirstOfEqualOnes() {
        Figures f = card(1000, 100).card(1000, 50).card(2000, 200).models(400, 1700, 400).asks(0, 'a', 50, 'b', 100, 'c')
                .run(Policies.LRU);
        assertThat(f.loadSeconds()).as("a on the third, b evicts it there, c on the first").isEqualTo(3 + 9.5 + 5);
        assertThat(f.evictions()).isEqualTo(1);
    }

    @Test
    void aVictimWhoseGoingIsNotNeededIsSparedFromTheHighestValueDown() {
        // Taken by last use: a (100), b (700), together enough for d; without b not, without a still: a stays.
        Figures f = card(1000, 100).models(100, 700, 600).asks(0, 'a', 20, 'b', 40, 'c', 60, 'a').run(Policies.LRU);
        assertThat(f.evictions()).isEqualTo(1);
        assertThat(f.coldStarts()).isEqualTo(3);
    }

    @Test
    void theCheapestCardGivesUpItsVictims() {
        Figures f = card(1000, 100).card(1000, 100).models(800, 800, 800).asks(0, 'a', 20, 'b', 40, 'a', 60, 'c', 80, 'a')
                .run(Policies.LRU);
        assertThat(f.coldStarts()).as("b was used longest ago").isEqualTo(3);
    }

    @Test
    void lfuCountsTheWholeRun() {
        Figures f = card(1000, 100).models(400, 400, 400)
                .asks(0, 'a', 10, 'a', 20, 'a', 30, 'b', 40, 'c', 50, 'a').run(Policies.LFU);
        assertThat(f.coldStarts()).as("c drives out b, asked for once, not a").isEqualTo(3);
    }

    @Test
    void largestFirstDrivesOutTheLargest() {
        Figures f = card(1000, 100).models(500, 300, 400).asks(0, 'a', 20, 'b', 40, 'c', 60, 'b', 80, 'a')
                .run(Policies.LARGEST_FIRST);
        assertThat(f.coldStarts()).as("c for a; then a for c").isEqualTo(4);
        assertThat(f.evictions()).isEqualTo(2);
    }

    @Test
    void gdsfWeighsUsesAndLandlordDoesNot() {
        asks(0, 'a', 20, 'a', 30, 'a', 40, 'b', 60, 'c', 80, 'a').card(1000, 100).models(500, 400, 400);
        assertThat(run(Policies.GDSF).coldStarts())
                .as("a: 3 × 6/500 = 0.036, b: 1 × 5/400 = 0.0125; b goes").isEqualTo(3);
        assertThat(run(Policies.LANDLORD).coldStarts()).as("a: 0.012, b: 0.0125; a goes, then b for it").isEqualTo(4);
    }

    @Test
    void gdsfsClockRisesToWhatWent() {
        // c drives out b at 0.0125; at its load's end and its use c has 0.0125 + 1 × 5/400 = 0.025; a keeps 2 × 0.012 = 0.024.
        Figures f = card(1000, 100).models(500, 400, 400).asks(0, 'a', 20, 'a', 40, 'b', 60, 'c', 80, 'b', 100, 'c')
                .run(Policies.GDSF);
        assertThat(f.coldStarts()).as("b drives out a, so c is still there").isEqualTo(4);
    }

    @Test
    void ollamaGoesByTheAlphabetAndUnloadsWhatIsIdleForFiveMinutes() {
        Figures f = card(1000, 100).models(400, 400, 400).asks(0, 'a', 20, 'b', 40, 'c', 60, 'b').run(Policies.OLLAMA);
        assertThat(f.coldStarts()).as("a goes for c").isEqualTo(3);

        trace.clear();
        Figures idle = asks(0, 'a', 305.5, 'a', 611, 'a').run(Policies.OLLAMA);
        assertThat(idle.coldStarts()).as("idle from 6 to 305.5, then from 306.5 to 606.5").isEqualTo(2);
        assertThat(idle.evictions()).isZero();
    }

    @Test
    void kubemootsDemandHalvesInTenMinutes() {
        Figures f = card(1000, 100).models(400, 400, 400)
                .asks(0, 'a', 10, 'a', 20, 'a', 2000, 'b', 2010, 'c', 2030, 'b').run(Policies.KUBEMOOT);
        assertThat(f.coldStarts()).as("3 requests 2,000 s ago count 0.3, so a goes").isEqualTo(3);
    }

    @Test
    void kubemootTakesFewestVictims() {
        Figures f = card(1000, 100).card(1000, 100).models(500, 500, 900, 700)
                .asks(0, 'c', 20, 'c', 30, 'c', 40, 'a', 60, 'b', 80, 'd', 100, 'a', 120, 'b').run(Policies.KUBEMOOT);
        assertThat(f.evictions()).as("c alone goes for d, though it is asked for more than a and b").isEqualTo(1);
    }

    @Test
    void offlineKeepsWhatIsNeededNext() {
        Figures f = card(1000, 100).models(400, 400, 400).asks(0, 'a', 20, 'b', 40, 'c', 60, 'a', 80, 'b')
                .run(Policies.OFFLINE);
        assertThat(f.coldStarts()).as("c drives out b, and b then c, which is needed no more").isEqualTo(4);
        assertThat(f.evictions()).isEqualTo(2);
    }

    @Test
    void staticPlacesTheMostWantedThatFitAndRefusesTheRest() {
        Figures f = card(1000, 100).models(400, 700, 500).asks(0, 'a', 20, 'a', 40, 'a', 60, 'b', 80, 'b', 100, 'c')
                .run(Policies.STATIC);
        assertThat(f.loadSeconds()).as("a and c; b does not fit beside a").isEqualTo(5 + 6);
        assertThat(f.refused()).isEqualTo(Map.of("not-placed", 2L));
    }

    @Test
    void unlimitedLoadsEachModelOnceOnTheFirstCard() {
        Figures f = card(1000, 100).card(2000, 200).models(900, 900).asks(0, 'a', 20, 'b', 40, 'a').run(Policies.UNLIMITED);
        assertThat(f.loadSeconds()).isEqualTo(20);
        assertThat(f.coldStarts()).isEqualTo(2);
    }

    @Test
    void aModelThatFitsNoCardIsRefusedAndOneThatOnlyPinsKeepOutIsRefusedByAnotherName() {
        pins.add(new Pin(1, 0));
        Figures f = card(1000, 100).models(1001, 300, 800).asks(0, 'a', 1, 'b', 2, 'c').run(Policies.LRU);
        assertThat(f.refused()).isEqualTo(Map.of("too-large", 1L, "pinned-out", 1L));
        assertThat(f.loadSeconds()).as("a pin is there from the start, free of charge").isZero();
    }

    @Test
    void contextCountsForEverySlotAndPromptsAreReadTwentyTimesAsFast() {
        ModelSpec model = new ModelSpec("m", 2100, 112, 8192, 50);
        assertThat(model.needMiB(2)).isEqualTo(3892);
        assertThat(model.serviceSeconds(1000, 100)).isCloseTo(3, within(1e-12));
    }
}
