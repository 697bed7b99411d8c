package dev.pitwall.engine.live;

import static dev.pitwall.engine.live.Garage.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.card.Trouble;
import dev.pitwall.engine.live.Garage.Machine;
import dev.pitwall.engine.live.Preview.Possible;
import dev.pitwall.engine.live.Preview.Refused;
import dev.pitwall.engine.live.Preview.Why;
import dev.pitwall.engine.live.ProviderView.PlacementView;
import dev.pitwall.engine.live.ProviderView.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How fast a model is, on servers of paper. */
class MeasureSpeedTest {
    private static final ModelName MID = new ModelName("mid");

    private final Garage garage = new Garage();
    private Machine a;
    private PlacementId mid;

    @BeforeEach
    void begin() {
        a = garage.server("a", 12, Map.of("mid", 4, "small", 2));
        mid = at(a, "mid");
        garage.seconds(8);
        garage.ask(new Wish.Place(MID, a.id));
        garage.seconds(14);
    }

    private PlacementView mid() {
        return garage.view(a).placement(MID).orElseThrow();
    }

    private void ends(SpeedOutcome outcome) {
        garage.core.speedEnded(mid, outcome, garage.now);
        garage.seconds(4);
    }

    @Test
    void whatAModelIsLoadedForMeanwhileIsNoLossAndTheResultStands() {
        Possible preview = (Possible) garage.core.preview(new Wish.MeasureSpeed(mid), garage.now);
        assertThat(preview.interrupts()).singleElement().asString().contains("processor");
        garage.ask(new Wish.MeasureSpeed(mid));
        assertThat(garage.done).contains(new Effect.MeasureSpeed(mid, ServerDriver.Course.BOTH, ServerDriver.Stay.USUAL));

        // It goes from the card, as Ollama does it, and others have to wait.
        a.expires.remove(MID);
        garage.ask(new Wish.Place(new ModelName("small"), a.id));
        garage.seconds(10);
        assertThat(mid().state()).isInstanceOf(State.Busy.class);
        assertThat(mid().notes()).contains("Its speed is being measured.");
        assertThat(a.began).doesNotContainKey(new ModelName("small"));
        assertThat(((Refused) garage.core.preview(new Wish.Evict(mid), garage.now)).why()).isEqualTo(Why.BUSY);

        a.expires.put(MID, garage.now.plusSeconds(300));
        ends(new SpeedOutcome(OptionalDouble.of(31.2), OptionalDouble.of(4.1), Optional.empty(), Optional.empty()));
        assertThat(mid().state()).isInstanceOf(State.Idle.class);
        assertThat(mid().speed().orElseThrow()).satisfies(s -> assertThat(s.onProcessor()).hasValue(4.1));
        assertThat(garage.log()).noneMatch(e -> e.kind() == Entry.Kind.LOST);
        assertThat(garage.log()).anyMatch(e -> e.words().equals("31 tokens a second on the card of a, 4.1 on the processor"));
        garage.seconds(20);
        assertThat(garage.here(a)).contains("mid", "small");
    }

    @Test
    void aServerAtWorkIsNotMeasuredAndOneThatCannotSaysSo() {
        a.busy.put(MID, 1);
        garage.seconds(4);
        assertThat(((Refused) garage.core.preview(new Wish.MeasureSpeed(mid), garage.now)).why()).isEqualTo(Why.BUSY);
        assertThat(((Refused) garage.core.preview(new Wish.MeasureSpeed(at(a, "small")), garage.now)).why()).isEqualTo(Why.NOT_THERE);
    }

    @Test
    void whatFailedAndWhatIsNotBackIsSaidAndAPinIsKept() {
        garage.ask(new Wish.Pin(mid));
        garage.ask(new Wish.MeasureSpeed(mid));
        assertThat(garage.done).contains(new Effect.MeasureSpeed(mid, ServerDriver.Course.BOTH, ServerDriver.Stay.ALWAYS));
        garage.ask(new Wish.Cancel(mid));
        assertThat(garage.done).contains(new Effect.CancelMeasure(mid));
        a.expires.remove(MID);
        Trouble trouble = new Trouble(Trouble.Kind.BUSY, "a", "it was given up", "Ask again.");
        ends(new SpeedOutcome(OptionalDouble.of(30), OptionalDouble.empty(), Optional.of(trouble), Optional.of(trouble)));
        List<String> titles = garage.log().stream().map(Entry::title).toList();
        assertThat(titles).contains("Could not measure how fast mid is", "mid is not back on the card");
        garage.seconds(40);
        assertThat(garage.here(a)).contains("mid");
    }
}
