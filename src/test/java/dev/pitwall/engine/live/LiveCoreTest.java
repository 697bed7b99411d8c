package dev.pitwall.engine.live;

import static dev.pitwall.engine.live.Garage.GIB;
import static dev.pitwall.engine.live.Garage.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.engine.live.Garage.Loads;
import dev.pitwall.engine.live.Garage.Machine;
import dev.pitwall.engine.live.Preview.Possible;
import dev.pitwall.engine.live.Preview.Refused;
import dev.pitwall.engine.live.Preview.Why;
import dev.pitwall.engine.live.ProviderView.Pinning;
import dev.pitwall.engine.live.ProviderView.Standing;
import dev.pitwall.engine.live.ProviderView.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The live engine on servers of paper. */
class LiveCoreTest {
    private final Garage garage = new Garage();
    private Machine a;
    private Machine b;

    @BeforeEach
    void begin() {
        a = garage.server("a", 12, Map.of("big", 7, "mid", 4, "small", 2, "huge", 20));
        b = garage.server("b", 12, Map.of("big", 7, "mid", 4));
        garage.seconds(8);
    }

    private static Wish.Place place(Machine machine, String model) {
        return new Wish.Place(new ModelName(model), machine.id);
    }

    private void placed(Machine machine, String model) {
        garage.ask(place(machine, model));
        garage.seconds(14);
        assertThat(garage.here(machine)).contains(model);
    }

    private Preview preview(Wish wish) {
        return garage.core.preview(wish, garage.now);
    }

    private Why why(Wish wish) {
        return ((Refused) preview(wish)).why();
    }

    @Test
    void aModelGoesThroughItsLifeAndIsMeasured() {
        Entry entry = garage.ask(place(a, "big"));
        assertThat(entry.kind()).isEqualTo(Entry.Kind.LOADING);
        garage.seconds(3);
        State loading = garage.view(a).placements().getFirst().state();
        assertThat(loading).isInstanceOfSatisfying(State.Loading.class, l -> assertThat(l.progress()).isPresent());

        garage.seconds(20);

        ProviderView.PlacementView there = garage.view(a).placements().getFirst();
        assertThat(there.state()).isInstanceOf(State.Idle.class);
        assertThat(there.by()).isEqualTo(ProviderView.By.PERSON);
        assertThat(there.memory().basis()).isEqualTo(Memory.Basis.MEASURED);
        assertThat(there.memory().bytes()).isEqualTo(7 * GIB);
        ProviderView.Room room = garage.view(a).room().orElseThrow();
        assertThat(room.free()).isEqualTo(room.total() - room.reserve() - 7 * GIB);
        assertThat(garage.log()).extracting(Entry::kind).contains(Entry.Kind.LOADED, Entry.Kind.MEASURED);
        assertThat(a.began).containsEntry(new ModelName("big"), 1);
    }

    @Test
    void roomIsMadeByTheOneThatIsLeastNeededAndUndoneByBringingItBack() {
        placed(a, "big");
        placed(a, "small");
        Possible preview = (Possible) preview(place(a, "mid"));
        assertThat(preview.victims()).extracting(v -> v.model().text()).hasSize(1);
        String victim = preview.victims().getFirst().model().text();

        Entry entry = garage.ask(place(a, "mid"));
        garage.seconds(20);

        assertThat(garage.here(a)).contains("mid").doesNotContain(victim);
        Wish.All undo = (Wish.All) garage.core.undo(entry).orElseThrow();
        assertThat(undo.wishes()).containsExactly(new Wish.Evict(at(a, "mid")), place(a, victim));
        garage.ask(undo);
        garage.seconds(20);
        assertThat(garage.here(a)).containsExactly("big", "small");
    }

