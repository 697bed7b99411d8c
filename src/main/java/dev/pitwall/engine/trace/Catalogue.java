package dev.pitwall.engine.trace;

import dev.pitwall.engine.ModelSpec;
import dev.pitwall.engine.ProviderSpec;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Models and cards as people have them at home. Sizes are those of common files; speeds are of the order of the card's. */
final class Catalogue {

    /** A model; its speed is that on a card of 1,000 GB/s. */
    private record Entry(String name, int weightsMiB, int kvKiBPerToken, int contextTokens, double tokensPerSecond) {
    }

    /** A card: its memory, how fast weights come in, and its speed against one of 1,000 GB/s. */
    enum Card {
        A1000(8188, 512, 550, 0.45), RTX3060(12288, 512, 800, 0.5), RTX4070(16376, 600, 1300, 0.7),
        RTX3090(24576, 600, 1000, 0.95), RTX4090(24564, 600, 1100, 1), RTX5090(32607, 600, 2400, 1.6),
        A6000(49140, 800, 1500, 0.8);

        private final int vramMiB;
        private final int reserveMiB;
        private final int loadMiBPerSecond;
        private final double speed;

        Card(int vramMiB, int reserveMiB, int loadMiBPerSecond, double speed) {
            this.vramMiB = vramMiB;
            this.reserveMiB = reserveMiB;
            this.loadMiBPerSecond = loadMiBPerSecond;
            this.speed = speed;
        }
    }

    private static final List<Entry> ENTRIES = List.of(
            new Entry("llama3.2:3b", 2100, 112, 8192, 110), new Entry("phi4-mini:3.8b", 2500, 128, 8192, 95),
            new Entry("gemma3:4b", 3300, 136, 8192, 88), new Entry("mistral:7b", 4200, 128, 8192, 62),
            new Entry("llama3.1:8b", 4700, 128, 8192, 58), new Entry("qwen3:8b", 5000, 144, 8192, 57),
            new Entry("nomic-embed:137m", 280, 36, 2048, 900), new Entry("qwen2.5-coder:1.5b", 1000, 28, 8192, 180),
            new Entry("gemma3:12b", 7800, 352, 8192, 36), new Entry("qwen3:14b", 8900, 160, 8192, 33),
            new Entry("gpt-oss:20b", 13200, 48, 8192, 70), new Entry("mistral-small:24b", 13700, 160, 8192, 22),
            new Entry("qwen3:30b-a3b", 17700, 96, 8192, 90), new Entry("qwen3:32b", 19300, 256, 8192, 17),
            new Entry("deepseek-r1:7b", 4500, 56, 8192, 60), new Entry("codellama:13b", 7100, 800, 4096, 35));

    private Catalogue() {
    }

    /** So many models of at most that size, each another file; names repeat with a number once the files are used up. */
    static List<ModelSpec> models(int count, double largestMiB, Card slowest, RandomGenerator random) {
        List<Entry> files = new ArrayList<>(ENTRIES.stream().filter(e -> e.weightsMiB() <= largestMiB).toList());
        List<ModelSpec> models = new ArrayList<>();
        for (int round = 0; models.size() < count; round++) {
            shuffle(files, random);
            for (Entry e : files.subList(0, Math.min(files.size(), count - models.size()))) {
                models.add(new ModelSpec(e.name() + (round == 0 ? "" : "-v" + round), e.weightsMiB(),
                        e.kvKiBPerToken(), e.contextTokens(), e.tokensPerSecond() * slowest.speed));
            }
        }
        return models;
    }

    static <T> void shuffle(List<T> list, RandomGenerator random) {
        for (int i = list.size() - 1; i > 0; i--) {
            list.set(i, list.set(random.nextInt(i + 1), list.get(i)));
        }
    }

    static List<ProviderSpec> cards(List<Card> cards, int maxParallel) {
        List<ProviderSpec> providers = new ArrayList<>();
        for (Card card : cards) {
            providers.add(new ProviderSpec("card-" + providers.size(), "node-" + providers.size(), card.vramMiB,
                    card.reserveMiB, card.loadMiBPerSecond, maxParallel));
        }
        return providers;
    }
}
