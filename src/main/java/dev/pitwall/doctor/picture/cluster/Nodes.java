package dev.pitwall.doctor.picture.cluster;

import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.picture.Picture.Seen;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.read.NodeFacts;
import dev.pitwall.read.NodeListing;
import dev.pitwall.read.NodeObject;
import dev.pitwall.read.Numbers;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The nodes of a picture, from objects and from {@code kubectl describe node} alike. */
final class Nodes {
    private static final String GPU = "nvidia.com/";

    private Nodes() {
    }

    static List<Seen<NodeFacts>> of(Picture picture) {
        NodeObject reader = new NodeObject();
        return Stream.concat(
                picture.objects("Node").stream().map(n -> n.as(reader.read(n.what()))),
                picture.outputs(NodeListing.class).stream().flatMap(listing -> listing.what().nodes().stream()
                        .map(n -> new Seen<>(n, listing.from(), listing.about(), places -> listing.shown(Stream.concat(
                                n.name().map(name -> "Name: " + name).stream(), places.stream()).toList()))))).toList();
    }

    static About about(Seen<NodeFacts> node) {
        return Shown.node(node.what().name().orElse(node.about().node()));
    }

    static String called(NodeFacts node) {
        return node.name().map(name -> "node " + name).orElse("the node");
    }

    /** True if its labels, or what it counts, say that it has an NVIDIA card. */
    static boolean hasCard(NodeFacts node) {
        Map<String, String> labels = node.labels().orElse(Map.of());
        return labels.entrySet().stream().anyMatch(l -> l.getKey().contains("10de") && l.getValue().equals("true"))
                || "true".equals(labels.get("nvidia.com/gpu.present"))
                || node.capacity().orElse(Map.of()).entrySet().stream()
                .anyMatch(r -> r.getKey().contains("nvidia") && amount(r.getValue()) > 0);
    }

    /** True if the node's labels are known, are those of NFD, and none speaks of NVIDIA. */
    static boolean surelyWithoutCard(NodeFacts node) {
        return node.labels().filter(labels -> labels.keySet().stream()
                .anyMatch(l -> l.startsWith("feature.node.kubernetes.io/pci-"))).isPresent() && !hasCard(node);
    }

    static long amount(String printed) {
        OptionalLong amount = Numbers.quantity(printed);
        return amount.orElse(0);
    }

    static boolean isGpu(String resource) {
        return resource.startsWith(GPU);
    }
}
