package dev.pitwall.engine.live;

import static dev.pitwall.engine.live.Garage.GIB;
import static dev.pitwall.engine.live.Garage.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.engine.live.Garage.Machine;
import dev.pitwall.engine.live.ProviderView.Foreign;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whether the memory of models that went is back, on servers of paper. */
class ReturningTest {
    private final Garage garage = new Garage();
    private Machine a;

    @BeforeEach
    void begin() {
        a = garage.server("a", 12, Map.of("big", 7, "mid", 4, "small", 2));
        a.source = SiteReader.SMI;
        garage.seconds(8);
        garage.ask(new Wish.Place(new ModelName("big"), a.id));
        garage.seconds(20);
    }

    private Optional<Entry> said() {
        return garage.log().stream().filter(e -> e.title().contains("not back")).findFirst();
    }

    @Test
    void whatComesBackIsFreeAndNothingIsSaid() {
        garage.ask(new Wish.Evict(at(a, "big")));
        garage.seconds(12);
        assertThat(said()).isEmpty();
        assertThat(garage.view(a).room().orElseThrow().foreign()).isEmpty();
        assertThat(garage.done).contains(new Effect.LookAtCard(a.id));
    }

    @Test
    void whatStaysHeldIsToldAfterEightSecondsAndIsNotFree() {
        a.leaks = true;
        garage.ask(new Wish.Evict(at(a, "big")));
        garage.seconds(7);
        assertThat(said()).isEmpty();
        garage.seconds(5);
        assertThat(said()).hasValueSatisfying(e -> assertThat(e.title()).isEqualTo("7.0 GiB are not back on a"));
        ProviderView.Room room = garage.view(a).room().orElseThrow();
        assertThat(room.foreign()).extracting(Foreign::bytes).containsExactly(7 * GIB);
        assertThat(garage.log()).noneMatch(e -> e.title().startsWith("Others use"));
    }

    @Test
    void aLoadThatNeedsTheRoomBeginsOnlyWhenTheCardHasIt() {
        a.leaks = true;
        garage.ask(new Wish.Place(new ModelName("mid"), a.id));
        garage.ask(new Wish.Place(new ModelName("small"), a.id));
        garage.seconds(8);
        garage.ask(new Wish.Evict(at(a, "big")));
        garage.seconds(40);
        // 12 GiB less 7 that stay held and the reserve: the two do not fit together, and neither drives the card over.
        assertThat(garage.here(a)).doesNotContain("big");
        assertThat(a.taken() + a.others).isLessThanOrEqualTo(a.total);
    }

    @Test
    void aSampledCardSaysItWhenItHasBeenSampled() {
        a.source = "DCGM";
        a.leaks = true;
        garage.ask(new Wish.Evict(at(a, "big")));
        garage.seconds(4);
        assertThat(said()).isPresent();
        assertThat(garage.done).doesNotContain(new Effect.LookAtCard(a.id));
    }
}
