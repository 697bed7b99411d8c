package dev.pitwall.doctor.picture.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.picture.Picture.Seen;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.doctor.sign.SignBook;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * How long ago things began, by the newest moment that the objects know of: evidence from a file has no clock of its own.
 */
final class AgeCheck implements Check {
    private static final Duration FIRST_MINUTE = Duration.ofSeconds(90);
    private static final Duration YOUNG = Duration.ofMinutes(3);

    @Override
    public void look(Picture picture, SignBook book) {
        Optional<Instant> now = newest(picture);
        Optional<Instant> begun = picture.objects("ClusterPolicy").stream()
                .map(p -> instant(p.what().path("metadata").path("creationTimestamp"))).flatMap(Optional::stream)
                .min(Comparator.naturalOrder());
        if (now.isEmpty()) {
            return;
        }
        begun.ifPresent(start -> young(start, now.get(), book));
        picture.objects("Pod").forEach(pod -> instant(pod.what().path("metadata").path("deletionTimestamp"))
                .filter(end -> end.isAfter(now.get()))
                .ifPresent(end -> book.add(Shown.sign("moment-of-ending", Pods.about(pod.what()), pod.from(),
                        Pods.named(pod.what()) + " still has time to end",
                        pod.shown("/metadata/deletionTimestamp")))));
    }

    private static void young(Instant start, Instant now, SignBook book) {
        Map<String, String> since = Map.of("since", start.toString());
        if (Duration.between(start, now).compareTo(YOUNG) < 0) {
            book.add(Shown.sign("cluster-young", About.NOTHING, "ClusterPolicy", "the operator was installed less than "
                    + "three minutes ago", since));
        }
        if (Duration.between(start, now).compareTo(FIRST_MINUTE) < 0) {
            book.add(Shown.sign("first-minute", About.NOTHING, "ClusterPolicy", "the operator has just been installed", since));
        }
    }

    /** The newest moment that nodes, pods and the operator know of. */
    static Optional<Instant> newest(Picture picture) {
        Stream<JsonNode> moments = Stream.concat(
                picture.objects("Node").stream().map(Seen::what).flatMap(n -> items(n.path("status").path("conditions")))
                        .map(c -> c.path("lastHeartbeatTime")),
                Stream.concat(picture.objects("Pod").stream().map(Seen::what)
                                .flatMap(p -> items(p.path("status").path("conditions"))).map(c -> c.path("lastTransitionTime")),
                        picture.objects("ClusterPolicy").stream().map(Seen::what)
                                .flatMap(p -> items(p.path("status").path("conditions"))).map(c -> c.path("lastTransitionTime"))));
        return moments.map(AgeCheck::instant).flatMap(Optional::stream).max(Comparator.naturalOrder());
    }

    private static Stream<JsonNode> items(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    static Optional<Instant> instant(JsonNode text) {
        try {
            return text.isTextual() ? Optional.of(Instant.parse(text.asText())) : Optional.empty();
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
