package dev.pitwall.ui.garage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.card.Card;
import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorState;
import dev.pitwall.site.Connection;
import dev.pitwall.site.SiteView;
import dev.pitwall.ui.SampleSite;
import dev.pitwall.ui.garage.FloorLine.Weight;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GarageModelTest {

    private static final Instant NOW = SampleSite.NOW;
    private final Texts texts = new Texts();
    private final GarageModel model = new GarageModel(texts);

    @Test
    void theHeadSaysTheOneStateThatMatters() {
        assertThat(tower(SampleSite.up()).word()).isEqualTo("Up");
        assertThat(tower(SampleSite.compiling()).word()).isEqualTo("Compiling driver");
        assertThat(tower(SampleSite.pluginFailing()).word()).isEqualTo("Plugin failing");
        assertThat(tower(SampleSite.silent()).word()).isEqualTo("Unknown, 4 min old");
        assertThat(tower(SampleSite.windows()).word()).isEqualTo("With Windows, 1 h 52 min");
    }

    @Test
    void onlyTheLowestFloorThatIsNotOkIsTheCause() {
        TowerLine tower = tower(SampleSite.pluginFailing());
        assertThat(tower.floors()).filteredOn(f -> f.weight() == Weight.CAUSE).extracting(FloorLine::floor)
                .containsExactly(Floor.PLUGIN);
        assertThat(tower.floor(Floor.TELEMETRY).weight()).isEqualTo(Weight.PLAIN);
        assertThat(tower.floor(Floor.PROOF).weight()).isEqualTo(Weight.CONSEQUENCE);
        assertThat(tower.floor(Floor.PROOF).mark()).isEqualTo(Mark.LOCK);
    }

    @Test
    void exactlyOneFloorOffersExactlyOneAction() {
        for (Card card : List.of(SampleSite.pluginFailing(), SampleSite.silent(), SampleSite.windows())) {
            assertThat(tower(card).floors()).filteredOn(f -> f.action().isPresent()).hasSize(1);
        }
        assertThat(tower(SampleSite.pluginFailing()).floor(Floor.PLUGIN).action()).contains(FloorAction.DOCTOR);
        assertThat(tower(SampleSite.windows()).floor(Floor.VM).action()).contains(FloorAction.TAKE_BACK);
        assertThat(tower(SampleSite.up()).floors()).allMatch(f -> f.action().isEmpty());
    }

    @Test
    void aWaitGoesOnCountingBetweenTwoReads() {
        FloorLine driver = tower(SampleSite.compiling(), NOW.plusSeconds(3)).floor(Floor.DRIVER);
        assertThat(driver.text()).isEqualTo("compiling · 1:42 of about 3 min");
        assertThat(driver.note()).isEqualTo("normal");
        assertThat(driver.progress().orElseThrow()).isBetween(0.58, 0.59);
        assertThat(tower(SampleSite.compiling(), NOW.plusSeconds(90)).floor(Floor.DRIVER).note())
                .isEqualTo("longer than usual");
    }

    @Test
    void aSilentHostSaysWhenItIsAskedAgain() {
        FloorLine firmware = tower(SampleSite.silent()).floor(Floor.FIRMWARE);
        assertThat(firmware.action()).contains(FloorAction.RETRY);
        assertThat(firmware.note()).isEqualTo("12 s");
    }

    @Test
    void whereNoSourceIsConfiguredTheActionIsToConnectOne() {
        SiteView view = new SiteView(SampleSite.SITE, NOW, List.of(SampleSite.silent()),
                List.of(SampleSite.live(Connection.Kind.CLUSTER, "cluster", 1)));
        model.show(view, NOW.minusSeconds(600), NOW);
        assertThat(model.towersProperty().get().getFirst().floor(Floor.FIRMWARE).action())
                .contains(FloorAction.CONNECT);
    }

    @Test
    void aProofSaysItsAgeAndOtherReadingsOnlyOnceTheyAreOld() {
        TowerLine tower = tower(SampleSite.bareMetal());
        assertThat(tower.floor(Floor.PROOF).note()).isEqualTo("17 d");
        assertThat(tower.floor(Floor.DRIVER).note()).isEmpty();
        FloorLine later = tower(SampleSite.bareMetal(), NOW.plusSeconds(30)).floor(Floor.DRIVER);
        assertThat(later.note()).isEqualTo("33 s");
        assertThat(later.noteKind()).isEqualTo(FloorLine.NoteKind.STALE);
    }

    @Test
    void theFiltersCountAndChoose() {
        model.show(SampleSite.view(), NOW, NOW);
        assertThat(model.countsProperty().get()).containsEntry(Filter.ALL, 6).containsEntry(Filter.UP, 2)
                .containsEntry(Filter.WAITING, 1).containsEntry(Filter.FAILING, 1).containsEntry(Filter.BLOCKED, 1)
                .containsEntry(Filter.UNKNOWN, 1);
        model.filterProperty().set(Filter.FAILING);
        assertThat(model.towersProperty().get()).extracting(t -> t.card().host()).containsExactly("pve3");
        model.filterProperty().set(Filter.BLOCKED);
        assertThat(model.towersProperty().get()).extracting(t -> t.card().host()).containsExactly("pve5");
    }

    @Test
    void hostsSortByTheirNumbersAndStatesByUrgency() {
        model.show(SampleSite.view(List.of(SampleSite.up("pve10", "0000:01:00", "A"),
                SampleSite.up("pve2", "0000:01:00", "B"), SampleSite.pluginFailing())), NOW, NOW);
        assertThat(model.towersProperty().get()).extracting(t -> t.card().host())
                .containsExactly("pve2", "pve3", "pve10");
        model.sortProperty().set(Sort.STATE);
        assertThat(model.towersProperty().get().getFirst().state()).isEqualTo(FloorState.FAILING);
    }

    @Test
    void nothingMovesUnderThePointer() {
        model.sortProperty().set(Sort.STATE);
        Card a = SampleSite.up("pve1", "0000:01:00", "A");
        Card b = SampleSite.up("pve2", "0000:01:00", "A");
        model.show(SampleSite.view(List.of(a, b)), NOW, NOW);
        model.pointer(GarageModel.Pointer.OVER);
        Card broken = SampleSite.moved(SampleSite.pluginFailing(), "pve2", "0000:01:00");
        model.show(SampleSite.view(List.of(a, broken)), NOW, NOW);
        assertThat(model.towersProperty().get()).extracting(TowerLine::state)
                .containsExactly(FloorState.OK, FloorState.FAILING);
        model.pointer(GarageModel.Pointer.AWAY);
        assertThat(model.towersProperty().get()).extracting(TowerLine::state)
                .containsExactly(FloorState.FAILING, FloorState.OK);
    }

    @Test
    void hostsStandInTheirOrderAlsoWhenOneAnswersLateUnderThePointer() {
        Card one = SampleSite.up("pve1", "0000:01:00", "A");
        Card two = SampleSite.up("pve2", "0000:01:00", "A");
        Card three = SampleSite.up("pve3", "0000:01:00", "A");
        model.pointer(GarageModel.Pointer.OVER);
        model.show(SampleSite.view(List.of(one, three)), NOW, NOW);
        model.show(SampleSite.view(List.of(one, two, three)), NOW, NOW);
        assertThat(hosts()).containsExactly("pve1", "pve2", "pve3");
        model.show(SampleSite.view(List.of(one, two,
                SampleSite.moved(SampleSite.pluginFailing(), "pve3", "0000:01:00"))), NOW, NOW);
        assertThat(hosts()).containsExactly("pve1", "pve2", "pve3");
    }

    @Test
    void aRefreshPutsTheStatesInOrderUnderThePointer() {
        model.sortProperty().set(Sort.STATE);
        model.show(SampleSite.view(List.of(SampleSite.up("pve1", "0000:01:00", "A"),
                SampleSite.up("pve2", "0000:01:00", "A"))), NOW, NOW);
        model.pointer(GarageModel.Pointer.OVER);
        model.show(SampleSite.view(List.of(SampleSite.up("pve1", "0000:01:00", "A"),
                SampleSite.moved(SampleSite.pluginFailing(), "pve2", "0000:01:00"))), NOW, NOW);
        assertThat(hosts()).containsExactly("pve1", "pve2");
        model.arrange();
        assertThat(hosts()).containsExactly("pve2", "pve1");
    }

    @Test
    void theTowersShownAreAlwaysThoseThatTheirFilterCounts() {
        for (Sort sort : Sort.values()) {
            model.sortProperty().set(sort);
            model.filterProperty().set(Filter.FAILING);
            model.pointer(GarageModel.Pointer.OVER);
            model.show(SampleSite.view(List.of(SampleSite.pluginFailing())), NOW, NOW);
            assertThat(hosts()).hasSize(1);
            model.show(SampleSite.view(List.of(SampleSite.moved(SampleSite.up(), "pve3", "0000:01:00"))), NOW, NOW);
            assertThat(hosts()).hasSize(model.countsProperty().get().get(Filter.FAILING)).isEmpty();
        }
    }

    private List<String> hosts() {
        return model.towersProperty().get().stream().map(t -> t.card().host()).toList();
    }

    @Test
    void aValueFromAnEarlierRunThatIsBeingReadOffersNothing() {
        Connection reading = new Connection(Connection.Kind.PROXMOX, "pve4", Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty(), Duration.ofSeconds(10));
        for (Connection other : List.of(SampleSite.live(Connection.Kind.CLUSTER, "cluster", 1), reading)) {
            model.show(new SiteView(SampleSite.SITE, NOW, List.of(SampleSite.silent()), List.of(other, reading)), NOW, NOW);
            assertThat(model.towersProperty().get().getFirst().floors()).allMatch(f -> f.action().isEmpty());
        }
        Connection answeredHost = SampleSite.live(Connection.Kind.SHELL, "pve4", 1);
        model.show(new SiteView(SampleSite.SITE, NOW, List.of(SampleSite.silent()), List.of(answeredHost)), NOW, NOW);
        assertThat(model.towersProperty().get().getFirst().floors()).allMatch(f -> f.action().isEmpty());
    }

    @Test
    void theKeyboardStartsAtWhatNeedsSomebodyAndStaysOnTheWall() {
        model.filterProperty().set(Filter.FAILING);
        model.show(SampleSite.view(), NOW, NOW);
        model.enter();
        assertThat(model.cursorProperty().get()).contains(new Cursor("pve3/0000:01:00", Floor.PLUGIN));
        model.moveFloor(100);
        assertThat(model.cursorProperty().get().orElseThrow().floor()).isEqualTo(Floor.SERVER);
        model.moveFloor(-100);
        model.moveCard(5);
        assertThat(model.cursorProperty().get()).contains(new Cursor("pve3/0000:01:00", Floor.FIRMWARE));
    }

    @Test
    void theFirstReadKeepsTheRowsAndNamesTheSourceAfterTwoSeconds() {
        Connection reading = new Connection(Connection.Kind.PROXMOX, "pve1", Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty(), Duration.ofSeconds(10));
        SiteView view = new SiteView(SampleSite.SITE, NOW, List.of(), List.of(reading));
        model.show(view, NOW, NOW.plusMillis(500));
        TowerLine tower = model.towersProperty().get().getFirst();
        assertThat(tower.floors()).hasSize(10).allMatch(f -> f.text().equals("reading …"));
        model.show(view, NOW, NOW.plusSeconds(3));
        assertThat(model.towersProperty().get().getFirst().floors())
                .allMatch(f -> f.text().equals("reading pve1 …"));
        assertThat(model.countsProperty().get()).containsEntry(Filter.ALL, 0);
    }

    @Test
    void anEmptyWallSaysWhy() {
        model.show(new SiteView(SampleSite.SITE, NOW, List.of(), List.of()), NOW, NOW);
        assertThat(model.emptiness()).isEqualTo(GarageModel.Emptiness.READING);
        model.show(SampleSite.view(List.of()), NOW, NOW);
        assertThat(model.emptiness()).isEqualTo(GarageModel.Emptiness.NO_CARDS);
        model.show(SampleSite.view(List.of(SampleSite.up())), NOW, NOW);
        model.filterProperty().set(Filter.FAILING);
        assertThat(model.emptiness()).isEqualTo(GarageModel.Emptiness.NOTHING_MATCHES);
    }

    @Test
    void aTowerCanBeCopiedAsText() {
        assertThat(tower(SampleSite.pluginFailing()).asText())
                .startsWith("RTX A1000 8 GB: Plugin failing\npve3 · 0000:01:00 · rke2-worker-dc3-gpu-a\n")
                .contains("plugin       failing        Untolerated taint");
    }

    private TowerLine tower(Card card) {
        return tower(card, NOW);
    }

    private TowerLine tower(Card card, Instant now) {
        model.show(SampleSite.view(List.of(card)), NOW, now);
        return model.towersProperty().get().getFirst();
    }
}
