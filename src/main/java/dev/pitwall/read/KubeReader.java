package dev.pitwall.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.PodReport;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reads Kubernetes objects, from JSON or YAML: single, several, or in a list. The kind that is there most decides. */
final class KubeReader {

    private final NodeObject nodes = new NodeObject();
    private final PodObject pods = new PodObject();
    private final EventReader events = new EventReader();
    private final SharingReader sharing = new SharingReader();
    private final HelmReleaseReader releases = new HelmReleaseReader();

    Optional<Understood> read(Tree tree) {
        Notes notes = new Notes();
        tree.cut().ifPresent(notes::add);
        List<JsonNode> objects = tree.roots().stream().flatMap(r -> unpack(r).stream()).filter(JsonNode::isObject).toList();
        List<JsonNode> kinds = objects.stream().filter(o -> o.path("kind").isTextual() || o.has("metadata")).toList();
        if (objects.isEmpty() && tree.roots().getFirst().path("items").isArray()) {
            return emptyList(tree.roots().getFirst().path("kind").asText(), notes);
        }
        if (kinds.isEmpty()) {
            return objects.size() == 1 && nodes.recognises(objects.getFirst())
                    ? Optional.of(new NodeListing(Kind.NODES, List.of(nodes.read(objects.getFirst(), tree::isOpen)), notes.list()))
                    : Optional.empty();
        }
        return byKind(tree, kinds, notes);
    }

    private static Optional<Understood> emptyList(String kind, Notes notes) {
        notes.add("the list is empty");
        return switch (kind) {
            case "NodeList" -> Optional.of(new NodeListing(Kind.NODES, List.of(), notes.list()));
            case "PodList" -> Optional.of(new PodListing(List.of(), notes.list()));
            case "EventList" -> Optional.of(new EventListing(List.of(), notes.list()));
            case "" -> Optional.empty();
            default -> Optional.of(new KubeObjects(List.of(), notes.list()));
        };
    }

    /** A list's items have no kind of their own in some answers; the list's kind names it. */
    private static List<JsonNode> unpack(JsonNode root) {
        if (root.isArray()) {
            return Json.list(root);
        }
        return root.path("items").isArray() ? Json.list(root.path("items")) : List.of(root);
    }

    private Optional<Understood> byKind(Tree tree, List<JsonNode> objects, Notes notes) {
        String listKind = tree.roots().getFirst().path("kind").asText().replaceFirst("List$", "");
        Map<String, Long> counts = objects.stream().map(o -> kind(o, listKind))
                .collect(Collectors.groupingBy(Function.identity(), LinkedHashMap::new, Collectors.counting()));
        String main = List.of("Node", "Pod", "Event").stream().filter(counts::containsKey)
                .max(Comparator.comparingLong(counts::get)).orElse("");
        List<JsonNode> chosen = objects.stream().filter(o -> kind(o, listKind).equals(main)).toList();
        if (!main.isEmpty() && chosen.size() < objects.size()) {
            notes.add((objects.size() - chosen.size()) + " objects of other kinds are not shown");
        }
        return switch (main) {
            case "Node" -> Optional.of(new NodeListing(Kind.NODES, chosen.stream().map(n -> nodes.read(n, tree::isOpen)).toList(), notes.list()));
            case "Pod" -> Optional.of(podListing(tree, chosen, notes));
            case "Event" -> Optional.of(new EventListing(chosen.stream().filter(e -> !tree.isOpen(e)).map(events::read).toList(),
                    notes.list()));
            default -> other(tree, objects, notes);
        };
    }

    private String kind(JsonNode object, String listKind) {
        String own = object.path("kind").asText();
        if (!own.isEmpty()) {
            return own;
        }
        return !listKind.isEmpty() ? listKind : nodes.recognises(object) ? "Node" : "";
    }

    private PodListing podListing(Tree tree, List<JsonNode> objects, Notes notes) {
        List<PodListing.Listed> read = new ArrayList<>();
        for (JsonNode pod : objects) {
            if (tree.isOpen(pod)) {
                notes.add("pod " + pod.path("metadata").path("name").asText("(no name)")
                        + ": the text stops in it, so its GPUs cannot be counted; it was left out");
            } else {
                read.add(listed(pod));
            }
        }
        return new PodListing(read, notes.list());
    }

    private PodListing.Listed listed(JsonNode pod) {
        PodReport read = pods.read(pod);
        boolean given = Json.text(pod.path("status"), "phase").isPresent();
        return new PodListing.Listed(read, given ? PodListing.Status.GIVEN : PodListing.Status.NONE,
                planned(pod, "initContainers", read.initContainers()), planned(pod, "containers", read.containers()));
    }

    private static List<String> planned(JsonNode pod, String field, List<PodReport.ContainerReport> known) {
        Set<String> names = known.stream().map(PodReport.ContainerReport::name).collect(Collectors.toSet());
        return Json.list(pod.path("spec").path(field)).stream().map(c -> Json.text(c, "name").orElse(""))
                .filter(name -> !names.contains(name)).toList();
    }

    private Optional<Understood> other(Tree tree, List<JsonNode> objects, Notes notes) {
        List<JsonNode> releaseSecrets = objects.stream().filter(releases::recognises).toList();
        if (releaseSecrets.size() == 1 && objects.size() == 1) {
            return Optional.of(releases.read(releaseSecrets.getFirst(), notes));
        }
        Optional<JsonNode> config = objects.stream().filter(sharing::recognises).findFirst();
        if (config.isPresent() && objects.size() == 1) {
            return Optional.of(sharing.read(config.get(), notes));
        }
        List<KubeObjects.Identity> identities = objects.stream()
                .filter(o -> o.path("kind").isTextual() && (o.has("apiVersion") || o.has("metadata"))).map(KubeReader::identity).toList();
        return identities.isEmpty() ? Optional.empty() : Optional.of(new KubeObjects(identities, notes.list()));
    }

    private static KubeObjects.Identity identity(JsonNode object) {
        return new KubeObjects.Identity(Json.text(object, "apiVersion"), object.path("kind").asText(),
                Json.text(object.path("metadata"), "namespace"), Json.text(object.path("metadata"), "name"));
    }
}
