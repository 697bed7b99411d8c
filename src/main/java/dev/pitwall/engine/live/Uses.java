package dev.pitwall.engine.live;

import dev.pitwall.engine.Board;
import dev.pitwall.engine.Fleet;
import dev.pitwall.engine.Found;
import dev.pitwall.engine.ModelSpec;
import dev.pitwall.engine.Placement.Keeping;
import dev.pitwall.engine.ProviderSpec;
import dev.pitwall.engine.Reason;
import dev.pitwall.engine.live.Paper.Item;
import dev.pitwall.engine.live.Paper.Work;
import dev.pitwall.engine.live.ProviderView.Pinning;
import dev.pitwall.engine.policy.Worth;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The uses of models that were seen, and what they say about who is to go. */
final class Uses {
    /** Older ones say little of what comes; needs are counted over twelve hours. */
    private static final int MOST = 2000;
    private static final double MIB = 1 << 20;

    private record Use(ModelName model, Instant at) {
    }

    private final Deque<Use> seen = new ArrayDeque<>();

    void add(ModelName model, Instant at) {
        seen.addLast(new Use(model, at));
        if (seen.size() > MOST) {
            seen.removeFirst();
        }
    }

    /** What goes, and what its going is expected to cost. */
    record Going(Item item, double seconds) {
    }

    /**
     * The idle, unpinned placements of one provider that make room at the least expected cost.
     *
     * @param papers all providers; {@code to} is one of them
     * @param speeds at which each loads, bytes a second
     * @return empty if that is not enough
     */
    Optional<List<Going>> victims(Map<ProviderId, Paper> papers, Map<ProviderId, Double> speeds, ProviderId to,
                                  ModelName wanted, long need, Instant now) {
        List<ProviderId> providers = List.copyOf(papers.keySet());
        Map<ModelName, Integer> models = models(papers, wanted);
        Fleet fleet = fleet(papers, speeds, to, models, wanted, need);
        List<Found> found = new ArrayList<>();
        papers.forEach((id, paper) -> paper.items().stream()
                .filter(item -> item.work() != Work.MOVING)
                // Among those that cost the same, who was left alone longest goes first.
                .sorted(Comparator.comparing(Item::idleSince).thenComparing(Item::model))
                .forEach(item -> found.add(new Found(models.get(item.model()), providers.indexOf(id),
                        item.pinning() == Pinning.PINNED ? Keeping.PINNED : Keeping.FREE,
                        item.work() == Work.BUSY ? Found.Work.SERVING : Found.Work.IDLE, seconds(item.idleSince())))));
        List<Double> foreign = papers.values().stream().map(paper -> (paper.foreign() + paper.items().stream()
                .filter(i -> i.work() == Work.MOVING).mapToLong(Item::bytes).sum()) / MIB).toList();
        Worth worth = new Worth(fleet, seen.stream().filter(use -> models.containsKey(use.model()))
                .map(use -> new Worth.Use(models.get(use.model()), seconds(use.at()))).toList());
        return worth.victims(Board.of(fleet, foreign, found, seconds(now)), models.get(wanted), providers.indexOf(to),
                seconds(now)).map(all -> all.stream().map(going -> going(papers.get(to), going)).toList());
    }

    private static Going going(Paper paper, Reason.Going going) {
        return new Going(paper.items().stream().filter(i -> i.model().text().equals(going.model())).findFirst()
                .orElseThrow(), going.expectedSeconds());
    }

    private Map<ModelName, Integer> models(Map<ProviderId, Paper> papers, ModelName wanted) {
        Map<ModelName, Integer> models = new LinkedHashMap<>();
        Stream.concat(Stream.of(wanted), papers.values().stream().flatMap(p -> p.items().stream()).map(Item::model))
                .sorted().forEach(model -> models.putIfAbsent(model, models.size()));
        return models;
    }

    /** Each model with what it takes where it is looked at: on the provider in question, else where it is. */
    private static Fleet fleet(Map<ProviderId, Paper> papers, Map<ProviderId, Double> speeds, ProviderId to,
                               Map<ModelName, Integer> models, ModelName wanted, long need) {
        Map<ModelName, Long> bytes = new TreeMap<>();
        papers.values().forEach(paper -> paper.items().forEach(item -> bytes.put(item.model(), item.bytes())));
        papers.get(to).items().forEach(item -> bytes.put(item.model(), item.bytes()));
        bytes.put(wanted, need);
        return new Fleet(papers.entrySet().stream().map(e -> new ProviderSpec(e.getKey().text(), "",
                e.getValue().total() / MIB, e.getValue().reserve() / MIB, speeds.get(e.getKey()) / MIB, 1)).toList(),
                models.keySet().stream().map(m -> new ModelSpec(m.text(), bytes.get(m) / MIB, 0, 0, 1)).toList(),
                List.of());
    }

    private static double seconds(Instant at) {
        return Duration.between(Instant.EPOCH, at).toMillis() / 1000.0;
    }
}
