package dev.pitwall.lab.kube.kubelet;

import dev.pitwall.lab.kube.control.ClusterClock;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.EventRecorder;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.world.World;
import java.util.List;

/** What all kubelets of a cluster share. */
record Surroundings(World world, ClusterClock clock, Pods pods, ClusterHand hand, EventRecorder events,
                    Programs programs, RuntimeHandlers runtime, ImageCatalog images, Volumes volumes,
                    Environment environment, Insides insides, List<Distribution> distributions) {
}
