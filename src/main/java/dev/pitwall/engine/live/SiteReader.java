package dev.pitwall.engine.live;

import dev.pitwall.card.Card;
import dev.pitwall.card.GpuDevice;
import dev.pitwall.card.MachineReport;
import dev.pitwall.card.Observed;
import dev.pitwall.card.PodReport;
import dev.pitwall.card.SiteFacts;
import dev.pitwall.card.TelemetryReport;
import dev.pitwall.engine.figure.Figure;
import dev.pitwall.engine.figure.Measured;
import dev.pitwall.engine.figure.Series;
import dev.pitwall.engine.live.ProviderView.CardView;
import dev.pitwall.engine.live.SitePicture.Gauge;
import dev.pitwall.engine.live.SitePicture.Spot;
import dev.pitwall.site.SiteView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Makes the engine's picture of a site out of its cards and sources. */
final class SiteReader {
    static final String SMI = "nvidia-smi";
    private static final String DCGM = "DCGM";
    private static final String CARD = "card";
    private static final double PERCENT = 100;

    /** A card's newest figures and who gave them. */
    private record Figures(GpuDevice gpu, String source, Instant at) {
    }

    SitePicture picture(SiteView view, SiteFacts facts, List<String> others) {
        List<Spot> spots = facts.servers().keySet().stream().map(name -> spot(name, view, facts))
                .sorted(Comparator.comparing((Spot s) -> s.node().orElse("~"))
                        .thenComparing(s -> s.cards().isEmpty() ? Integer.MAX_VALUE : s.cards().getFirst().index())
                        .thenComparing(Spot::id)).toList();
        return new SitePicture(spots, others);
    }

    /** What is measured of every card now, with or without a server. */
    List<Measured> measured(SiteView view, SiteFacts facts) {
        List<Measured> all = new ArrayList<>();
        view.cards().forEach(card -> figures(card, facts).ifPresent(figures -> {
            GpuDevice gpu = figures.gpu();
            gpu.memoryUsedMiB().ifPresent(mib -> all.add(measured(card, Figure.MEMORY, figures, mib)));
            gpu.utilizationPercent().ifPresent(p -> all.add(measured(card, Figure.UTILISATION, figures,
                    Math.clamp(p / PERCENT, 0, 1))));
            gpu.temperatureC().ifPresent(c -> all.add(measured(card, Figure.TEMPERATURE, figures, c)));
            gpu.powerW().ifPresent(w -> all.add(measured(card, Figure.POWER, figures, w)));
        }));
        return all;
    }

    private static Measured measured(Card card, Figure figure, Figures from, double value) {
        return new Measured(new Series(card.id(), figure), from.at(), value);
    }

    private Spot spot(String name, SiteView view, SiteFacts facts) {
        List<Card> cards = view.cards().stream().filter(c -> c.server().filter(name::equals).isPresent()).toList();
        Optional<SiteFacts.ServerPlace> at = Optional.ofNullable(facts.serverPlaces().get(name));
        List<CardView> shown = new ArrayList<>();
        List<Optional<Figures>> figures = cards.stream().map(card -> figures(card, facts)).toList();
        for (int i = 0; i < cards.size(); i++) {
            shown.add(card(cards.get(i), i, figures.get(i)));
        }
        shown.sort(Comparator.comparing(CardView::index));
        return new Spot(new ProviderId(name), at.flatMap(SiteFacts.ServerPlace::node).or(() -> cards.stream().findFirst()
                .flatMap(Card::node)), cards.stream().findFirst().map(SiteReader::place).orElse(""), shown,
                cards.stream().findFirst().map(Card::name).orElse(""), gauge(cards, figures), holders(at, facts));
    }

    private static String place(Card card) {
        return card.host() + card.vm().map(vm -> " · VM " + vm.vmid()).orElse("");
    }

    private static CardView card(Card card, int position, Optional<Figures> figures) {
        Optional<GpuDevice> gpu = figures.map(Figures::gpu);
        OptionalDouble percent = gpu.map(GpuDevice::utilizationPercent).orElse(OptionalDouble.empty());
        return new CardView(card.id(), gpu.map(g -> g.index().orElse(position)).orElse(position), card.name(),
                gpu.map(GpuDevice::temperatureC).orElse(OptionalDouble.empty()),
                gpu.map(GpuDevice::powerW).orElse(OptionalDouble.empty()), percent.isPresent()
                ? OptionalDouble.of(Math.clamp(percent.getAsDouble() / 100, 0, 1)) : OptionalDouble.empty());
    }

