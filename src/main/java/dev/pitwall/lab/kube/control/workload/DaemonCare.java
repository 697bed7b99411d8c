package dev.pitwall.lab.kube.control.workload;

import dev.pitwall.lab.kube.control.EventRecorder.Type;
import dev.pitwall.lab.kube.control.PodFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Sees that each node has the pod it is to have and no other: makes what is missing, takes away what has failed, what is
 * too many and what does not belong there. [kubernetes: daemon_controller.go, manage and podsShouldBeOnNode]
 */
final class DaemonCare {
    private final DaemonView view;
    private final Owner owner;
    private final PodMaker maker;
    private final FailedDaemons failed;
    private final boolean surges;
    private final DaemonSteps steps = new DaemonSteps();
    private final List<Instant> later = new ArrayList<>();

    DaemonCare(DaemonView view, Owner owner, PodMaker maker, FailedDaemons failed) {
        this.view = view;
        this.owner = owner;
        this.maker = maker;
        this.failed = failed;
        this.surges = view.plan().leeway(view.desired()).surge() > 0;
    }

    DaemonSteps steps() {
        view.places().forEach((node, place) -> {
            switch (place) {
                case WANTED -> {
                    if (view.on(node).isEmpty()) {
                        steps.create().add(node);
                    } else {
                        keep(node, place);
                    }
                }
                case BORNE -> keep(node, place);
                case UNWANTED -> steps.delete().addAll(view.staying(node));
            }
        });
        // Nobody else would ever end these: their node is gone and they were never bound to it.
        view.byNode().forEach((node, pods) -> {
            if (!view.places().containsKey(node)) {
                pods.stream().filter(pod -> pod.node().isEmpty() && pod.deletion().isEmpty())
                        .forEach(steps.delete()::add);
            }
        });
        return steps;
    }

    /** When a failed pod that is still left there may go; empty if there is none. */
    Optional<Instant> comesBack() {
        return later.stream().min(Instant::compareTo);
    }

    private void keep(String node, DaemonTemplate.Place place) {
        List<PodFacts> running = new ArrayList<>();
        for (PodFacts pod : view.staying(node)) {
            switch (pod.phase()) {
                case "Failed" -> failed(pod, node);
                case "Succeeded" -> {
                    tell(Type.Normal, "SucceededDaemonPod", "Found succeeded daemon pod " + name(pod) + " on node "
                            + node + ", will try to delete it");
                    steps.delete().add(pod);
                }
                default -> running.add(pod);
            }
        }
        if (!surges) {
            running.stream().skip(1).forEach(steps.delete()::add);
        } else if (running.size() > 1) {
            oneOfEach(running);
        } else if (running.isEmpty() && place == DaemonTemplate.Place.WANTED) {
            steps.create().add(node);
        }
    }

    private void failed(PodFacts pod, String node) {
        long generation = view.plan().item().tree().at("/status/observedGeneration").asLong();
        Optional<Instant> wait = failed.next(
                new FailedDaemons.Place(owner.object().uid(), generation, node), view.now());
        if (wait.isPresent()) {
            later.add(wait.get());
            return;
        }
        tell(Type.Warning, "FailedDaemonPod", "Found failed daemon pod " + name(pod) + " on node " + node
                + ", will try to kill it");
        steps.delete().add(pod);
    }

    /** The oldest of each kind stays, and the old one only while it works and the new one does not yet. */
    private void oneOfEach(List<PodFacts> running) {
        Optional<PodFacts> fresh = running.stream().filter(view::isFresh).findFirst();
        Optional<PodFacts> old = running.stream().filter(pod -> !view.isFresh(pod)).findFirst();
        running.stream().filter(pod -> fresh.filter(pod::equals).isEmpty() && old.filter(pod::equals).isEmpty())
                .forEach(steps.delete()::add);
        if (fresh.isPresent() && old.filter(pod -> !pod.ready() || view.isAvailable(fresh.get())).isPresent()) {
            steps.delete().add(old.get());
        }
    }

    private static String name(PodFacts pod) {
        return pod.key().namespace() + "/" + pod.key().name();
    }

    private void tell(Type type, String reason, String message) {
        maker.event(owner, type, reason, message, view.now());
    }
}
