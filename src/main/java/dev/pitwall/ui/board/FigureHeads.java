package dev.pitwall.ui.board;

import dev.pitwall.engine.figure.Figure;
import dev.pitwall.engine.figure.Figures;
import dev.pitwall.engine.figure.Point;
import dev.pitwall.engine.figure.Series;
import dev.pitwall.engine.live.ProviderId;
import dev.pitwall.engine.live.ProviderView;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** How busy cards were in the last hour, for their heads. Worked out only for cards that are seen, and not at every frame. */
final class FigureHeads {
    /** Curves get a point every ten seconds at most. */
    private static final Duration FRESH = Duration.ofSeconds(10);

    private final Curves curves;
    private final Supplier<Figures> figures;
    private final Function<ProviderId, Optional<ProviderView>> providers;
    private final InstantSource clock;
    private final Map<ProviderId, Made> made = new HashMap<>();

    private record Made(Curve curve, Instant at) {
    }

    FigureHeads(Texts texts, Supplier<Figures> figures, Function<ProviderId, Optional<ProviderView>> providers,
                InstantSource clock) {
        this.curves = new Curves(texts);
        this.figures = figures;
        this.providers = providers;
        this.clock = clock;
    }

    Curve of(ProviderId id) {
        Instant now = clock.instant();
        Made old = made.get(id);
        if (old != null && now.isBefore(old.at().plus(FRESH))) {
            return old.curve();
        }
        Curve curve = providers.apply(id).map(p -> of(p, now)).orElse(Curve.NOTHING);
        made.put(id, new Made(curve, now));
        return curve;
    }

    private Curve of(ProviderView provider, Instant now) {
        Figures kept = figures.get();
        List<Point> points = provider.cards().stream()
                .flatMap(c -> kept.lastHour(new Series(c.id(), Figure.UTILISATION)).stream()).toList();
        return curves.of(Figure.UTILISATION, points, CurveTime.of(FigureSpan.HOUR, points, now), now, Sparkline.BARS);
    }

    /** Another site shows. */
    void clear() {
        made.clear();
    }
}
