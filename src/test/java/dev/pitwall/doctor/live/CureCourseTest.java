package dev.pitwall.doctor.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.pitwall.card.PciAddress;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.Findings;
import dev.pitwall.doctor.Treatment.OwnCure;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.HostLocks;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.StepText;
import dev.pitwall.journey.StepTexts;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.Risk;
import dev.pitwall.journey.operator.PaperCluster;
import dev.pitwall.journey.run.Death;
import dev.pitwall.journey.run.FakeJournal;
import dev.pitwall.journey.run.Ladder;
import dev.pitwall.journey.run.Patience;
import dev.pitwall.journey.run.SiteJourney;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

import static org.assertj.core.api.Assertions.assertThat;

/** A cure is a run: it is over when the Doctor finds its cause no more, it is taken back, and one that died is gone on with. */
class CureCourseTest {
    private static final String SITE = "site";
    private static final Duration NORMAL = Duration.ofMinutes(5);
    private static final ObjectRef NODE = ObjectRef.of(ObjectType.NODE, "gpu-a");
    private static final Situation.Subject CARD = new Situation.Subject("pve1/0000:01:00", "RTX A1000", "pve1",
            PciAddress.parse("0000:01:00").orElseThrow());

    private final PaperCluster cluster = new PaperCluster().with(ObjectType.NODE,
            "{metadata: {name: gpu-a}, spec: {unschedulable: true}}");
    private final FakeJournal journal = new FakeJournal();
    private final AtomicLong seconds = new AtomicLong();
    private final Set<String> taken = new HashSet<>();
    private final HostLocks locks = name -> taken.add(name) ? Optional.of(() -> taken.remove(name)) : Optional.empty();
    private final Finding cordoned = Findings.of("node-cordoned", "gpu-a");
    private int looks;

