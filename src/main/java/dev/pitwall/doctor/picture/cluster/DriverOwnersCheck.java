package dev.pitwall.doctor.picture.cluster;

import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.sign.SignBook;

import java.util.Map;

/**
 * A node that brings its own driver where the operator is told to bring one too. The operator's stays away as long as it finds
 * the node's when a driver pod starts (facts: cluster.md 1.6); a label that a person has set says who is to bring it.
 */
final class DriverOwnersCheck implements Check {
    private static final String LABEL = "nvidia.com/gpu.deploy.driver";

    @Override
    public void look(Picture picture, SignBook book) {
        Settings.of(picture).filter(settings -> !settings.isFalse("driver.enabled")).ifPresent(settings ->
                Nodes.of(picture).stream().filter(node -> node.what().labels().orElse(Map.of())
                                .getOrDefault(LABEL, "").equals("pre-installed"))
                        .forEach(node -> book.add(Shown.sign("two-drivers-for-node", Nodes.about(node), node.from(),
                                Nodes.called(node.what()) + " has a driver of its own (" + LABEL
                                        + "=pre-installed), and the operator is told to bring one to all nodes",
                                node.shown("/metadata/labels/nvidia.com~1gpu.deploy.driver"), settings.shown("driver.enabled")))));
    }
}
