package dev.pitwall.doctor.picture.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.PodReport;
import dev.pitwall.doctor.picture.Picture.Seen;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.doctor.sign.Sign.About;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What signs about pods have in common. */
final class Pods {

    private Pods() {
    }

    static About about(JsonNode pod) {
        return new About("", pod.path("spec").path("nodeName").asText(""), "", named(pod));
    }

    static About about(PodReport pod) {
        return new About("", pod.node().orElse(""), "", named(pod));
    }

    /** Where a pod asks for cards and where it may run. */
    static Excerpt asking(Seen<JsonNode> pod, String... more) {
        List<String> places = new ArrayList<>(List.of(more));
        JsonNode containers = pod.what().path("spec").path("containers");
        for (int i = 0; i < containers.size(); i++) {
            for (String list : List.of("limits", "requests")) {
                int container = i;
                containers.get(i).path("resources").path(list).properties().stream().map(Map.Entry::getKey)
                        .filter(Nodes::isGpu).forEach(name -> places.add("/spec/containers/" + container + "/resources/"
                                + list + "/" + name.replace("/", "~1")));
            }
        }
        Stream.of("nodeSelector", "nodeName").filter(pod.what().path("spec")::has).map("/spec/"::concat).forEach(places::add);
        return pod.shown(places);
    }

    static String named(JsonNode pod) {
        return pod.path("metadata").path("namespace").asText("") + "/" + pod.path("metadata").path("name").asText("");
    }

    static String named(PodReport pod) {
        return pod.namespace() + "/" + pod.name();
    }
}