    /** The driver's own word, where a shell gives it, is newer than DCGM's samples. */
    private static Optional<Figures> figures(Card card, SiteFacts facts) {
        return card.uuid().flatMap(uuid -> facts.machines().values().stream().filter(Observed::live)
                .flatMap(machine -> machine.value().stream().map(MachineReport::gpus).flatMap(List::stream)
                        .filter(g -> g.uuid().filter(uuid::equals).isPresent())
                        .map(g -> new Figures(g, SMI, machine.at().orElseThrow()))).findFirst()
                .or(() -> facts.telemetry().filter(Observed::live).flatMap(Observed::value).stream()
                        .map(TelemetryReport::samples).flatMap(List::stream)
                        .filter(s -> s.gpu().uuid().filter(uuid::equals).isPresent())
                        .map(s -> new Figures(s.gpu(), DCGM, s.sampledAt())).findFirst()));
    }

    /** Of several cards the sum; the figure of what is used needs all of them, from one source. */
    private static Optional<Gauge> gauge(List<Card> cards, List<Optional<Figures>> figures) {
        boolean sized = !cards.isEmpty();
        long total = 0;
        for (int i = 0; i < cards.size(); i++) {
            OptionalLong measured = figures.get(i).map(f -> f.gpu().memoryTotalMiB()).orElse(OptionalLong.empty());
            OptionalLong mib = measured.isPresent() ? measured : cards.get(i).vramMiB();
            sized &= mib.isPresent();
            total += mib.orElse(0) << 20;
        }
        if (!sized) {
            return Optional.empty();
        }
        boolean used = figures.stream().allMatch(f -> f.filter(one -> one.gpu().memoryUsedMiB().isPresent()).isPresent());
        OptionalDouble works = figures.stream().flatMap(Optional::stream).map(f -> f.gpu().utilizationPercent())
                .filter(OptionalDouble::isPresent).mapToDouble(OptionalDouble::getAsDouble).max();
        return Optional.of(new Gauge(total, used ? OptionalLong.of(figures.stream().mapToLong(f ->
                f.orElseThrow().gpu().memoryUsedMiB().getAsLong() << 20).sum()) : OptionalLong.empty(),
                works.isPresent() ? OptionalDouble.of(works.getAsDouble() / 100) : OptionalDouble.empty(),
                figures.stream().flatMap(Optional::stream).map(Figures::source).findFirst().orElse(CARD),
                figures.stream().flatMap(Optional::stream).map(Figures::at).min(Comparator.naturalOrder())
                        .orElse(Instant.EPOCH)));
    }

    /** The machine whose shell tells how full a server's card is; empty where none does. */
    Optional<String> machine(ProviderId id, SiteView view, SiteFacts facts) {
        List<String> uuids = view.cards().stream().filter(c -> c.server().filter(id.text()::equals).isPresent())
                .flatMap(c -> c.uuid().stream()).toList();
        return facts.machines().entrySet().stream().filter(e -> e.getValue().live()
                && e.getValue().value().stream().flatMap(m -> m.gpus().stream())
                .anyMatch(g -> g.uuid().filter(uuids::contains).isPresent())).map(Map.Entry::getKey).findFirst();
    }

    /** Pods on the node that hold a card and are not the server. */
    private static List<String> holders(Optional<SiteFacts.ServerPlace> at, SiteFacts facts) {
        Optional<String> node = at.flatMap(SiteFacts.ServerPlace::node);
        return facts.cluster().flatMap(Observed::value).stream().flatMap(c -> c.pods().stream())
                .filter(PodReport::holdsResources).filter(p -> !p.gpuRequests().isEmpty())
                .filter(p -> node.isPresent() && p.node().equals(node))
                .filter(p -> at.flatMap(SiteFacts.ServerPlace::pod).filter(p.name()::equals).isEmpty())
                .map(p -> p.namespace() + "/" + p.name()).sorted().toList();
    }
}
