package dev.pitwall.doctor.picture.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.picture.Picture.Seen;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.doctor.sign.SignBook;
import dev.pitwall.read.PodObject;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What namespaces let in, and what their quotas count. */
final class AdmissionCheck implements Check {
    private static final String ENFORCE = "pod-security.kubernetes.io/enforce";
    private final PodObject reader = new PodObject();

    @Override
    public void look(Picture picture, SignBook book) {
        Set<String> stack = Stream.concat(
                picture.objects("DaemonSet").stream().filter(AdmissionCheck::privileged)
                        .map(set -> set.what().path("metadata").path("namespace").asText("")),
                picture.objects("ClusterPolicy").stream().map(p -> p.what().path("status").path("namespace").asText("")))
                .filter(name -> !name.isEmpty()).collect(Collectors.toSet());
        picture.objects("Namespace").stream()
                .filter(space -> stack.contains(space.what().path("metadata").path("name").asText()))
                .forEach(space -> level(space, picture, book));
        quotas(picture, book);
    }

    /** The GPU stack's own DaemonSets; others may be privileged in namespaces of their own. */
    private static boolean privileged(Seen<JsonNode> set) {
        String name = set.what().path("metadata").path("name").asText();
        return name.startsWith("nvidia-") || name.contains("device-plugin");
    }

    /** Pods that are there already stay; so the level is a fault where pods are missing. */
    private static void level(Seen<JsonNode> space, Picture picture, SignBook book) {
        String name = space.what().path("metadata").path("name").asText();
        String level = space.what().path("metadata").path("labels").path(ENFORCE).asText("privileged");
        Optional<Seen<JsonNode>> lacking = picture.objects("DaemonSet").stream()
                .filter(set -> set.what().path("metadata").path("namespace").asText().equals(name))
                .filter(set -> lacksPods(set.what().path("status"))).findFirst();
        if (!level.equals("privileged") && lacking.isPresent()) {
            book.add(Shown.sign("operator-namespace-restricted", About.NOTHING, space.from(), "namespace " + name
                            + " enforces " + level + ", and DaemonSets in it lack pods", Map.of("level", level),
                    space.shown("/metadata/labels/" + ENFORCE.replace("/", "~1")),
                    lacking.get().shown("/status/desiredNumberScheduled", "/status/currentNumberScheduled")));
        }
    }

    private static boolean lacksPods(JsonNode status) {
        return status.path("desiredNumberScheduled").asInt() > status.path("currentNumberScheduled").asInt();
    }

    private void quotas(Picture picture, SignBook book) {
        Map<String, Set<String>> used = picture.objects("Pod").stream().map(p -> reader.read(p.what()))
                .collect(Collectors.groupingBy(p -> p.namespace(),
                        Collectors.flatMapping(p -> p.gpuRequests().keySet().stream(), Collectors.toSet())));
        Map<String, Set<String>> counted = picture.objects("ResourceQuota").stream().collect(Collectors.groupingBy(
                q -> q.what().path("metadata").path("namespace").asText(), Collectors.flatMapping(
                        q -> q.what().path("spec").path("hard").properties().stream().map(Map.Entry::getKey),
                        Collectors.toSet())));
        counted.forEach((space, names) -> used.getOrDefault(space, Set.of()).stream()
                .filter(resource -> !names.contains("requests." + resource))
                .forEach(resource -> book.add(Shown.sign("quota-without-gpu", About.NOTHING, "ResourceQuota of " + space,
                        "the quota of namespace " + space + " does not count " + resource,
                        Map.of("namespace", space, "resource", resource), counting(space, picture), asking(space, resource, picture)))));
    }

    private static Excerpt counting(String space, Picture picture) {
        return picture.objects("ResourceQuota").stream()
                .filter(q -> q.what().path("metadata").path("namespace").asText().equals(space))
                .map(q -> q.shown("/spec/hard")).findFirst().orElseThrow();
    }

    private Excerpt asking(String space, String resource, Picture picture) {
        return picture.objects("Pod").stream().filter(p -> reader.read(p.what()).namespace().equals(space))
                .filter(p -> reader.read(p.what()).gpuRequests().containsKey(resource)).map(Pods::asking)
                .findFirst().orElseThrow();
    }
}
