package dev.pitwall.doctor.picture.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.doctor.catalogue.SignRef;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.picture.Picture.Seen;
import dev.pitwall.doctor.sign.Cited;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.doctor.sign.SignBook;
import dev.pitwall.read.NodeFacts;
import dev.pitwall.read.NodeListing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** The names by which pods ask for MIG devices, and those that nodes offer. */
final class MigCheck implements Check {
    private static final String MIG = "nvidia.com/mig-";

    @Override
    public void look(Picture picture, SignBook book) {
        picture.objects("Pod").forEach(pod -> containers(pod, book));
        pasted(picture, book);
        notOffered(picture, book);
    }

    private static void containers(Seen<JsonNode> pod, SignBook book) {
        for (JsonNode container : pod.what().path("spec").path("containers")) {
            Set<String> profiles = profiles(container);
            if (profiles.size() > 1) {
                book.add(Shown.sign("two-mig-profiles", Pods.about(pod.what()), pod.from(), "container "
                        + container.path("name").asText() + " asks for " + String.join(" and ", profiles), Pods.asking(pod)));
            }
        }
    }

    private static Set<String> profiles(JsonNode container) {
        return container.path("resources").path("limits").properties().stream().map(Map.Entry::getKey)
                .filter(name -> name.startsWith(MIG)).collect(Collectors.toCollection(TreeSet::new));
    }

    /** A pasted list of limits that names two profiles, where it is not a node's capacity. */
    private static void pasted(Picture picture, SignBook book) {
        Set<String> nodes = picture.outputs(NodeListing.class).stream().map(Seen::from).collect(Collectors.toSet());
        Map<String, Set<String>> byDocument = new TreeMap<>();
        Map<String, List<Excerpt>> shown = new TreeMap<>();
        for (Sign sign : book.find(SignRef.of("mig-request-in-spec"))) {
            String from = sign.line().map(Cited::from).orElse("");
            if (!nodes.contains(from) && asks(sign)) {
                byDocument.computeIfAbsent(from, f -> new TreeSet<>()).add(sign.values().getOrDefault("profile", ""));
                sign.line().map(Excerpt::of).ifPresent(shown.computeIfAbsent(from, f -> new ArrayList<>())::add);
            }
        }
        byDocument.forEach((from, profiles) -> {
            if (profiles.size() > 1) {
                book.add(Shown.sign("two-mig-profiles", About.NOTHING, from, "a container asks for MIG devices of "
                        + String.join(" and ", profiles)).comparing(shown.get(from)));
            }
        });
    }

    /** Amounts of a specification are quoted or stand under limits; those of a node stand under capacity. */
    private static boolean asks(Sign sign) {
        return sign.line().map(line -> line.text().contains("\"") || line.before().stream()
                .anyMatch(before -> before.contains("limits") || before.contains("requests"))).orElse(false);
    }

    private static Excerpt offering(List<Seen<NodeFacts>> nodes) {
        Seen<NodeFacts> node = nodes.stream().filter(n -> Nodes.hasCard(n.what())).findFirst().orElse(nodes.getFirst());
        return node.shown("/status/capacity");
    }

    private static void notOffered(Picture picture, SignBook book) {
        List<Seen<NodeFacts>> nodes = Nodes.of(picture).stream().filter(n -> n.what().capacity().isPresent()).toList();
        Set<String> offered = nodes.stream().flatMap(n -> n.what().capacity().orElse(Map.of()).keySet().stream())
                .filter(Nodes::isGpu).collect(Collectors.toSet());
        if (offered.isEmpty()) {
            return;
        }
        picture.objects("Pod").forEach(pod -> StreamSupport.stream(pod.what().path("spec").path("containers").spliterator(), false)
                .flatMap(c -> c.path("resources").path("limits").properties().stream()).map(Map.Entry::getKey)
                .filter(name -> Nodes.isGpu(name) && !offered.contains(name))
                .filter(name -> name.startsWith(MIG) || offered.stream().anyMatch(o -> o.startsWith(MIG))).distinct()
                .forEach(name -> book.add(Shown.sign("mig-name-not-offered", Pods.about(pod.what()), pod.from(),
                        Pods.named(pod.what()) + " asks for " + name + "; nodes offer " + String.join(", ", new TreeSet<>(offered)),
                        Pods.asking(pod), offering(nodes)))));
    }
}
