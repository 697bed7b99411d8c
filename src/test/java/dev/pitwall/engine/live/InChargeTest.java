package dev.pitwall.engine.live;

import static dev.pitwall.engine.live.Garage.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.engine.charge.Charge;
import dev.pitwall.engine.live.Garage.Machine;
import dev.pitwall.engine.live.Preview.Refused;
import dev.pitwall.engine.live.Preview.Why;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who decides, on servers of paper. */
class InChargeTest {
    private static final Charge.State OTHER = new Charge.State.Elsewhere("pitwall-engine-7d9_1");

    private final Garage garage = new Garage();
    private Machine a;

    @BeforeEach
    void begin() {
        a = garage.server("a", 12, Map.of("mid", 4, "small", 2));
        garage.seconds(8);
    }

    private void turn(Charge.State state) {
        garage.core.charge(state, garage.now);
    }

    @Test
    void whoIsNotInChargeWatchesAndSaysWhoIs() {
        turn(OTHER);
        Wish wish = new Wish.Place(new ModelName("mid"), a.id);
        assertThat(garage.core.preview(wish, garage.now)).isInstanceOfSatisfying(Refused.class, refused -> {
            assertThat(refused.why()).isEqualTo(Why.NOT_IN_CHARGE);
            assertThat(refused.words()).contains("pitwall-engine-7d9_1 decides");
        });
        garage.ask(wish);
        a.expires.put(new ModelName("small"), garage.now.plusSeconds(300));
        garage.seconds(10);
        assertThat(a.began).isEmpty();
        assertThat(garage.here(a)).containsExactly("small");
        assertThat(garage.core.view(garage.now).others()).singleElement().asString().contains("pitwall-engine-7d9_1");
    }

    @Test
    void whatIsAskedWhileNobodyDecidesWaitsForTheLeaseAndIsThenDone() {
        turn(new Charge.State.Free());
        a.expires.put(new ModelName("small"), garage.now.plusSeconds(3));
        garage.seconds(10);
        assertThat(garage.core.claims()).isFalse();
        Wish wish = new Wish.Place(new ModelName("mid"), a.id);
        assertThat(garage.core.preview(wish, garage.now)).isInstanceOf(Preview.Possible.class);
        Entry entry = garage.ask(wish);
        assertThat(entry.kind()).isEqualTo(Entry.Kind.WAITED);
        assertThat(entry.words()).contains("Lease");
        assertThat(garage.core.claims()).isTrue();
        garage.seconds(5);
        assertThat(a.began).isEmpty();
        turn(new Charge.State.Here());
        garage.seconds(10);
        assertThat(garage.here(a)).containsExactly("mid");
        assertThat(a.began).containsEntry(new ModelName("mid"), 1);
    }

    @Test
    void whatWaitsForTheLeaseIsRefusedWhereAnotherGetsIt() {
        turn(new Charge.State.Free());
        garage.ask(new Wish.Place(new ModelName("mid"), a.id));
        turn(OTHER);
        garage.seconds(5);
        turn(new Charge.State.Here());
        garage.seconds(10);
        assertThat(a.began).isEmpty();
        assertThat(garage.log()).anyMatch(e -> e.kind() == Entry.Kind.REFUSED && e.words().contains("pitwall-engine-7d9_1"));
    }

    @Test
    void onlyTheModeInWhichItDecidesItselfClaimsTheLeaseAndSaysSoFirst() {
        turn(new Charge.State.Free());
        garage.ask(new Wish.SetMode(Mode.MANUAL));
        assertThat(garage.core.claims()).isFalse();
        Wish automatic = new Wish.SetMode(Mode.AUTOMATIC);
        assertThat(garage.core.preview(automatic, garage.now)).isInstanceOfSatisfying(Preview.Possible.class, possible ->
                assertThat(possible.interrupts()).singleElement().asString().contains("Lease pitwall-engine"));
        garage.ask(automatic);
        assertThat(garage.core.claims()).isTrue();
        turn(new Charge.State.Here());
        assertThat(garage.core.preview(automatic, garage.now)).isInstanceOfSatisfying(Preview.Possible.class, possible ->
                assertThat(possible.interrupts()).isEmpty());
    }

