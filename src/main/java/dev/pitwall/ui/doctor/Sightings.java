package dev.pitwall.ui.doctor;

import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Finding;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Remembers since when each finding is seen, so that each is told as new once. To be used in one thread. */
final class Sightings {

    /** What comes back within this time has only flickered: it is the same finding, and was told. */
    static final Duration FLICKER = Duration.ofMinutes(10);

    private record Sighting(Instant first, Instant last) {
    }

    private final Map<String, Sighting> known = new HashMap<>();

    /**
     * Takes over a diagnosis.
     *
     * @return the certain findings that are new, at least on one of their nodes
     */
    List<Finding> saw(Diagnosis diagnosis, Instant at) {
        known.values().removeIf(s -> s.last().plus(FLICKER).isBefore(at));
        List<Finding> fresh = new ArrayList<>();
        for (Finding finding : diagnosis.findings()) {
            if (finding.certain() && places(finding).stream().anyMatch(p -> !known.containsKey(p))) {
                fresh.add(finding);
            }
        }
        all(diagnosis).filter(f -> f.certain() || !diagnosis.findings().contains(f)).forEach(f -> places(f).forEach(p ->
                known.merge(p, new Sighting(at, at), (before, now) -> new Sighting(before.first(), now.last()))));
        return fresh;
    }

    /** Since when it is seen; empty for what is only likely. */
    Optional<Instant> since(Finding finding) {
        return places(finding).stream().flatMap(p -> Optional.ofNullable(known.get(p)).stream()).map(Sighting::first)
                .min(Instant::compareTo);
    }

    private static Stream<Finding> all(Diagnosis diagnosis) {
        return Stream.of(diagnosis.findings(), diagnosis.advice(), diagnosis.harmless(),
                diagnosis.waiting().stream().map(Diagnosis.Waiting::finding).toList()).flatMap(List::stream);
    }

    /** A cause on one more node is news; the same cause with other words about it is not. */
    private static List<String> places(Finding finding) {
        List<String> where = finding.nodes().isEmpty() ? finding.cards() : finding.nodes();
        return where.isEmpty() ? List.of(finding.trap().name())
                : where.stream().map(place -> finding.trap().name() + " " + place).toList();
    }
}
