package dev.pitwall.ui.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SearchModelTest {

    private final SearchModel model = new SearchModel(List.of(
            entry(SearchEntry.Kind.CARD, "RTX A1000", "pve1 · 0000:01:00"),
            entry(SearchEntry.Kind.CARD, "RTX 4090", "pve4 · 0000:01:00"),
            entry(SearchEntry.Kind.NODE, "rke2-worker-dc4-gpu-a", "RTX 4090"),
            entry(SearchEntry.Kind.MODEL, "qwen3:14b", "ollama-a"),
            entry(SearchEntry.Kind.ACTION, "Go to Garage", "Ctrl+1"),
            entry(SearchEntry.Kind.ACTION, "Read everything again", "F5")));

    @Test
    void withoutAQueryEverythingIsListedCardsFirst() {
        assertThat(model.foundProperty().get()).hasSize(6).first().extracting(SearchEntry::title).isEqualTo("RTX A1000");
    }

    @Test
    void everyWordMustOccurInAnyOrder() {
        assertThat(titles("pve4 rtx")).containsExactly("RTX 4090");
    }

    @Test
    void lettersInOrderAreEnough() {
        assertThat(titles("qw14")).containsExactly("qwen3:14b");
        assertThat(titles("rkdc4")).containsExactly("rke2-worker-dc4-gpu-a");
    }

    @Test
    void theStartOfAWordBeatsItsInside() {
        assertThat(titles("ga").getFirst()).isEqualTo("Go to Garage");
    }

    @Test
    void whatIsNotThereIsNotFound() {
        assertThat(titles("zzz")).isEmpty();
    }

    private List<String> titles(String query) {
        model.queryProperty().set(query);
        return model.foundProperty().get().stream().map(SearchEntry::title).toList();
    }

    private static SearchEntry entry(SearchEntry.Kind kind, String title, String detail) {
        return new SearchEntry(kind, title, detail, () -> { });
    }
}
