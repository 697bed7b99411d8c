package dev.pitwall.lab.kube.operator.program;

import dev.pitwall.lab.kube.container.LogSource;
import dev.pitwall.lab.kube.control.ClusterClock;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.kubelet.ImageName;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.machine.NodeMachine;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.world.World;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What the programs stand on.
 *
 * @param hand writes as the operands' service accounts
 */
public record Ground(World world, ClusterHand hand, Pods pods, ClusterClock clock, Scripts scripts) {
    public NodeMachine machine(Run run) {
        return new NodeMachine(world, run.node());
    }

    /** Labels of the run's node, as the API server has them. */
    Map<String, String> labels(Run run) {
        return hand.find(nodeKey(run)).map(node -> node.labels()).orElse(Map.of());
    }

    static ObjectKey nodeKey(Run run) {
        return new ObjectKey(Resource.NODES, "", run.node());
    }

    /** Gives the run's node a label. */
    void label(Run run, Map<String, String> labels) {
        hand.change(nodeKey(run), node -> labels.forEach(
                node.withObjectProperty("metadata").withObjectProperty("labels")::put));
    }

    /**
     * When a loop that looks every so often looks again. While the past is lived through, it looks only when
     * something has changed.
     */
    public Instant again(Instant now, Duration every) {
        return clock.isPast() ? Instant.MAX : now.plus(every);
    }

    /** A script that is filled with no more than the run and its image's tag. */
    public List<LogSource.Line> lines(String script, Run run, Instant until) {
        return scripts.lines(script, run.startedAt(), until, Map.of("start", run.startedAt().toString(), "mmdd",
                Scripts.klog(run.startedAt()), "node", run.node(), "chart",
                ImageName.of(run.container().path("image").asText()).tag()));
    }
}
