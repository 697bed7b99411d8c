package dev.pitwall.ui.run;

import dev.pitwall.card.Floor;
import dev.pitwall.card.PciAddress;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.Option;
import dev.pitwall.journey.Answer.Question;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.StepTexts;
import dev.pitwall.ui.words.Texts;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class WindowWordsTest {
    private static final Question DRAIN = new Question("drain", "What becomes of the pods?",
            List.of(new Option("skip", "No pod leaves before", "")), "");

    private static Answer shown(String why, String note) {
        Answer answer = Answer.of(Answer.State.BLOCKED, why, List.of()).noting(note).asking(DRAIN);
        CardPlan plan = new CardPlan(new Situation.Subject("pve1/0000:01:00", "card", "pve1",
                PciAddress.parse("0000:01:00").orElseThrow()), Choices.NONE, Instant.EPOCH,
                List.of(new CardPlan.Planned("bind", Floor.VFIO, StepTexts.load().of("bind"), answer)));
        return new WindowWords(new Texts()).of(plan).steps().getFirst().answer();
    }

    @Test
    void aChoiceIsNamedAsItStandsOnTheScreen() {
        assertThat(shown("let it answer, or choose drain=skip", "").why())
                .isEqualTo("let it answer, or choose \u201cNo pod leaves before\u201d");
        assertThat(shown("choose with --set drain=\u2026, or wait", "").why())
                .isEqualTo("choose with \u201cWhat becomes of the pods?\u201d, or wait");
    }

    @Test
    void whatIsNoChoiceStaysAsItIs() {
        assertThat(shown("hostpci0 has no pcie=1", "iommu=pt is added").why()).isEqualTo("hostpci0 has no pcie=1");
        assertThat(shown("", "iommu=pt is added").notes()).containsExactly("iommu=pt is added");
        assertThat(shown("choose one with --set proof-image=\u2026", "").why())
                .isEqualTo("choose one with the option proof-image of the command line");
    }
}
