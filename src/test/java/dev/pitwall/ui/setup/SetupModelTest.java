package dev.pitwall.ui.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.card.Card;
import dev.pitwall.card.Floor;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.change.Change;
import dev.pitwall.ui.SampleSite;
import dev.pitwall.ui.change.Effects;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.run.Journeys;
import dev.pitwall.ui.run.SampleJourney;
import dev.pitwall.ui.run.SampleProofs;
import dev.pitwall.ui.run.SiteWork;
import dev.pitwall.ui.words.Texts;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The page's words and rules, without a toolkit and without threads: what is asked waits until the test lets it run. */
class SetupModelTest {

    private static final String CARD = "pve2/0000:01:00";

    private final Queue<Runnable> background = new ArrayDeque<>();
    private final SampleJourney journey = new SampleJourney();
    private final SiteWork work = new SiteWork(SampleSite.SITE, new Journeys.Opened(journey, journey.journal, List.of()),
            background::add, Runnable::run, draw -> draw);
    private final SetupModel model =
            new SetupModel(new Texts(), InstantSource.fixed(SampleSite.NOW), Optional.of(work));

    @BeforeEach
    void threeCards() {
        model.show(SampleSite.view(List.of(card("pve1"), card("pve2"), card("pve3"))));
    }

    @Test
    void nothingIsReadBeforeThePageIsSeen() {
        all();
        assertThat(journey.asked).isEmpty();
        model.opened();
        all();
        assertThat(journey.asked).containsExactly("look pve1 {}");
    }

    @Test
    void untilTheFirstAnswerItSaysWhatIsRead() {
        model.opened(CARD, Floor.VFIO);
        assertThat(page().body()).isEqualTo(new SetupPage.Body.Reading("pve2"));
        assertThat(page().actions()).isEmpty();
    }

    @Test
    void theStepsStandUnderTheirSystemsWithTheFirstToDoChosen() {
        open();
        assertThat(page().groups()).extracting(StepGroup::title).containsExactly("Host pve2", "VM 121");
        assertThat(steps()).extracting(StepLine::mark).containsExactly(Mark.OK, Mark.OK, Mark.CIRCLE, Mark.MINUS, Mark.OK,
                Mark.CLOCK, Mark.CLOCK, Mark.CLOCK);
        assertThat(steps().filter(StepLine::chosen)).extracting(StepLine::id).containsExactly("bind");
        assertThat(step().crumbs()).containsExactly("Setup", "pve2", "VFIO");
        assertThat(step().number()).isEqualTo("Step 3 of 8");
    }

    @Test
    void theProofStandsUnderItsOwnTitleAndLeavesNothingToUndo() {
        journey.withProof();
        journey.journal.put(SampleProofs.passed(43, CARD, "pve2", SampleSite.NOW.minusSeconds(60)));
        model.opened(CARD, Floor.PROOF);
        all();
        assertThat(page().groups()).extracting(StepGroup::title).containsExactly("Host pve2", "VM 121", "Proof");
        assertThat(step().id()).isEqualTo("proof");
        assertThat(actions().undo().why()).isEqualTo("nothing applied yet");
    }

    @Test
    void aFloorChoosesItsFirstStepThatIsNotSettled() {
        model.opened(CARD, Floor.VM);
        all();
        assertThat(step().id()).isEqualTo("attach");
        model.opened(CARD, Floor.FIRMWARE);
        all();
        assertThat(step().id()).isEqualTo("iommu");
    }

    @Test
    void decidingLinesHaveTheLookOfTheirMark() {
        open();
        FoundLine driver = step().found().stream().filter(f -> f.name().equals("Driver in use")).findFirst().orElseThrow();
        assertThat(driver.raw()).filteredOn(l -> l.text().contains("driver in use"))
                .extracting(l -> l.look().name()).containsExactly("SYMPTOM", "SYMPTOM");
        assertThat(driver.raw()).filteredOn(l -> l.text().contains("modules"))
                .extracting(l -> l.look().name()).containsOnly("PLAIN");
    }

