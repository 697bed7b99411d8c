package dev.pitwall.lab.kube.kubelet;

import dev.pitwall.lab.kube.control.Simulation;
import dev.pitwall.lab.scene.SceneException;
import dev.pitwall.lab.scene.SceneFile;
import dev.pitwall.lab.scene.SceneWorld;
import java.time.Instant;
import java.util.Optional;

/** The garage's nodes with the lab's kubelets, on simulated time. */
public final class KubeletRig extends Simulation {
    /** A node with a card. */
    public static final String NODE = "rke2-worker-dc1-gpu-a";

    final Kubelets kubelets;

    public KubeletRig() throws SceneException {
        super(Instant.parse("2026-11-30T12:00:00Z"));
        SceneWorld.fill(world, new SceneFile().bundled("garage"));
        this.kubelets = new Kubelets(world, clock, pods, hand, events, (image, pod, container) -> Optional.empty(),
                RuntimeHandlers.of(world));
    }

    /** Puts the kubelets behind the controllers that are there, and lets them register their nodes. */
    public KubeletRig started() {
        act(kubelets);
        pass(1);
        return this;
    }

    @Override
    public void close() {
        super.close();
        kubelets.close();
    }
}
