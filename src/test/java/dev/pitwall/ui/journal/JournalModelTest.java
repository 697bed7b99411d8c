package dev.pitwall.ui.journal;

import static dev.pitwall.ui.change.SampleChanges.command;
import static dev.pitwall.ui.change.SampleChanges.cycle;
import static dev.pitwall.ui.change.SampleChanges.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.Content;
import dev.pitwall.ui.SampleSite;
import dev.pitwall.ui.run.Journeys;
import dev.pitwall.ui.run.SampleJourney;
import dev.pitwall.ui.run.SiteWork;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JournalModelTest {

    private static final Instant NOW = SampleSite.NOW;
    private static final Change FILE = file("/etc/modprobe.d/zz-pitwall.conf", Content.ABSENT, Content.of("blacklist nouveau\n"));
    private static final Change AGAIN =
            file("/etc/modprobe.d/zz-pitwall.conf", Content.of("blacklist nouveau\n"), Content.of("options\n"));

    private final SampleJourney journey = new SampleJourney();

    @Test
    void runsStandUnderTheirDays() {
        put(1, RunRecord.State.DONE, Duration.ofDays(3), FILE);
        put(2, RunRecord.State.DONE, Duration.ofDays(1), FILE);
        put(3, RunRecord.State.DONE, Duration.ofMinutes(5), FILE);
        assertThat(model().pageProperty().get().entries()).extracting(e -> switch (e) {
            case Entry.Day(String name) -> name;
            case Entry.Run(RunLine line) -> Long.toString(line.number());
        }).containsExactly("Today", "3", "Yesterday", "2", "Friday, 27 November 2026", "1");
    }

    @Test
    void whatStandsWhereTheUndoButtonWouldBe() {
        put(1, RunRecord.State.DONE, Duration.ofMinutes(9), FILE);
        put(2, RunRecord.State.DONE, Duration.ofMinutes(8), AGAIN);
        put(3, RunRecord.State.DONE, Duration.ofMinutes(7), cycle(122));
        put(4, RunRecord.State.ALREADY_SO, Duration.ofMinutes(6));
        put(5, RunRecord.State.UNDONE, Duration.ofMinutes(5), FILE);
        put(6, RunRecord.State.SKIPPED, Duration.ofMinutes(4));
        assertThat(lines()).extracting(l -> l.number() + " " + l.word()).containsExactly("6 changed nothing", "5 undone",
                "4 changed nothing", "3 nothing to undo", "2 ", "1 run 2 first");
    }

    @Test
    void theFiltersCountAndChoose() {
        put(1, RunRecord.State.DONE, Duration.ofMinutes(9), FILE);
        put(2, RunRecord.State.STOPPED, Duration.ofMinutes(8));
        put(3, RunRecord.State.FAILED, Duration.ofMinutes(7));
        put(4, RunRecord.State.RUNNING, Duration.ofMinutes(6), command("true"));
        JournalModel model = model();
        assertThat(model.pageProperty().get().counts()).containsEntry(RunFilter.ALL, 4)
                .containsEntry(RunFilter.UNDOABLE, 1).containsEntry(RunFilter.STOPPED, 3);
        model.filterProperty().set(RunFilter.STOPPED);
        assertThat(model.shown()).extracting(RunRecord::number).containsExactly(4L, 3L, 2L);
    }

    @Test
    void theTextFilterLooksAtHostsCardsAndFiles() {
        put(1, RunRecord.State.DONE, Duration.ofMinutes(9), FILE);
        put(2, RunRecord.State.DONE, Duration.ofMinutes(8), cycle(122));
        JournalModel model = model();
        model.wantedProperty().set("ZZ-PITWALL");
        assertThat(model.shown()).extracting(RunRecord::number).containsExactly(1L);
        model.wantedProperty().set("rtx a1000");
        assertThat(model.shown()).hasSize(2);
        model.wantedProperty().set("nowhere");
        assertThat(model.pageProperty().get().emptiness()).isEqualTo(JournalPage.Emptiness.NOTHING_MATCHES);
    }

    @Test
    void theUndoOfTheChosenRunIsAskedForAndItsButtonNamesWhatHappens() {
        put(1, RunRecord.State.DONE, Duration.ofMinutes(9), FILE, command("update-initramfs", "-u"));
        put(2, RunRecord.State.SKIPPED, Duration.ofMinutes(8));
        JournalModel model = model();
        assertThat(journey.asked).isEmpty();
        assertThat(detail(model).undo().why()).isEqualTo("changed nothing");
        model.choose(1);
        assertThat(journey.asked).containsExactly("undo plan 1");
        assertThat(detail(model).undo().changes()).extracting(c -> c.target())
                .containsExactly("/etc/modprobe.d/zz-pitwall.conf", "update-initramfs -u");
        assertThat(detail(model).undo().button()).isEqualTo("Undo");
        model.undo();
        assertThat(journey.asked).contains("undo 1");
        assertThat(detail(model).head()).isEqualTo("Run 1, undone");
        assertThat(detail(model).undo().why()).isEqualTo("undone");
    }

    @Test
    void theKeyForUndoFindsTheNewestRunThatCanBeTakenBack() {
        put(1, RunRecord.State.DONE, Duration.ofMinutes(9), FILE);
        put(2, RunRecord.State.DONE, Duration.ofMinutes(8), cycle(122));
        JournalModel model = model();
        assertThat(model.chooseLastUndoable()).isTrue();
        assertThat(model.chosen()).contains(1L);
    }

    @Test
    void aRunThatDiedSaysWhereItWas() {
        put(1, RunRecord.State.RUNNING, Duration.ofMinutes(9), FILE, command("update-initramfs", "-u"));
        JournalModel model = model();
        assertThat(detail(model).head()).isEqualTo("Run 1, stopped in the middle");
        assertThat(lines().getFirst().word()).isEqualTo("stopped in the middle");
    }

    @Test
    void theScriptOfARunIsWhatItDid() {
        put(1, RunRecord.State.DONE, Duration.ofMinutes(9), FILE);
        assertThat(model().script()).contains("cat > /etc/modprobe.d/zz-pitwall.conf");
    }

    @Test
    void aFileForOthersHasALineAChangeAndNoFormula() {
        RunRecord run = run(1, RunRecord.State.STOPPED, Duration.ofMinutes(9), Optional.of("=1+1, \"quoted\""), FILE,
                command("update-initramfs", "-u"));
        String csv = RunFile.csv(List.of(run, run(2, RunRecord.State.SKIPPED, Duration.ZERO, Optional.empty())));
        assertThat(csv.split("\r\n")).hasSize(4);
        assertThat(csv).startsWith("run,started,ended,state,title");
        assertThat(csv).contains("\"'=1+1, \"\"quoted\"\"\"").contains(",2,bind,command,pve2,update-initramfs -u,");
        assertThat(RunFile.json(List.of(run))).contains("\"run\" : 1").contains("\"result\" : \"done\"")
                .contains("\"undoes\" : null");
    }

    private JournalModel model() {
        SiteWork work = new SiteWork(SampleSite.SITE, new Journeys.Opened(journey, journey.journal, List.of()), Runnable::run,
                Runnable::run, draw -> draw);
        return new JournalModel(new Texts(), InstantSource.fixed(NOW), ZoneOffset.UTC, Optional.of(work));
    }

    private List<RunLine> lines() {
        return model().pageProperty().get().entries().stream().flatMap(e -> switch (e) {
            case Entry.Day _ -> Stream.<RunLine>empty();
            case Entry.Run(RunLine line) -> Stream.of(line);
        }).toList();
    }

    private static RunDetail detail(JournalModel model) {
        return model.pageProperty().get().detail().orElseThrow();
    }

    private void put(long number, RunRecord.State state, Duration ago, Change... changes) {
        journey.journal.put(run(number, state, ago, Optional.empty(), changes));
    }

    private static RunRecord run(long number, RunRecord.State state, Duration ago, Optional<String> note, Change... changes) {
        Instant at = NOW.minus(ago);
        ChangeRecord.State each = state == RunRecord.State.UNDONE ? ChangeRecord.State.UNDONE : ChangeRecord.State.DONE;
        List<ChangeRecord> records = IntStream.range(0, changes.length).mapToObj(i -> new ChangeRecord(i + 1, "bind", changes[i],
                each, Optional.empty(), Optional.empty(), Optional.of(at), Optional.of(at))).toList();
        return new RunRecord(number, SampleSite.SITE.id(), "Bind the card to vfio-pci", "pve2",
                Optional.of(new RunRecord.CardRef("pve2/0000:01:00", "RTX A1000")), "you, from this computer",
                Optional.empty(), at, state == RunRecord.State.RUNNING ? Optional.empty() : Optional.of(at), state, note,
                records);
    }
}
