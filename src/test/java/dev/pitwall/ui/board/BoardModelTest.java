package dev.pitwall.ui.board;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.engine.live.ProviderId;
import dev.pitwall.engine.live.ProviderView;
import dev.pitwall.engine.live.WallView;
import dev.pitwall.engine.live.Wish;
import dev.pitwall.ui.SampleSite;
import dev.pitwall.ui.words.Texts;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BoardModelTest {

    private static final ProviderId FIRST = new ProviderId("ollama-gpu-a-0");
    private static final ProviderId SECOND = new ProviderId("ollama-gpu-a-1");
    private static final ProviderId THIRD = new ProviderId("ollama-gpu-b-0");
    private static final PlacementId LLAMA = at(FIRST, "llama3.1:8b");
    private static final PlacementId MISTRAL = at(FIRST, "mistral:7b");
    private static final PlacementId CODER = at(FIRST, "qwen2.5-coder:3b");
    private static final PlacementId BGE = at(SECOND, "bge-m3");

    private final BoardModel model = new BoardModel(new Texts());

    @BeforeEach
    void show() {
        model.show(SampleWall.view(), SampleSite.NOW, Set.of(FIRST));
    }

    @Test
    void rowsOutOfSightHaveNoWordsUntilTheirCardIsAskedFor() {
        assertThat(model.columns().get(0).placements()).extracting(PlacementLine::word).contains("idle 41 min");
        ColumnLine unseen = model.columns().get(2);
        assertThat(unseen.placements()).extracting(PlacementLine::word).containsOnly("");
        assertThat(unseen.placements()).extracting(PlacementLine::name).containsExactly("gpt-oss:20b", "qwen2.5vl:7b");
        assertThat(unseen.free()).as("its head is in words").isNotEmpty();

        assertThat(model.column(THIRD).orElseThrow().placements()).extracting(PlacementLine::word).contains("idle 6 min");
        assertThat(model.columns().get(2).placements()).extracting(PlacementLine::word).contains("idle 6 min");
    }

    @Test
    void whatWaitsForItsTurnIsOnNoCardAndTakesNoRoomOfTheBar() {
        ModelName waits = new ModelName("waits:8b");
        WallView view = SampleWall.provider(SampleWall.view(), FIRST, p -> SampleWall.placements(p, Stream.concat(
                p.placements().stream(), Stream.of(SampleWall.placed(waits.text(), new ProviderView.State.Asked(SampleSite.NOW),
                        SampleWall.measured(5), ProviderView.Pinning.NONE))).toList()));
        Bar before = model.column(FIRST).orElseThrow().bar();
        model.show(view, SampleSite.NOW, Set.of(FIRST));
        assertThat(model.column(FIRST).orElseThrow().placements()).extracting(l -> l.id().model()).contains(waits);
        assertThat(model.column(FIRST).orElseThrow().bar()).as("what is said to be free is drawn free").isEqualTo(before);
        assertThat(model.shelf()).noneMatch(l -> l instanceof ShelfLine.OnCard card && card.id().model().equals(waits));
    }

    @Test
    void aRangeIsChosenOnOneCardAndSingleOnesOnAny() {
        model.choose(LLAMA);
        model.chooseTo(CODER);
        assertThat(model.chosen()).containsExactlyInAnyOrder(LLAMA, MISTRAL, CODER);
        model.toggle(MISTRAL);
        model.chooseTo(BGE);
        assertThat(model.chosen()).as("no range reaches over two cards").containsExactlyInAnyOrder(LLAMA, CODER, BGE);
        model.choose(MISTRAL);
        assertThat(model.chosen()).containsExactly(MISTRAL);
    }

    @Test
    void whatIsChosenIsLiftedTogetherAndWhatIsOnTheTargetStays() {
        model.choose(MISTRAL);
        model.toggle(BGE);
        model.lift(new Carry.OfCards(model.about(BGE)));
        assertThat(model.wish(new Drop.OnCard(THIRD))).contains(new Wish.All(List.of(new Wish.Move(BGE, THIRD), new Wish.Move(MISTRAL, THIRD))));
        assertThat(model.wish(new Drop.OnCard(FIRST))).contains(new Wish.Move(BGE, FIRST));
        assertThat(model.wish(new Drop.OnShelf())).contains(new Wish.All(List.of(new Wish.Evict(BGE), new Wish.Evict(MISTRAL))));
        assertThat(model.wish(new Drop.Nowhere())).isEqualTo(Optional.empty());
    }

    @Test
    void whatHasGoneIsNeitherChosenNorCarried() {
        model.choose(BGE);
        model.lift(new Carry.OfCards(List.of(BGE)));
        model.show(SampleWall.provider(SampleWall.view(), SECOND, p -> SampleWall.placements(p, List.of())), SampleSite.NOW, Set.of());
        assertThat(model.chosen()).isEmpty();
        assertThat(model.carry()).isEmpty();
    }

    private static PlacementId at(ProviderId provider, String model) {
        return new PlacementId(provider, new ModelName(model));
    }
}