    @Test
    void whatCannotBeDoneIsRefusedByName() {
        assertThat(why(place(a, "huge"))).isEqualTo(Why.TOO_LARGE);
        assertThat(why(place(b, "small"))).isEqualTo(Why.NOT_INSTALLED);
        assertThat(why(new Wish.Evict(at(a, "big")))).isEqualTo(Why.NOT_THERE);
        placed(a, "big");
        assertThat(why(place(a, "big"))).isEqualTo(Why.ALREADY_THERE);
        garage.ask(new Wish.Pin(at(a, "big")));
        placed(a, "small");
        garage.ask(new Wish.Pin(at(a, "small")));
        assertThat(why(place(a, "mid"))).isEqualTo(Why.PINNED);
        assertThat(why(new Wish.Evict(at(a, "big")))).isEqualTo(Why.PINNED);
        garage.ask(new Wish.Unpin(at(a, "big")));
        a.busy.put(new ModelName("big"), 1);
        garage.seconds(2);
        assertThat(why(place(a, "mid"))).isEqualTo(Why.BUSY);
        garage.ask(new Wish.Hold(b.id, Optional.of(garage.now.plusSeconds(5))));
        assertThat(why(place(b, "big"))).isEqualTo(Why.HELD);
        garage.seconds(7);
        assertThat(preview(place(b, "big"))).isInstanceOf(Possible.class);
        garage.dies(b);
        garage.seconds(5);
        assertThat(why(place(b, "big"))).isEqualTo(Why.SERVER_DOWN);
    }

    @Test
    void aServerThatCountsItsModelsLosesTheOneThatIsChosenHereAndNoOther() {
        a.most = OptionalInt.of(2);
        placed(a, "small");
        placed(a, "mid");
        garage.ask(new Wish.Pin(at(a, "small")));
        a.files.put(new ModelName("tiny"), GIB);
        garage.seconds(2);
        // There is memory for all three.
        assertThat(((Possible) preview(place(a, "tiny"))).victims()).extracting(v -> v.model().text()).containsExactly("mid");
        placed(a, "tiny");
        assertThat(garage.here(a)).containsExactly("small", "tiny");
        garage.ask(new Wish.Pin(at(a, "tiny")));
        assertThat(why(place(a, "mid"))).isEqualTo(Why.PINNED);
        assertThat(((Refused) preview(place(a, "mid"))).words()).contains("at most 2 models", "small and tiny");
    }

    @Test
    void aModelWhoseSizeNobodyTellsIsNeverTakenForAnEmptyOne() {
        a.untold.addAll(List.of(new ModelName("mid"), new ModelName("Qwen3-4B-Q4_K_M")));
        a.files.put(new ModelName("Qwen3-4B-Q4_K_M"), 3 * GIB);
        garage.seconds(2);
        Memory named = ((Possible) preview(place(a, "Qwen3-4B-Q4_K_M"))).figures().orElseThrow().need();
        assertThat(named.basis()).isEqualTo(Memory.Basis.NAME);
        assertThat(named.bytes()).isBetween(2 * GIB, 4 * GIB);
        assertThat(((Possible) preview(place(a, "mid"))).figures().orElseThrow().need().basis()).isEqualTo(Memory.Basis.UNKNOWN);
        assertThat(garage.ask(place(a, "mid")).words()).contains("not known before it has been loaded once");
        garage.seconds(20);
        assertThat(garage.view(a).placements().getFirst().memory().bytes()).isEqualTo(4 * GIB);
    }

    @Test
    void othersMemoryCountsAndIsSeen() {
        a.others = 6 * GIB;
        garage.seconds(6);
        assertThat(garage.view(a).room().orElseThrow().foreign()).extracting(ProviderView.Foreign::bytes).containsExactly(6 * GIB);
        assertThat(why(place(a, "big"))).isEqualTo(Why.TOO_LARGE);
        assertThat(garage.log()).extracting(Entry::kind).contains(Entry.Kind.FOREIGN);
    }

    @Test
    void aPinComesBackAfterARestartOnceAndNoMore() {
        placed(a, "mid");
        garage.ask(new Wish.Pin(at(a, "mid")));
        garage.dies(a);
        garage.seconds(6);
        assertThat(garage.view(a).standing()).isInstanceOf(Standing.Silent.class);
        a.up = true;
        garage.seconds(40);

        assertThat(garage.here(a)).containsExactly("mid");
        assertThat(garage.view(a).placements().getFirst().pinned()).isEqualTo(Pinning.PINNED);
        assertThat(a.began).containsEntry(new ModelName("mid"), 2);
        assertThat(garage.done).filteredOn(e -> e instanceof Effect.Load(PlacementId _, ServerDriver.Stay stay, long _)
                && stay == ServerDriver.Stay.ALWAYS).hasSize(1);
    }

