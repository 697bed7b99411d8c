package dev.pitwall.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Card;
import dev.pitwall.card.FloorState;
import dev.pitwall.card.FloorStatus;
import dev.pitwall.card.PciAddress;
import dev.pitwall.card.Reading;
import dev.pitwall.card.Source;
import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Spans;
import dev.pitwall.site.Connection;
import dev.pitwall.site.SiteView;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What {@code pitwall status} prints: the cards of a site and the systems that did not answer. */
final class StatusReport {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final SiteView view;
    private final Map<Connection, Trouble> troubles = new LinkedHashMap<>();

    /** @param waited how long the sources had; one that has said nothing by then is a trouble too */
    StatusReport(SiteView view, Duration waited) {
        this.view = view;
        for (Connection c : view.connections()) {
            c.trouble().or(() -> c.state() == Connection.State.READING ? Optional.of(silent(c, waited)) : Optional.empty())
                    .ifPresent(trouble -> troubles.put(c, trouble));
        }
    }

    private static Trouble silent(Connection c, Duration waited) {
        return new Trouble(Trouble.Kind.TIMEOUT, c.name(), "no answer within " + waited.toSeconds() + " s",
                "Check that it runs and is not overloaded, or give it longer with --wait.");
    }

    /** 3 if a system was not reached, else 1 if a card or a system has a fault, else 0. */
    int exitCode() {
        if (troubles.values().stream().anyMatch(t -> t.kind().unreachable())) {
            return ExitCode.UNREACHABLE;
        }
        boolean fault = view.cards().stream().flatMap(c -> c.lowestNotOk().stream())
                .anyMatch(f -> f.state() == FloorState.FAILING || f.state() == FloorState.BLOCKED);
        return fault || !troubles.isEmpty() ? ExitCode.FOUND : ExitCode.FINE;
    }

    ObjectNode json() {
        ObjectNode root = JSON.objectNode();
        root.put("site", view.site().name());
        ArrayNode cards = root.putArray("cards");
        view.cards().forEach(card -> cards.add(json(card)));
        ArrayNode errors = root.putArray("errors");
        troubles.forEach((c, t) -> errors.addObject().put("system", c.name()).put("message", t.sentence())
                .put("next", t.next()).put("kind", t.kind().name().toLowerCase(Locale.ROOT)));
        return root;
    }

    private static ObjectNode json(Card card) {
        ObjectNode node = JSON.objectNode();
        node.put("id", card.id()).put("host", card.host());
        node.put("address", card.address().map(PciAddress::toString).orElse(null));
        node.put("name", card.name());
        node.put("uuid", card.uuid().orElse(null));
        node.put("vramMiB", card.vramMiB().isPresent() ? Long.valueOf(card.vramMiB().getAsLong()) : null);
        node.put("vm", card.vm().map(Card.VmRef::vmid).orElse(null));
        node.put("vmName", card.vm().map(Card.VmRef::name).orElse(null));
        node.put("node", card.node().orElse(null));
        node.put("server", card.server().orElse(null));
        ArrayNode floors = node.putArray("floors");
        card.floors().forEach(floor -> floors.add(json(floor)));
        return node;
    }

    private static ObjectNode json(FloorStatus floor) {
        ObjectNode node = JSON.objectNode();
        node.put("floor", floor.floor().wireName()).put("state", floor.state().wireName());
        node.put("summary", floor.summary()).put("trap", floor.trap().orElse(null));
        node.put("because", floor.because().map(f -> f.wireName()).orElse(null));
        ArrayNode readings = node.putArray("readings");
        for (Reading reading : floor.readings()) {
            readings.addObject().put("name", reading.name()).put("value", reading.value().orElse(null))
                    .put("source", reading.source().system() + ": " + reading.source().detail())
                    .put("at", reading.at().toString());
        }
        return node;
    }

    String text() {
        StringBuilder out = new StringBuilder();
        out.append("Site ").append(view.site().name()).append(": ").append(view.cards().size())
                .append(view.cards().size() == 1 ? " card" : " cards").append('\n');
        view.cards().forEach(card -> append(out, card));
        troubles.forEach((c, t) -> out.append('\n').append(label(c)).append(": ").append(t.sentence()).append("\n  ")
                .append(t.next()).append('\n'));
        return out.toString();
    }

    private static String label(Connection c) {
        return switch (c.kind()) {
            case PROXMOX -> "Proxmox " + c.name();
            case SHELL -> "SSH " + c.name();
            case CLUSTER -> "Cluster";
            case PROMETHEUS -> "Prometheus";
            case MODELS -> "Model server " + c.name();
        };
    }

    /** A proof is as good as it is young. */
    private String proved(FloorStatus floor) {
        return floor.readings().stream().filter(r -> r.source().kind() == Source.Kind.JOURNAL).findFirst()
                .map(r -> " · " + Spans.ago(r.at(), view.at())).orElse("");
    }

    private void append(StringBuilder out, Card card) {
        String where = Stream.of(Optional.of(card.host()), card.address().map(PciAddress::toString),
                        card.vm().map(v -> "VM " + v.vmid()), card.node())
                .flatMap(Optional::stream).distinct().collect(Collectors.joining(" · "));
        out.append('\n').append(card.name());
        card.vramMiB().ifPresent(mib -> out.append(" ").append(Math.round(mib / 1024.0)).append(" GB"));
        out.append("   ").append(where).append('\n');
        for (FloorStatus floor : card.floors().reversed()) {
            out.append("  %-10s %-15s %s%n".formatted(floor.floor().wireName(), floor.state().wireName(),
                    floor.summary() + proved(floor)));
        }
    }
}
