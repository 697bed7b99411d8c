package dev.pitwall.lab.kube.operator.discovery;

import dev.pitwall.lab.kube.container.LogSource;
import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Program;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.operator.program.Ground;

import dev.pitwall.lab.kube.store.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * {@code nfd-master -prune}: takes all that NFD has written off every node, and ends. Charts of NFD run it when they have
 * been uninstalled. Labels of others, such as the operator's own, stay. (node-feature-discovery: Uninstallation)
 */
final class Prune implements Program {
    private static final Duration TAKES = Duration.ofSeconds(2);

    private final Ground ground;

    Prune(Ground ground) {
        this.ground = ground;
    }

    @Override
    public Doing look(Run run, Instant now) {
        Instant end = run.startedAt().plus(TAKES);
        if (now.isBefore(end)) {
            return new Doing.Goes(true, end);
        }
        ground.hand().store().list(Resource.NODES, "").objects()
                .forEach(node -> ground.hand().change(node.key(), Master::clear));
        return new Doing.Ended(0, "", end);
    }

    @Override
    public List<LogSource.Line> log(Run run, Instant until) {
        return ground.lines("nfd-prune", run, until);
    }

    @Override
    public boolean followsWorld() {
        return false;
    }
}