    @Test
    void aPinThatCannotBeLoadedIsTriedLessAndLess() {
        placed(a, "mid");
        garage.ask(new Wish.Pin(at(a, "mid")));
        a.loads = Loads.FAIL;
        a.expires.clear();
        garage.seconds(300);
        assertThat(a.began.get(new ModelName("mid"))).isBetween(3, 7);
        assertThat(garage.log()).filteredOn(e -> e.kind() == Entry.Kind.LOST).hasSize(1);
    }

    @Test
    void roomForAPinIsMadeOnlyWhereTheEngineDecides() {
        placed(a, "big");
        garage.ask(new Wish.Pin(at(a, "big")));
        a.expires.clear();
        a.expires.put(new ModelName("mid"), garage.now.plusSeconds(900));
        a.expires.put(new ModelName("small"), garage.now.plusSeconds(900));
        garage.seconds(20);
        assertThat(garage.here(a)).containsExactly("mid", "small");
        assertThat(garage.log().stream().filter(e -> e.kind() == Entry.Kind.SUGGESTED).map(Entry::wish).toList())
                .containsExactly(Optional.of(place(a, "big")));

        garage.ask(new Wish.SetMode(Mode.AUTOMATIC));
        garage.seconds(60);
        assertThat(garage.here(a)).contains("big");
        assertThat(garage.kept.mode()).isEqualTo(Mode.AUTOMATIC);
    }

    @Test
    void aLoadThatHangsIsShownAndGivenUpAndNothingIsLoadedTwice() {
        a.loads = Loads.HANG;
        garage.ask(place(a, "mid"));
        garage.ask(place(a, "small"));
        garage.seconds(60);
        assertThat(garage.view(a).standing()).isInstanceOf(Standing.Hanging.class);
        assertThat(a.began).hasSize(1);
        garage.seconds(280);
        assertThat(garage.view(a).placements()).anyMatch(p -> p.model().text().equals("mid") && p.state() instanceof State.Failed);
        assertThat(a.began).containsOnlyKeys(new ModelName("mid"), new ModelName("small"));
    }

    @Test
    void aMoveGivesUpTheOldPlaceOnlyWhenTheNewOneIsReady() {
        placed(a, "big");
        garage.ask(new Wish.Pin(at(a, "big")));
        garage.ask(new Wish.Move(at(a, "big"), b.id));
        garage.seconds(4);
        assertThat(garage.here(a)).containsExactly("big");
        garage.seconds(20);
        assertThat(garage.here(a)).isEmpty();
        assertThat(garage.here(b)).containsExactly("big");
        assertThat(garage.kept.pins()).isEqualTo(Set.of(at(b, "big")));
    }

    @Test
    void whatOthersDoIsSaid() {
        a.expires.put(new ModelName("mid"), garage.now.plusSeconds(300));
        garage.seconds(3);
        assertThat(garage.view(a).placements().getFirst().by()).isEqualTo(ProviderView.By.OTHERS);
        a.expires.clear();
        garage.seconds(3);
        assertThat(garage.view(a).placements().getFirst().state()).isInstanceOf(State.Lost.class);
        assertThat(garage.log()).extracting(Entry::kind).contains(Entry.Kind.FOREIGN, Entry.Kind.LOST);
        assertThat(a.began).isEmpty();
    }

    @Test
    void severalWishesAreLookedAtOneAfterTheOther() {
        assertThat(preview(new Wish.All(List.of(place(a, "big"), place(a, "mid"))))).isInstanceOfSatisfying(Refused.class,
                r -> assertThat(r.why()).isEqualTo(Why.BUSY));
        placed(a, "big");
        assertThat(preview(new Wish.All(List.of(new Wish.Evict(at(a, "big")), place(a, "mid"), place(a, "small")))))
                .isInstanceOfSatisfying(Possible.class, p -> assertThat(p.victims()).isEmpty());
    }

    @Test
    void aBusyModelThatWasToldToGoStaysUntilItIsDone() {
        placed(a, "mid");
        a.busy.put(new ModelName("mid"), 1);
        garage.seconds(2);
        garage.ask(new Wish.Evict(at(a, "mid")));
        garage.seconds(2);
        assertThat(garage.view(a).placements().getFirst().state()).isInstanceOf(State.Busy.class);
    }
}
