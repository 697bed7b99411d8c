package dev.pitwall.doctor.live;

import dev.pitwall.card.Card;
import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorState;
import dev.pitwall.card.FloorStatus;
import dev.pitwall.card.Observed;
import dev.pitwall.card.TelemetryReport;
import dev.pitwall.doctor.evidence.Document;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.doctor.sign.Hint;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.Sign.About;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the towers of the cards say already, as signs: {@code floor-says} with {@code floor}, {@code state}, and {@code trap}
 * where the floor's own readings establish a cause; {@code xid} of the last error that DCGM told of a card.
 */
final class TowerPart implements LiveEvidence.Part {
    private static final String NAME = "the card's tower";

    private final Places places;

    TowerPart(Places places) {
        this.places = places;
    }

    @Override
    public void gather(Gathered found) {
        places.cards().forEach(card -> found.add(new Document(NAME, Hint.UNKNOWN, places.above(card),
                new Document.Told(Stream.concat(standsOn(card), card.floors().stream().filter(TowerPart::ownWord)
                        .map(f -> sign(card, f))).toList()))));
        xids().forEach(found::add);
    }

    private Stream<Sign> standsOn(Card card) {
        About node = places.above(card);
        return node.node().equals(card.host()) ? Stream.empty()
                : Stream.concat(Stream.of(new Sign("stands-on", node, Map.of("host", card.host()), Optional.empty())),
                below(card, node));
    }

    /** A node whose VM does not have its card, or does not run, shows much that follows from that alone. */
    private static Stream<Sign> below(Card card, About node) {
        return card.lowestNotOk().filter(floor -> floor.floor().compareTo(Floor.VM) <= 0
                        && floor.state() == FloorState.FAILING).stream()
                .map(floor -> new Sign("below-fails", node, Map.of("says", floor.summary()), Optional.empty()));
    }

    /** What a floor says because of another one is that one's word. */
    private static boolean ownWord(FloorStatus floor) {
        return floor.because().isEmpty() && floor.state() != FloorState.NOT_APPLICABLE;
    }

    private Sign sign(Card card, FloorStatus floor) {
        Map<String, String> values = new HashMap<>(Map.of("floor", floor.floor().name().toLowerCase(Locale.ROOT), "state",
                floor.state().name().toLowerCase(Locale.ROOT).replace('_', '-'), "says", floor.summary()));
        floor.trap().ifPresent(trap -> values.put("trap", trap));
        return new Sign("floor-says", places.at(card, floor.floor()), values, Optional.empty()).comparing(readings(floor));
    }

    /** What the floor's word rests on, by where it was read. */
    private static List<Excerpt> readings(FloorStatus floor) {
        Map<String, List<Excerpt.Line>> read = new LinkedHashMap<>();
        floor.readings().forEach(r -> read.computeIfAbsent(r.source().detail() + " on " + r.source().system(),
                from -> new ArrayList<>()).add(new Excerpt.Line(0, r.name() + ": " + r.value().orElse("not available"),
                Excerpt.Weight.COUNTS)));
        return read.entrySet().stream().map(e -> new Excerpt(e.getKey(), e.getValue())).toList();
    }

    /** As the exporter prints it, for the same rules as a pasted page of metrics. */
    private Stream<Document> xids() {
        List<TelemetryReport.Sample> samples = places.facts().flatMap(f -> f.telemetry()).flatMap(Observed::value)
                .map(TelemetryReport::samples).orElse(List.of());
        return samples.stream().filter(s -> s.gpu().lastXid().orElse(0) > 0).map(s -> Document.text(
                "DCGM on " + s.node(), Hint.COMMAND_OUTPUT, about(s), "DCGM_FI_DEV_XID_ERRORS{gpu=\""
                        + s.gpu().index().orElse(0) + "\",UUID=\"" + s.gpu().uuid().orElse("") + "\",Hostname=\"" + s.node()
                        + "\"} " + s.gpu().lastXid().getAsInt() + "\n"));
    }

    private About about(TelemetryReport.Sample sample) {
        return places.cards().stream().filter(card -> card.uuid().isPresent() && card.uuid().equals(sample.gpu().uuid()))
                .findFirst().map(places::above).orElseGet(() -> places.node(sample.node()));
    }
}