    @Test
    void aDisabledButtonSaysWhy() {
        open();
        assertThat(actions().primary()).isEqualTo(new Actions.Button("Apply and reboot pve2", ""));
        assertThat(actions().undo()).isEqualTo(new Actions.Button("Undo", "nothing applied yet"));
        model.chooseStep("attach");
        assertThat(actions().primary()).isEqualTo(new Actions.Button("Apply", "waits for vfio-pci"));
        assertThat(actions().byHand().why()).isEqualTo("there is nothing to do by hand");
        assertThat(actions().others().why()).isEqualTo("the step is not ready here");
        model.chooseStep("iommu");
        assertThat(actions().skip().why()).isEqualTo("there is nothing to skip");
        assertThat(actions().kind()).isEqualTo(Actions.Primary.NEXT);
        assertThat(actions().primary().text()).isEqualTo("Next: Bind the card to vfio-pci");
        model.next();
        assertThat(step().id()).isEqualTo("bind");
    }

    @Test
    void anAnswerToAnOlderLookIsDropped() {
        open();
        model.answer("bind", "address");
        Runnable slow = background.remove();
        model.answer("bind", "ids");
        all();
        slow.run();
        assertThat(step().questions().getFirst().chosen()).isEqualTo("ids");
        assertThat(journey.asked).containsExactly("look pve2 {}", "look pve2 {bind=ids}");
    }

    @Test
    void whileItIsReadAgainNothingCanBeApplied() {
        open();
        model.lookAgain();
        assertThat(page().reads()).isTrue();
        assertThat(actions().primary().why()).isEqualTo("pve2 is being read");
        all();
        assertThat(actions().primary().why()).isEmpty();
    }

    @Test
    void aHostThatGoesSilentKeepsItsLastReadingsWhichCannotBeApplied() {
        open();
        journey.silence("pve2");
        model.lookAgain();
        all();
        assertThat(page().banner().orElseThrow().text()).isEqualTo("pve2:22: no answer within 10 s");
        assertThat(step().changes()).hasSize(4);
        assertThat(actions().primary().why()).isEqualTo("pve2:22: no answer within 10 s");
    }

    @Test
    void aHostThatWasNeverReadSaysOnlyWhatIsWrong() {
        journey.silence("pve2");
        open();
        assertThat(page().body()).isInstanceOf(SetupPage.Body.Troubled.class);
        assertThat(page().groups()).isEmpty();
    }

    @Test
    void aRunIsOfferedToBeStoppedAndItsEndIsTold() {
        open();
        model.apply();
        assertThat(actions().kind()).isEqualTo(Actions.Primary.STOP);
        assertThat(steps().filter(s -> s.mark() == Mark.RING)).extracting(StepLine::id).containsExactly("bind");
        model.stop();
        assertThat(actions().primary()).isEqualTo(new Actions.Button("Stopping …", "stops after the change that has begun"));
        all();
        assertThat(page().banner().orElseThrow().text()).isEqualTo("Run 1 on pve2 stopped before change 1 of 4.");
    }

    @Test
    void afterARunTheOthersAreLookedAtAnewAndUndoNamesTheRun() {
        open();
        model.apply();
        all();
        assertThat(actions().undo()).isEqualTo(new Actions.Button("Undo run 1…", ""));
        assertThat(model.undoable().map(RunRecord::number)).contains(1L);
        model.undo(1);
        all();
        assertThat(actions().undo()).isEqualTo(new Actions.Button("Undo", "run 1 is undone"));
        assertThat(journey.file("pve2", SampleJourney.MODPROBE).absent()).isTrue();
    }

