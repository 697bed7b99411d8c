package dev.pitwall.lab.kube.operator.program;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.machine.NodeMachine;

import java.time.Instant;
import java.util.List;

/**
 * {@code nvidia-validator} for the plugin, without a workload: the node's capacity must have cards, within 30 looks
 * five seconds apart. (facts: cluster.md 1.4)
 */
final class CapacityValidation extends ScriptedProgram {
    private static final int LOOK_SECONDS = 5;
    private static final int LOOKS = 30;

    CapacityValidation(Ground ground) {
        super(ground);
    }

    @Override
    String script(Run run) {
        return "plugin-validation/validator";
    }

    @Override
    public Doing look(Run run, Instant now) {
        if (cards(run) > 0) {
            ground.machine(run).write(NodeMachine.VALIDATIONS + "plugin-ready", "");
            return done(now);
        }
        Instant end = run.startedAt().plusSeconds((long) LOOKS * LOOK_SECONDS);
        if (!now.isBefore(end)) {
            return fails(run, now, 1, List.of(text("noCapacity", run)));
        }
        Journal.sayOnce(run, now, text("waitingForCapacity", run));
        return waits(now.plusSeconds(LOOK_SECONDS));
    }

    private long cards(Run run) {
        return ground.hand().find(Ground.nodeKey(run)).map(node -> count(node.tree().at("/status/capacity")))
                .orElse(0L);
    }

    private static long count(JsonNode capacity) {
        return capacity.properties().stream().filter(entry -> entry.getKey().startsWith("nvidia.com/gpu")
                        || entry.getKey().startsWith("nvidia.com/mig-"))
                .mapToLong(entry -> entry.getValue().asLong()).sum();
    }
}
