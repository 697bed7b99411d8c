package dev.pitwall.doctor.picture.cluster;

import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.picture.Picture.Seen;
import dev.pitwall.doctor.sign.SignBook;
import dev.pitwall.read.NodeFacts;

import java.util.Map;

/** What a node counts, what it can give out, and what its labels promise. */
final class NodeResourcesCheck implements Check {
    private static final String GPU = "nvidia.com/gpu";
    private static final String PRESENT = "/metadata/labels/nvidia.com~1gpu.present";
    private static final String CAPACITY = "/status/capacity/nvidia.com~1gpu";

    @Override
    public void look(Picture picture, SignBook book) {
        Nodes.of(picture).stream().filter(node -> Nodes.hasCard(node.what())).forEach(node -> {
            node.what().capacity().ifPresent(capacity -> counted(node, capacity, book));
            cordoned(node, book);
            unnamed(node, book);
        });
    }

    private static void counted(Seen<NodeFacts> node, Map<String, String> capacity, SignBook book) {
        if (capacity.keySet().stream().noneMatch(Nodes::isGpu)) {
            book.add(Shown.sign("gpu-missing-in-capacity", Nodes.about(node), node.from(),
                    Nodes.called(node.what()) + " has a card, and its capacity names no nvidia.com resource", node.shown(PRESENT, CAPACITY)));
        }
        long all = Nodes.amount(capacity.getOrDefault(GPU, "0"));
        long healthy = node.what().allocatable().map(a -> Nodes.amount(a.getOrDefault(GPU, "0"))).orElse(all);
        if (healthy < all) {
            book.add(Shown.sign("allocatable-below-capacity", Nodes.about(node), node.from(), Nodes.called(node.what())
                    + " counts " + all + " cards and gives out " + healthy, Map.of("left", healthy > 0 ? "some" : "none"),
                    node.shown(CAPACITY, "/status/allocatable/nvidia.com~1gpu")));
        }
    }

    private static void cordoned(Seen<NodeFacts> node, SignBook book) {
        if (node.what().unschedulable().orElse(false)) {
            book.add(Shown.sign("gpu-node-cordoned", Nodes.about(node), node.from(),
                    Nodes.called(node.what()) + " has a card and is closed for new pods", node.shown("/spec/unschedulable", CAPACITY)));
        }
    }

    /** GFD names the card in labels as soon as the driver shows it. */
    private static void unnamed(Seen<NodeFacts> node, SignBook book) {
        Map<String, String> labels = node.what().labels().orElse(Map.of());
        boolean counts = node.what().capacity().map(c -> Nodes.amount(c.getOrDefault(GPU, "0")) > 0).orElse(false);
        boolean deployed = "true".equals(labels.get("nvidia.com/gpu.deploy.gpu-feature-discovery"));
        if (counts && deployed && !labels.containsKey("nvidia.com/gpu.product")) {
            book.add(Shown.sign("gfd-labels-absent", Nodes.about(node), node.from(), Nodes.called(node.what())
                    + " counts its card, and no label names it", node.shown(CAPACITY, "/metadata/labels/nvidia.com~1gpu.product")));
        }
    }
}