    @Test
    void theOthersFollowWithTheSameAnswerAndStopAtTheFirstThatDoesNotEnd() {
        open();
        model.answer("bind", "address");
        all();
        model.others(true);
        assertThat(actions().primary().why()).isEqualTo("the other cards are being read");
        all();
        assertThat(actions().others().text()).isEqualTo("Then do the same on pve1 and pve3, asking nothing");
        assertThat(model.question().orElseThrow().title()).isEqualTo("Reboot pve2 and 2 more?");
        assertThat(model.question().orElseThrow().sentences()).hasSize(3);
        journey.asked.clear();
        journey.failAt(4);
        model.apply();
        all();
        assertThat(journey.asked.stream().filter(a -> a.startsWith("apply"))).containsExactly("apply pve2 [bind]");
        assertThat(page().banner().orElseThrow().text()).isEqualTo("Run 1 on pve2 failed in change 4 of 4.");
        model.others(true);
        all();
        journey.asked.clear();
        model.apply();
        all();
        assertThat(journey.asked).containsSubsequence("apply pve2 [bind]", "look pve1 {bind=address}", "apply pve1 [bind]",
                "look pve3 {bind=address}", "apply pve3 [bind]");
        assertThat(page().banner().orElseThrow().text()).isEqualTo("Bind the card to vfio-pci: done on pve2, pve1, pve3.");
    }

    @Test
    void aCardThatHasItAlreadyIsNoneOfTheOthers() {
        journey.bound("pve1");
        open();
        model.others(true);
        all();
        assertThat(actions().others().text()).isEqualTo("Then do the same on pve3, asking nothing");
    }

    @Test
    void withoutAWizardItSaysThatNothingCanBeChangedFromHere() {
        SetupModel reader = new SetupModel(new Texts(), InstantSource.fixed(SampleSite.NOW), Optional.empty());
        reader.show(SampleSite.view());
        reader.opened();
        assertThat(reader.pageProperty().get().body()).isEqualTo(new SetupPage.Body.NoWizard());
        assertThat(reader.pageProperty().get().actions()).isEmpty();
    }

    @Test
    void aCardThatOnlyTheClusterKnowsHasNoHostToSetUp() {
        Card known = card("pve2");
        model.show(SampleSite.view(List.of(new Card("node/GPU-1", "node", Optional.empty(), known.name(), known.uuid(),
                known.vramMiB(), known.vm(), known.node(), known.server(), known.floors()))));
        model.opened();
        all();
        assertThat(page().body()).isEqualTo(new SetupPage.Body.NoHost("RTX A1000"));
        assertThat(journey.asked).isEmpty();
    }

    @Test
    void aSkippedStepIsNotToBeAppliedAndSaysItsReason() {
        open();
        model.skip("  our own role does it ");
        all();
        assertThat(journey.asked).contains("skip bind: our own role does it");
        assertThat(step().nothing()).isEqualTo("Nothing: skipped: our own role does it.");
    }

    @Test
    void theLogSaysWhatALookCameTo() {
        open();
        assertThat(work.log().shown().getLast().text())
                .isEqualTo("plan: 4 changes, highest risk reboots a host; nothing has been changed");
    }

    @Test
    void severalStepsAreOfferedWithTheirCommonRebootOnce() {
        journey.iommuOff("pve2");
        open();
        AscentBar bar = page().ascents().orElseThrow();
        assertThat(bar.word()).isEqualTo("2 steps can be made now; what they end in is done once.");
        assertThat(bar.together()).isEqualTo(new Actions.Button("Apply 2 steps and reboot pve2", ""));
        Ascent together = model.ascents().orElseThrow().together();
        assertThat(together.now()).extracting(Ascent.Part::step).containsExactly("iommu", "bind");
        assertThat(together.now().getFirst().changes()).extracting(Change::target)
                .containsExactly(SampleJourney.GRUB, "update-grub");
        assertThat(together.changes().stream().filter(c -> c.turn() == Change.Turn.POWER)).hasSize(1);
        Effects.Question question = model.question(together);
        assertThat(question.title()).isEqualTo("Apply 2 steps and reboot pve2?");
        assertThat(question.sentences().getFirst()).contains("112 rke2-master-2", "131 harbor");

        model.applyTogether(together);
        all();

        assertThat(journey.asked).contains("apply pve2 [iommu, bind]");
        assertThat(steps().filter(s -> s.mark() == Mark.OK)).extracting(StepLine::id).contains("iommu", "group", "bind");
        assertThat(page().banner().orElseThrow().text()).startsWith("Run 1 is done");
        assertThat(page().ascents().orElseThrow().together().why()).isEqualTo("only one step is ready: apply it at the right");
    }

