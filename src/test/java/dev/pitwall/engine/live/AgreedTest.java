package dev.pitwall.engine.live;

import static dev.pitwall.engine.live.Garage.GIB;
import static dev.pitwall.engine.live.Garage.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.engine.live.Garage.Machine;
import dev.pitwall.engine.live.ProviderView.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who goes for what a person asked for, and when it is said to have gone, on servers of paper. */
class AgreedTest {
    private static final ModelName BIG = new ModelName("big");
    private static final ModelName MID = new ModelName("mid");
    private static final ModelName GUEST = new ModelName("guest");

    private final Garage garage = new Garage();
    private Machine a;

    /** Of 11.5 GiB others have 2 and mid has 4: big, with 7, needs its room. */
    @BeforeEach
    void begin() {
        a = garage.server("a", 12, Map.of("big", 7, "mid", 4, "guest", 4));
        a.others = 2 * GIB;
        garage.seconds(8);
        garage.ask(place(MID));
        garage.seconds(15);
        assertThat(garage.here(a)).containsExactly("mid");
    }

    private Wish.Place place(ModelName model) {
        return new Wish.Place(model, a.id);
    }

    private void clientLoads(ModelName model) {
        a.expires.put(model, garage.now.plusSeconds(300));
    }

    private List<String> titles(Entry.Kind kind) {
        return garage.log().stream().filter(e -> e.kind() == kind).map(Entry::title).toList();
    }

    private String waits() {
        return garage.core.view(garage.now).queue().getFirst().why();
    }

    @Test
    void whoWasNotShownDoesNotGoAndTheOrderEndsByName() {
        Entry order = garage.ask(place(BIG));
        assertThat(waits()).as("mid has gone already").isEqualTo("the memory comes back");
        clientLoads(GUEST);
        garage.seconds(8);
        assertThat(garage.here(a)).containsExactly("guest");
        assertThat(titles(Entry.Kind.LEAVING)).containsExactly("Told mid to go");
        assertThat(garage.log()).anyMatch(e -> e.kind() == Entry.Kind.REFUSED && e.because().equals(Optional.of(order.number()))
                && e.words().startsWith("Not as it was shown: guest"));
        assertThat(garage.core.view(garage.now).queue()).isEmpty();
        assertThat(garage.core.undo(order)).as("only what went comes back").contains(place(MID));
    }

    @Test
    void whatIsAskedForWithLessThanItTakesNowIsRefused() {
        Entry entry = garage.core.ask(place(BIG), Set.of(GUEST), garage.now);
        assertThat(entry.kind()).isEqualTo(Entry.Kind.REFUSED);
        assertThat(entry.words()).contains("mid would have to go now");
        garage.seconds(5);
        assertThat(garage.here(a)).containsExactly("mid");
    }

    @Test
    void whoWasShownGoesThoughThePolicyWouldTakeAnotherByNow() {
        a.files.put(new ModelName("tiny"), GIB);
        a.files.put(new ModelName("three"), 3 * GIB);
        clientLoads(GUEST);
        garage.seconds(4);
        a.loads = Garage.Loads.HANG;
        garage.ask(place(new ModelName("tiny")));
        Set<ModelName> shown = garage.core.preview(place(new ModelName("three")), garage.now).going();
        assertThat(shown).hasSize(1);
        ModelName goes = shown.iterator().next();
        garage.ask(place(new ModelName("three")));
        for (int i = 1; i < 5; i++) {
            a.expires.replace(goes, garage.now.plusSeconds(600 + i));
            garage.seconds(2);
        }
        a.loads = Garage.Loads.WELL;
        garage.ask(new Wish.Cancel(at(a, "tiny")));
        assertThat(garage.core.preview(place(BIG), garage.now).going()).as("by now").doesNotContain(goes);
        garage.seconds(12);
        assertThat(titles(Entry.Kind.EVICTED)).containsExactly("Evicted " + goes);
        assertThat(garage.here(a)).contains("three");
    }

    @Test
    void whoIsIdleByAnOlderLookIsAskedAgainBeforeAnybodyIsToldToGo() {
        garage.seconds(garage.now.getEpochSecond() % 2 == 0 ? 1 : 2);
        a.busy.put(MID, 1);
        assertThat(garage.core.preview(place(BIG), garage.now).going()).containsExactly(MID);
        garage.ask(place(BIG));
        assertThat(garage.done).contains(new Effect.LookAtServer(a.id)).doesNotContain(new Effect.Unload(at(a, "mid")));
        assertThat(titles(Entry.Kind.LEAVING)).isEmpty();
        assertThat(titles(Entry.Kind.WAITED)).containsExactly("big waits");
        a.busy.clear();
        garage.seconds(20);
        assertThat(garage.here(a)).containsExactly("big");
    }

    @Test
    void whatWasUsedSinceTheLookBeforeIsNotIdleWhereRequestsAreNotTold() {
        a.tellsRequests = false;
        garage.seconds(4);
        clientLoads(GUEST);
        garage.read();
        assertThat(state(GUEST)).as("it was just loaded for somebody").isInstanceOf(State.Busy.class);
        garage.now = garage.now.plusSeconds(2);
        clientLoads(GUEST);
        garage.read();
        assertThat(state(GUEST)).as("its time to stay moves: it gives its first answer").isInstanceOf(State.Busy.class);
        garage.seconds(3);
        assertThat(state(GUEST)).isInstanceOf(State.Idle.class);
    }

    private State state(ModelName model) {
        return garage.view(a).placement(model).orElseThrow().state();
    }

    @Test
    void anEvictionIsToldWhenItWasSeenAndOnlyThenCanItBeTakenBack() {
        a.busy.put(MID, 1);
        garage.seconds(2);
        Entry told = garage.ask(new Wish.Evict(at(a, "mid")));
        assertThat(told.title()).isEqualTo("Told mid to go");
        garage.seconds(4);
        assertThat(state(MID)).isInstanceOf(State.Busy.class);
        assertThat(titles(Entry.Kind.FAILED)).containsExactly("mid stays for now");
        assertThat(titles(Entry.Kind.EVICTED)).isEmpty();
        assertThat(garage.core.undo(told)).isEmpty();

        a.busy.clear();
        garage.seconds(6);
        assertThat(titles(Entry.Kind.EVICTED)).containsExactly("Evicted mid");
        assertThat(garage.core.undo(told)).contains(place(MID));
    }

    @Test
    void anOrderThatWaitsIsTakenBackByGivingItUp() {
        a.busy.put(MID, 1);
        garage.seconds(1);
        Entry order = garage.core.ask(place(BIG), Set.of(MID), garage.now);
        assertThat(order.kind()).isEqualTo(Entry.Kind.REFUSED);
        a.busy.clear();
        garage.seconds(2);
        a.loads = Garage.Loads.HANG;
        order = garage.ask(place(BIG));
        assertThat(garage.core.undo(order)).contains(new Wish.All(List.of(new Wish.Cancel(at(a, "big")), place(MID))));
        a.loads = Garage.Loads.WELL;
        garage.ask(garage.core.undo(order).orElseThrow());
        garage.seconds(15);
        assertThat(garage.here(a)).containsExactly("mid");
    }
}