    private final Systems systems = new Systems() {
        @Override
        public Machine machine(String name) throws TroubleException {
            throw missing(name);
        }

        @Override
        public Proxmox proxmox(String node) throws TroubleException {
            throw missing(node);
        }

        @Override
        public Optional<Cluster> cluster() {
            return Optional.of(cluster);
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    };

    private static TroubleException missing(String where) {
        return new TroubleException(new Trouble(Trouble.Kind.MISSING, where, "there is none", "Add one."));
    }

    private SiteJourney journey(Systems ways, Journal kept, CureCourse course) {
        Patience patience = new Patience(() -> Instant.ofEpochSecond(seconds.get()),
                time -> seconds.addAndGet(Math.max(1, time.toSeconds())), Duration.ofSeconds(2), Duration.ofMinutes(5),
                Duration.ofMinutes(3));
        Ladder ladder = new Ladder(List.of(course), StepTexts.load().with(OwnCure.STEP, new StepText("cluster", "Uncordon", "")));
        return new SiteJourney(new SiteJourney.Equipment(SITE, ways, course, ladder, kept, locks, patience));
    }

    private CureCourse course(CureCourse.Look look) {
        return new CureCourse(cordoned, NORMAL, Set.of(), look);
    }

    private CardPlan plan() throws Exception {
        JsonNode fields = JsonNodeFactory.instance.objectNode().set("spec",
                JsonNodeFactory.instance.objectNode().putNull("unschedulable"));
        ManifestChange change = ManifestChange.setting("paper", NODE, cluster.get(NODE).orElseThrow(), fields, Risk.NONE, "uncordoned");
        return new CardPlan(CARD, Choices.NONE, Instant.EPOCH, List.of(new CardPlan.Planned(OwnCure.STEP,
                cordoned.trap().floor().floor(), new StepText("cluster", "Uncordon", ""), Answer.ready("", List.of(), List.of(change)))));
    }

    private RunRecord cure(CureCourse.Look look) throws Exception {
        return journey(systems, journal, course(look)).apply(plan(), List.of(OwnCure.STEP), Watcher.NONE, new Stop());
    }

    private boolean isCordoned() throws Exception {
        return cluster.get(NODE).orElseThrow().at("/spec/unschedulable").asBoolean();
    }

    @Test
    void itIsDoneAsSoonAsTheDoctorFindsItNoMore() throws Exception {
        RunRecord run = cure(ways -> looks++ < 2 ? Findings.seen(cordoned) : Findings.seen());

        assertThat(run.state()).as(run.toString()).isEqualTo(RunRecord.State.DONE);
        assertThat(isCordoned()).isFalse();
        assertThat(seconds.get()).as("seconds that were waited, of five minutes that are normal").isLessThan(10);
    }

    @Test
    void itHasFailedWhenTheNormalTimeIsOverAndCanBeTakenBack() throws Exception {
        RunRecord run = cure(ways -> Findings.seen(cordoned));

        assertThat(run.state()).isEqualTo(RunRecord.State.FAILED);
        assertThat(run.note().orElseThrow()).contains("Uncordon", "the Doctor still finds it", "Undo of run 1");
        assertThat(seconds.get()).isBetween(NORMAL.toSeconds(), NORMAL.toSeconds() + 60);
        assertThat(isCordoned()).isFalse();
        RunRecord undo = journey(systems, journal, course(ways -> Findings.seen())).undo(1, Watcher.NONE, new Stop());
        assertThat(undo.state()).isEqualTo(RunRecord.State.DONE);
        assertThat(isCordoned()).isTrue();
    }

    @Test
    void theSameCauseOnAnotherNodeDoesNotKeepItFromBeingDone() throws Exception {
        assertThat(cure(ways -> Findings.seen(Findings.of("node-cordoned", "gpu-b"))).state()).isEqualTo(RunRecord.State.DONE);
    }

    @Test
    void whatCanNoLongerBeLookedAtMayBeWhatWouldShowIt() throws Exception {
        RunRecord run = cure(ways -> looks++ < 3 ? Findings.seen().unseen(List.of("gpu-a does not answer")) : Findings.seen());

        assertThat(run.state()).isEqualTo(RunRecord.State.DONE);
        assertThat(looks).as("looked at until all was seen").isGreaterThan(3);
    }

    @Test
    void whatCouldNotBeLookedAtBeforeEitherIsNotWaitedFor() throws Exception {
        Diagnosis partly = Findings.seen().unseen(List.of("pve3 does not answer"));
        CureCourse course = new CureCourse(cordoned, NORMAL, Set.of("pve3 does not answer"), ways -> partly);

        RunRecord run = journey(systems, journal, course).apply(plan(), List.of(OwnCure.STEP), Watcher.NONE, new Stop());

        assertThat(run.state()).isEqualTo(RunRecord.State.DONE);
    }

    /** Whoever goes on with it has the steps of the wizard, and not the cure. */
    @Test
    void oneThatDiedAnywhereIsGoneOnWithAndCanBeTakenBack() throws Exception {
        int deaths = 0;
        for (int point = 1; point < 50; point++) {
            CureCourseTest one = new CureCourseTest();
            Death death = Death.at(point);
            try {
                one.journey(death.of(one.systems), death.of(one.journal), one.course(ways -> Findings.seen()))
                        .apply(one.plan(), List.of(OwnCure.STEP), Watcher.NONE, new Stop());
                break;
            } catch (Death.Killed e) {
                deaths++;
            }
            for (RunRecord run : one.journal.unfinished()) {
                RunRecord resumed = one.wizard().resume(run.number(), Watcher.NONE, new Stop());
                assertThat(resumed.state()).as("killed at %s: %s", point, resumed.note())
                        .isEqualTo(resumed.changes().isEmpty() ? RunRecord.State.STOPPED : RunRecord.State.DONE);
                assertThat(one.isCordoned()).as("killed at %s", point).isEqualTo(resumed.changes().isEmpty());
            }
            assertThat(one.journal.unfinished()).isEmpty();
            if (!one.isCordoned()) {
                assertThat(one.wizard().undo(1, Watcher.NONE, new Stop()).state()).as("killed at %s", point)
                        .isEqualTo(RunRecord.State.DONE);
                assertThat(one.isCordoned()).isTrue();
            }
        }
        assertThat(deaths).isGreaterThan(6);
    }

    private SiteJourney wizard() {
        Patience patience = new Patience(() -> Instant.ofEpochSecond(seconds.get()), time -> seconds.addAndGet(1),
                Duration.ofSeconds(2), Duration.ofMinutes(5), Duration.ofMinutes(3));
        return new SiteJourney(new SiteJourney.Equipment(SITE, systems, (ways, card, choices) -> {
            throw new AssertionError("nothing of the wizard is looked at");
        }, new Ladder(List.of(), StepTexts.load()), journal, locks, patience));
    }
}
