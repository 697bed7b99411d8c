package dev.pitwall.journey.run;

import dev.pitwall.card.Floor;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.StepTexts;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Survey;
import dev.pitwall.journey.Surveys;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.change.CommandChange;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import static org.assertj.core.api.Assertions.assertThat;

/** A look reads no higher than its goal, and while a step waits only what it rests on is read again. */
class LooksTest {
    private final Rig rig = new Rig();
    private final List<String> read = new ArrayList<>();
    private final AtomicLong seconds = new AtomicLong();

    private final Surveys surveys = new Surveys() {
        @Override
        public Situation read(Systems systems, Situation.Subject card, Choices choices)
                throws TroubleException, InterruptedException {
            read.add("host");
            return rig.surveys().read(systems, card, choices);
        }

        @Override
        public Situation more(Systems systems, Situation known, Survey what) {
            read.add(what.name());
            return known.reading(what);
        }
    };

    private SiteJourney journey(List<Step> steps) {
        Patience patience = new Patience(() -> Instant.ofEpochSecond(seconds.get()), time -> seconds.addAndGet(time.toSeconds()),
                Duration.ofSeconds(2), Duration.ofMinutes(5), Duration.ofMinutes(3));
        return new SiteJourney(new SiteJourney.Equipment(Rig.SITE, rig.systems(), surveys, new Ladder(steps, StepTexts.load()),
                rig.journal, rig.locks, patience));
    }

    private static Step step(String id, Floor floor, Supplier<Answer> says) {
        return new Step() {
            @Override
            public String id() {
                return id;
            }

            @Override
            public Floor floor() {
                return floor;
            }

            @Override
            public Answer look(Situation situation) {
                return says.get();
            }
        };
    }

    private static Answer done() {
        return Answer.of(State.DONE, "", List.of());
    }

    @Test
    void aLookReadsNoHigherThanItsGoal() throws Exception {
        SiteJourney journey = journey(List.of(step("bind", Floor.VFIO, LooksTest::done), step("attach", Floor.VM, LooksTest::done),
                step("driver", Floor.DRIVER, LooksTest::done), step("proof", Floor.PROOF, LooksTest::done)));

        CardPlan low = journey.look(Rig.CARD, Choices.NONE, "bind", Watcher.NONE);
        assertThat(read).containsExactly("host");
        assertThat(low.steps()).extracting(CardPlan.Planned::id).containsExactly("bind");
        read.clear();
        journey.look(Rig.CARD, Choices.NONE, "attach", Watcher.NONE);
        assertThat(read).containsExactly("host", "VM");
        read.clear();
        journey.look(Rig.CARD, Choices.NONE, Watcher.NONE);
        assertThat(read).containsExactly("host", "VM", "CLUSTER", "NODE", "PROOFS");
    }

    @Test
    void thePodsOfNodesAreReadOnlyForWhatTakesNodesDown() throws Exception {
        rig.engine().look(Rig.CARD, Choices.NONE, Watcher.NONE);
        journey(FakeSteps.ladder().steps()).look(Rig.CARD, Choices.NONE, "bind", Watcher.NONE);

        assertThat(read).as("a host reboot").containsExactly("host", "HOST_NODES");
    }

    @Test
    void whileAStepWaitsOnlyWhatItRestsOnIsReadAgain() throws Exception {
        int[] looks = {0};
        Step operator = step("operator", Floor.DISCOVERY, () -> rig.host.commands.isEmpty() ? Answer.ready("", List.of(), List.of(
                new CommandChange(FakeHost.NAME, List.of("true"), "", Duration.ofSeconds(1), Duration.ofSeconds(9)))) : done());
        Step operands = step("operands", Floor.PLUGIN, () -> rig.host.commands.isEmpty() || ++looks[0] < 9
                ? Answer.of(State.WAITING, "they come up", List.of()).coming("tower", Duration.ofMinutes(5)) : done());
        SiteJourney journey = journey(List.of(step("driver", Floor.DRIVER, LooksTest::done), operator, operands));

        RunRecord run = journey.walk(Rig.CARD, Choices.NONE, "operands", Watcher.NONE, new Stop());

        assertThat(run.state()).as(run.toString()).isEqualTo(RunRecord.State.DONE);
        assertThat(read.stream().filter("host"::equals)).as("before, after, and when it has come").hasSize(3);
        assertThat(read.stream().filter("NODE"::equals)).hasSize(3);
        assertThat(read.stream().filter("CLUSTER"::equals)).hasSizeGreaterThan(3);
    }
}
