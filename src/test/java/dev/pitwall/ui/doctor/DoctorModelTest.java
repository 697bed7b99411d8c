package dev.pitwall.ui.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.card.Floor;
import dev.pitwall.card.Trouble;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.evidence.PastedEvidence;
import dev.pitwall.site.LiveSite;
import dev.pitwall.ui.SampleRest;
import dev.pitwall.ui.SampleSite;
import dev.pitwall.ui.change.CodeLine;
import dev.pitwall.ui.doctor.DoctorPage.Body;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.shell.Subject;
import dev.pitwall.ui.words.Texts;
import java.io.ByteArrayInputStream;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class DoctorModelTest {

    private final SampleDoctors doctors = new SampleDoctors();
    private final Texts texts = new Texts();
    private final InstantSource clock = InstantSource.fixed(SampleSite.NOW);
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private Executor background = Runnable::run;
    private final LiveSite live = new SampleRest(SampleSite.view()).open(SampleSite.SITE, _ -> { });
    private final SiteCare care = new SiteCare(live, doctors, clock, task -> background.execute(task), Runnable::run, draw -> draw);
    private final DoctorModel model = new DoctorModel(texts, clock, care, Optional.empty(), (_, action) -> action.run());

    @Test
    void theListGoesFromTheDriverUpWithTheLikelyBehindAndTheHarmlessLast() {
        finds(SampleFindings.everything());
        assertThat(page().groups()).extracting(FindingGroup::title)
                .containsExactly("From the driver up", "Could not look", "Looks alarming, means nothing");
        assertThat(page().groups().getLast().lines()).singleElement().satisfies(l -> {
            assertThat(l.title()).isEqualTo("An Xid of somebody's program");
            assertThat(l.text()).as("more when it is chosen").isEmpty();
        });
        assertThat(page().groups().getFirst().lines()).extracting(l -> l.mark() + " " + l.title()).containsExactly(
                "RING Driver is compiling", "FAILING Device plugin does not tolerate the taint",
                "TRIANGLE An idle notebook holds a whole card", "INFO Nothing caps GPUs in 2 namespaces");
        assertThat(page().groups().getFirst().lines()).extracting(l -> l.chips().getLast())
                .containsExactly("wait", "certain", "likely", "advice");
        assertThat(page().counts()).isEqualTo("2 findings, 1 advice, 1 wait on site basement");
        assertThat(page().foot()).isEqualTo("71 causes checked on 6 cards, 0.0 s");
    }

    @Test
    void aWaitTellsHowLongOfWhatIsNormal() {
        finds(SampleFindings.everything());
        FindingLine wait = page().groups().getFirst().lines().getFirst();
        assertThat(wait.text()).isEqualTo("Nothing is wrong: 1 min 42 s of about 3 min.");
        assertThat(wait.progress()).hasValueCloseTo(102 / 180.0, org.assertj.core.data.Offset.offset(0.001));
        finds(new Diagnosis(List.of(), List.of(), List.of(SampleFindings.compiling(600)), List.of(), List.of(), List.of(),
                SampleFindings.LOOKED));
        assertThat(page().groups().getFirst().lines().getFirst().text()).isEqualTo("It goes on for 10 min; about 3 min is usual.");
    }

    @Test
    void theLowestCertainOneShowsFirstWithItsLinesInTheirDocuments() {
        finds(SampleFindings.everything());
        FindingView view = view();
        assertThat(view.title()).isEqualTo("Device plugin does not tolerate the taint");
        assertThat(view.where()).isEqualTo("plugin · pve3, RTX A1000, 0000:01:00");
        assertThat(view.counted()).isEqualTo("5 readings, 2 lines decide");
        EvidencePanel node = view.evidence().getFirst();
        assertThat(node.lines()).extracting(CodeLine::number).containsExactly("42", "43", "44", "45");
        assertThat(node.lines().get(2)).isEqualTo(
                new CodeLine("44", "", "    value: \"true\"", CodeLine.Look.DECIDES, "added 38 min ago"));
        assertThat(view.evidence().get(1).lines().get(1).note()).isEqualTo("decides");
        assertThat(view.evidence().get(2).lines()).extracting(CodeLine::look).containsExactly(CodeLine.Look.SYMPTOM);
        assertThat(view.evidence().get(3).name()).isEmpty();
        assertThat(view.evidence().getLast().text()).isEqualTo(
                "daemonset/nvidia-device-plugin-daemonset DaemonSet\n  status:\n>   desiredNumberScheduled: 5");
        assertThat(view.ruledOut()).extracting(FindingView.Reason::because)
                .containsExactly("nvidia-smi lists the card", "there the node itself takes no pod");
    }

    @Test
    void whatCouldNotBeLookedAtIsAnEntryOfItsOwn() {
        finds(SampleFindings.everything());
        model.choose(page().groups().get(1).lines().getFirst().id());
        assertThat(view().mark()).isEqualTo(Mark.QUESTION);
        assertThat(view().title()).isEqualTo("pve4:8006: no answer within 10 s");
        assertThat(view().text()).isEqualTo("Check that pve4 is on and its network is up.");
    }

    @Test
    void withNothingWrongItSaysHowMuchWasChecked() {
        finds(SampleFindings.NOTHING);
        assertThat(page().body()).isEqualTo(new Body.Empty("Nothing wrong: 71 causes checked on 6 cards, 0.0 s", ""));
        assertThat(page().counts()).isEqualTo("Nothing wrong on site basement");
        finds(new Diagnosis(List.of(), List.of(), List.of(), SampleFindings.everything().harmless(), List.of(), List.of(),
                SampleFindings.LOOKED));
        assertThat(page().body()).isInstanceOf(Body.Empty.class);
        model.choose("xid-13-in-user-code");
        assertThat(view().mark()).isEqualTo(Mark.MINUS);
    }

    @Test
    void aFailedLookIsToldAndLeavesWhatWasSeen() {
        finds(SampleFindings.everything());
        doctors.fails(new Trouble(Trouble.Kind.TIMEOUT, "cluster", "no answer within 10 s", "Check it."));
        model.lookAgain();
        assertThat(page().trouble()).hasValueSatisfying(t -> assertThat(t.where()).isEqualTo("cluster"));
        assertThat(page().groups()).hasSize(3);
    }

    @Test
    void theFloorOfACardOpensItsFindingAfterALookIfNeeded() {
        doctors.finds(SampleFindings.everything());
        model.opened(new Subject("pve3/0000:01:00", Floor.PLUGIN));
        assertThat(doctors.asked).contains("diagnose", "treat device-plugin-missing-toleration of pve3/0000:01:00");
        assertThat(view().trap()).isEqualTo("device-plugin-missing-toleration");
        model.opened(new Subject("pve2/0000:01:00", Floor.DRIVER));
        assertThat(view().trap()).isEqualTo("driver-compiles");
    }

    @Test
    void aCardWithoutACauseIsToldWithWhatItsFloorSays() {
        finds(SampleFindings.NOTHING);
        model.opened(new Subject("pve3/0000:01:00", Floor.PLUGIN));
        assertThat(page().note()).startsWith("No cause is found for pve3, RTX A1000, 0000:01:00. Its plugin floor says: ");
    }

    @Test
    void pastedTextIsJudgedByItselfAndLeavesAWayBack() {
        finds(SampleFindings.everything());
        doctors.judges(SampleFindings.diagnosis(List.of(SampleFindings.toleration())));
        model.judge("the pasted text", pasted());
        assertThat(page().given()).contains("the pasted text");
        assertThat(page().counts()).isEqualTo("1 finding in the pasted text");
        assertThat(view().fix()).isEqualTo(new Fix.ByHand("Let the plugin accept the taint.",
                List.of("kubectl -n gpu-operator get ds", "helm upgrade gpu-operator"), Optional.empty()));
        model.back();
        assertThat(page().given()).isEmpty();
        assertThat(page().counts()).endsWith("on site basement");
    }

    @Test
    void twoLooksAreNeverMadeAtOnceAndACancelledOneLeavesWhatWasSeen() {
        finds(SampleFindings.everything());
        background = waiting::add;
        model.lookAgain();
        care.look();
        care.look();
        assertThat(waiting.stream().count()).isEqualTo(2);
        assertThat(page().activity()).isInstanceOf(DoctorPage.Activity.Looking.class);
        model.cancel();
        assertThat(page().activity()).isInstanceOf(DoctorPage.Activity.Idle.class);
        assertThat(page().groups()).hasSize(3);
    }

    @Test
    void theFindingThatShowsStaysWhileItIsFound() {
        finds(SampleFindings.everything());
        model.choose("idle-notebook");
        model.lookAgain();
        assertThat(page().chosen()).contains("idle-notebook");
        finds(SampleFindings.diagnosis(List.of(SampleFindings.toleration("pve3/0000:01:00"))));
        assertThat(page().chosen()).contains("device-plugin-missing-toleration");
    }

    @Test
    void thereIsNoFixToPressInAWindowThatOnlyReads() {
        finds(SampleFindings.everything());
        assertThat(view().fix()).isInstanceOf(Fix.ByHand.class);
        model.apply();
        assertThat(doctors.asked).noneMatch(a -> a.startsWith("apply"));
    }

    @Test
    void fortyFindingsOnManyNodesAreListed() {
        finds(SampleFindings.many(40));
        assertThat(page().groups().getFirst().lines()).hasSize(40);
        assertThat(view().where()).endsWith("-0, another-node-0 and 2 more");
    }

    private static PastedEvidence pasted() {
        return new PastedEvidence("the pasted text", () -> new ByteArrayInputStream(new byte[0]));
    }

    private void finds(Diagnosis diagnosis) {
        doctors.finds(diagnosis);
        model.lookAgain();
    }

    private DoctorPage page() {
        return model.pageProperty().get();
    }

    private FindingView view() {
        return switch (page().body()) {
            case Body.Shown(FindingView view) -> view;
            case Body.Reading _, Body.Empty _ -> throw new AssertionError("no finding shows: " + page().body());
        };
    }
}
