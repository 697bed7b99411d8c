package dev.pitwall.doctor.picture.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.doctor.catalogue.SignRef;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.sign.Cited;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.doctor.sign.SignBook;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Troubles that are over. Events outlive what they tell of by an hour. Where the objects of the cluster are seen, pods whose container was refused
 * and that run now, or are gone, have got over it.
 */
final class RecoveredCheck implements Check {
    private static final Set<String> REFUSED = Set.of("no-runtime-handler", "cdi-unresolvable", "runtime-binary-missing");

    private static final List<String> UNPLACED = List.of("insufficient-gpu", "insufficient-mig", "untolerated-gpu-taint",
            "untolerated-taint", "node-unschedulable", "node-affinity-mismatch");

    @Override
    public void look(Picture picture, SignBook book) {
        reached(book);
        placed(book);
        made(picture, book);
    }

    /** The toolkit asks containerd several times; in a log that ends well every try before was only early. */
    private static void reached(SignBook book) {
        List<Cited> failed = lines(book, "containerd-socket-unreachable");
        List<Cited> done = lines(book, "containerd-signalled");
        if (!failed.isEmpty() && failed.stream().allMatch(f -> done.stream()
                .anyMatch(d -> d.from().equals(f.from()) && d.number() > f.number()))) {
            book.add(Shown.sign("socket-reached-since", About.NOTHING, done.getFirst().from(),
                    "the toolkit reached containerd after that", Excerpt.of(failed.getFirst()), Excerpt.of(done.getLast())));
        }
    }

    /** What the scheduler said of a pod is over where a later line of the same text says which node it got. */
    private static void placed(SignBook book) {
        List<Cited> said = UNPLACED.stream().flatMap(id -> lines(book, id).stream()).toList();
        List<Cited> placed = lines(book, "pod-placed");
        if (!said.isEmpty() && said.stream().allMatch(s -> placed.stream()
                .anyMatch(p -> p.from().equals(s.from()) && p.number() > s.number()))) {
            book.add(Shown.sign("placed-since", About.NOTHING, placed.getFirst().from(), "the pod got its node after that",
                    Excerpt.of(said.getFirst()), Excerpt.of(placed.getLast())));
        }
    }

    private static List<Cited> lines(SignBook book, String sign) {
        return book.find(SignRef.of(sign)).stream().map(Sign::line).flatMap(Optional::stream).toList();
    }

    private static void made(Picture picture, SignBook book) {
        if (!picture.knows("Pod") || !picture.knows("Event")) {
            return;
        }
        Set<String> waiting = picture.objects("Pod").stream().filter(pod -> !started(pod.what()))
                .map(pod -> Pods.named(pod.what())).collect(Collectors.toSet());
        Set<String> refused = REFUSED.stream().flatMap(id -> book.find(SignRef.of(id)).stream()).map(Sign::about)
                .map(About::pod).collect(Collectors.toSet());
        if (!refused.isEmpty() && !refused.contains("") && refused.stream().noneMatch(waiting::contains)) {
            book.add(Shown.sign("sandboxes-made-since", About.NOTHING, "pods", "the pods that were refused run now, or are gone"));
        }
    }

    /** True if any of its containers, init containers too, has been started. */
    private static boolean started(JsonNode pod) {
        return Stream.of("initContainerStatuses", "containerStatuses")
                .flatMap(field -> StreamSupport.stream(pod.path("status").path(field).spliterator(), false))
                .map(status -> status.path("state")).anyMatch(state -> state.has("running") || state.has("terminated"));
    }
}
