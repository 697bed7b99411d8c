package dev.pitwall.ui.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.card.Card;
import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorState;
import dev.pitwall.card.FloorStatus;
import dev.pitwall.card.Reading;
import dev.pitwall.card.Source;
import dev.pitwall.ui.SampleSite;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.words.Texts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NowWordsTest {

    private final NowWords words = new NowWords(new Texts());

    @Test
    void cardsAreFreeOnlyIfEveryPluginFloorHasCountedAndNamesNoHolder() {
        Card free = plugin("1 of 1 free", "allocatable");
        Card held = plugin("1 of 1 held by ollama-a", "allocatable", "held by");
        assertThat(says(Page.CLAIMS, free, free, free)).isEqualTo("All 3 cards are free");
        assertThat(says(Page.CLAIMS, free, held)).isEqualTo("1 of 2 cards held");
        assertThat(says(Page.CLAIMS, free, held, SampleSite.silent()))
                .isEqualTo("1 of 2 cards held; of 1 more, nobody can say now");
    }

    private String says(Page page, Card... cards) {
        return words.sentence(page, SampleSite.view(List.of(cards)));
    }

    private static Card plugin(String says, String... readings) {
        Card card = SampleSite.up();
        List<FloorStatus> floors = new ArrayList<>(card.floors());
        floors.set(Floor.PLUGIN.ordinal(), new FloorStatus(Floor.PLUGIN, FloorState.OK, says, Optional.empty(),
                Arrays.stream(readings).map(name -> Reading.of(name, "ai/ollama-a-0",
                        new Source(Source.Kind.CLUSTER, "cluster", "pods"), SampleSite.NOW)).toList(), Optional.empty()));
        return new Card(card.id(), card.host(), card.address(), card.name(), card.uuid(), card.vramMiB(), card.vm(),
                card.node(), card.server(), floors);
    }
}