    @Test
    void thatPinsAreNotKeptIsSaidWhileNobodyDecides() {
        garage.ask(new Wish.Place(new ModelName("mid"), a.id));
        garage.seconds(10);
        garage.ask(new Wish.Pin(at(a, "mid")));
        turn(new Charge.State.Free());
        assertThat(garage.core.view(garage.now).others()).singleElement().asString().contains("Nobody decides");
    }

    @Test
    void aPinIsNotBroughtBackByWhoIsNotInChargeAndIsOnceItIs() {
        garage.ask(new Wish.Place(new ModelName("mid"), a.id));
        garage.seconds(10);
        garage.ask(new Wish.Pin(at(a, "mid")));
        turn(OTHER);
        a.expires.clear();
        garage.seconds(60);
        assertThat(a.began).containsEntry(new ModelName("mid"), 1);
        turn(new Charge.State.Here());
        garage.seconds(30);
        assertThat(garage.here(a)).containsExactly("mid");
        assertThat(garage.log()).extracting(Entry::title).contains("This Pitwall decides no more", "This Pitwall decides now");
    }

    @Test
    void anAnswerThatIsLateIsAWaitAndTheEndOfItIsSaid() {
        a.loads = Garage.Loads.HANG;
        garage.ask(new Wish.Place(new ModelName("mid"), a.id));
        garage.ask(new Wish.Place(new ModelName("small"), a.id));
        garage.seconds(2);
        turn(new Charge.State.Looking());
        garage.seconds(2);
        assertThat(garage.log().getFirst().kind()).isEqualTo(Entry.Kind.WAITED);
        assertThat(garage.log().getFirst().title()).startsWith("Asking the cluster who decides");
        assertThat(garage.core.view(garage.now).others()).singleElement().asString().startsWith("Asking the cluster");
        assertThat(garage.core.view(garage.now).queue()).as("nobody else is known to decide").hasSize(1);
        turn(new Charge.State.Here());
        assertThat(garage.log().getFirst().title()).isEqualTo("This Pitwall decides again");
        assertThat(garage.core.view(garage.now).others()).isEmpty();
        a.loads = Garage.Loads.WELL;
        garage.ask(new Wish.Cancel(at(a, "mid")));
        garage.seconds(10);
        assertThat(garage.here(a)).containsExactly("small");
    }

    @Test
    void whatIsAskedDuringTheFirstLookWaitsForItsAnswer() {
        garage.core = new LiveCore(EngineRecord.Kept.NOTHING);
        turn(new Charge.State.Looking());
        garage.seconds(2);
        assertThat(garage.core.view(garage.now).others()).isEmpty();
        Entry entry = garage.ask(new Wish.Place(new ModelName("mid"), a.id));
        assertThat(entry.kind()).isEqualTo(Entry.Kind.WAITED);
        assertThat(entry.words()).startsWith("Asking the cluster who decides");
        garage.seconds(6);
        assertThat(garage.core.view(garage.now).others()).as("a long first look is said").hasSize(1);
        turn(new Charge.State.Here());
        garage.seconds(10);
        assertThat(garage.here(a)).containsExactly("mid");
    }

    @Test
    void whatWaitsIsDroppedByWhoDecidesNoMore() {
        a.loads = Garage.Loads.HANG;
        garage.ask(new Wish.Place(new ModelName("mid"), a.id));
        garage.ask(new Wish.Place(new ModelName("small"), a.id));
        garage.seconds(4);
        turn(OTHER);
        garage.seconds(2);
        assertThat(garage.core.view(garage.now).queue()).isEmpty();
        assertThat(garage.log()).anyMatch(e -> e.title().equals("Not loaded: small") && e.words().contains("pitwall-engine-7d9_1"));
        turn(new Charge.State.Here());
        garage.seconds(10);
        assertThat(a.began).doesNotContainKey(new ModelName("small"));
    }
}