    @Test
    void aWalkShowsWhatIsForeseenAndGoesOnByItself() {
        journey.iommuOff("pve2");
        open();
        assertThat(page().ascents().orElseThrow().walks()).extracting(AscentBar.Walk::text).containsExactly(
                "Firmware: Check the IOMMU group", "VFIO: Bind the card to vfio-pci", "VM: See the card in the guest");
        Ascents.Walk walk = model.ascents().orElseThrow().walks().getLast();
        assertThat(walk.ascent().now()).extracting(Ascent.Part::step).containsExactly("iommu", "bind");
        assertThat(walk.ascent().later()).extracting(Ascent.Part::step)
                .containsExactly("group", "attach", "power-cycle", "guest");
        assertThat(walk.ascent().later().get(1).changes()).hasSize(1);
        assertThat(model.question(walk).button()).isEqualTo("Walk up to VM and reboot pve2");

        model.walk(walk);
        all();

        assertThat(journey.asked).contains("walk pve2 to guest");
        assertThat(steps().filter(s -> s.mark() != Mark.MINUS)).extracting(StepLine::mark).containsOnly(Mark.OK);
        assertThat(page().banner().orElseThrow().text()).startsWith("Run 1 is done");
    }

    @Test
    void aWalkThatWouldMakeOtherThanWasShownMakesNothing() {
        open();
        Ascents.Walk walk = model.ascents().orElseThrow().walks().getLast();
        journey.lines(5);
        model.walk(walk);
        all();
        assertThat(page().banner().orElseThrow().text()).startsWith("pve2: this is not as it was shown any more: ")
                .contains("would get another content than was shown");
        assertThat(journey.file("pve2", SampleJourney.MODPROBE).absent()).isTrue();
    }

    @Test
    void theStepThatIsBeingMadeShowsUntilThePersonGoesElsewhere() {
        journey.iommuOff("pve2");
        open();
        model.applyTogether(model.ascents().orElseThrow().together());
        assertThat(step().id()).isEqualTo("iommu");
        assertThat(page().ascents().orElseThrow().together().why()).isEqualTo("a run is starting");
        model.chooseStep("group");
        all();
        assertThat(step().id()).isEqualTo("group");
    }

    @Test
    void aStepThatWaitsShowsWhatIsForeseenOfIt() {
        open();
        model.chooseStep("attach");
        assertThat(step().later()).isEqualTo("Later, once “Bind the card to vfio-pci” is done. It is planned anew then.");
        assertThat(step().changes()).hasSize(1);
        assertThat(step().nothing()).isEmpty();
        assertThat(actions().byHand().why()).isEqualTo("there is nothing to do by hand");
        model.chooseStep("power-cycle");
        assertThat(step().later()).isEmpty();
        assertThat(step().nothing()).isEqualTo("Not known yet: waits for the card.");
    }

    private void open() {
        model.opened(CARD, Floor.VFIO);
        all();
    }

    /** Lets everything run that was asked of the background. */
    private void all() {
        while (!background.isEmpty()) {
            background.remove().run();
        }
    }

    private SetupPage page() {
        return model.pageProperty().get();
    }

    private Actions actions() {
        return page().actions().orElseThrow();
    }

    private Stream<StepLine> steps() {
        return page().groups().stream().flatMap(g -> g.steps().stream());
    }

    private StepView step() {
        return switch (page().body()) {
            case SetupPage.Body.Shown(StepView view) -> view;
            default -> throw new AssertionError("no step shows: " + page().body());
        };
    }

    private static Card card(String host) {
        return SampleSite.moved(SampleSite.up(), host, "0000:01:00");
    }
}
