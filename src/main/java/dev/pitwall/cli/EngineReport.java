package dev.pitwall.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.engine.charge.Charge;
import dev.pitwall.engine.live.Entry;
import dev.pitwall.engine.live.ProviderView;
import dev.pitwall.engine.live.ProviderView.PlacementView;
import dev.pitwall.engine.live.ProviderView.State;
import dev.pitwall.engine.live.WallView;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What an engine without a window says. */
final class EngineReport {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT)
            .withZone(ZoneId.systemDefault());

    private final String site;
    private long told;
    private Optional<Charge.State> charge = Optional.empty();

    EngineReport(String site) {
        this.site = site;
    }

    /** Who decides, if that has changed. */
    Optional<String> charge(Charge.State now) {
        if (charge.filter(now::equals).isPresent()) {
            return Optional.empty();
        }
        charge = Optional.of(now);
        return Optional.of(switch (now) {
            case Charge.State.Here _ -> "this engine decides for " + site;
            case Charge.State.Elsewhere(String holder) -> holder + " decides for " + site + "; this engine watches";
            case Charge.State.Free _ -> "nobody decides for " + site;
            case Charge.State.Looking _ -> "looking who decides for " + site;
            case Charge.State.Unknown(var why) -> "it is not known who decides for " + site + ": " + why.sentence();
        });
    }

    /** Entries that were not told yet, the oldest first. */
    List<String> fresh(WallView view) {
        List<Entry> fresh = view.log().reversed().stream().filter(e -> e.number() > told).toList();
        fresh.forEach(e -> told = Math.max(told, e.number()));
        return fresh.stream().map(e -> CLOCK.format(e.at()) + "  " + e.title() + (e.words().isEmpty() ? "" : ": " + e.words()))
                .toList();
    }

    ObjectNode json(WallView view, Charge.State now) {
        ObjectNode root = JsonNodeFactory.instance.objectNode().put("site", site)
                .put("mode", view.mode().name().toLowerCase(Locale.ROOT)).put("decides", decides(now));
        ArrayNode servers = root.putArray("servers");
        for (ProviderView provider : view.providers()) {
            ObjectNode server = servers.addObject().put("name", provider.id().text()).put("node", provider.node().orElse(null));
            ArrayNode models = server.putArray("models");
            provider.placements().forEach(p -> models.addObject().put("name", p.model().text()).put("state", state(p))
                    .put("vramMiB", p.memory().bytes() >> 20).put("pinned", p.pinned() == ProviderView.Pinning.PINNED));
        }
        ArrayNode log = root.putArray("log");
        view.log().forEach(e -> log.addObject().put("at", e.at().toString()).put("kind", e.kind().name().toLowerCase(Locale.ROOT))
                .put("title", e.title()).put("words", e.words()));
        return root;
    }

    /** {@code here}, {@code nobody}, {@code unknown}, or the name of the one that does. */
    private static String decides(Charge.State now) {
        return switch (now) {
            case Charge.State.Here _ -> "here";
            case Charge.State.Elsewhere(String holder) -> holder;
            case Charge.State.Free _ -> "nobody";
            case Charge.State.Looking _, Charge.State.Unknown _ -> "unknown";
        };
    }

    private static String state(PlacementView placement) {
        return switch (placement.state()) {
            case State.Asked _ -> "asked";
            case State.Loading _ -> "loading";
            case State.Busy _ -> "busy";
            case State.Idle _ -> "idle";
            case State.Unloading _ -> "unloading";
            case State.Failed _ -> "failed";
            case State.Lost _ -> "lost";
        };
    }
}
