package dev.pitwall.lab.kube.operator.program;

import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.machine.NodeMachine;
import dev.pitwall.lab.kube.machine.Nvml;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * GPU Feature Discovery: it writes what NVML says as labels into a file that NFD's worker reads. It looks every minute.
 * (facts: cluster.md 2)
 */
final class FeatureDiscovery extends ScriptedProgram {
    /** Where NFD's worker reads features of others. */
    static final String FILE = "/etc/kubernetes/node-feature-discovery/features.d/gfd";
    private static final Duration INTERVAL = Duration.ofSeconds(60);
    private final CardLabels labels;

    FeatureDiscovery(Ground ground, CardLabels labels) {
        super(ground);
        this.labels = labels;
    }

    @Override
    String script(Run run) {
        return "gpu-feature-discovery";
    }

    @Override
    public Doing look(Run run, Instant now) {
        Instant writes = at(run, "discoveryWrites");
        if (now.isBefore(writes)) {
            return waits(writes);
        }
        Instant next = Instant.parse(run.notes().getOrDefault("next", writes.toString()));
        if (now.isBefore(next) && !ground.clock().isPast()) {
            return new Doing.Goes(true, next);
        }
        run.notes().put("next", now.plus(INTERVAL).toString());
        NodeMachine machine = ground.machine(run);
        Optional<String> trouble = GpuAccess.runsUnderNvidia(ground, run) ? Nvml.trouble(machine)
                : Optional.of("ERROR_LIBRARY_NOT_FOUND");
        if (trouble.isPresent() && !run.notes().containsKey("labels")) {
            return fails(run, now, 1, List.of("E" + Scripts.klog(now) + " 1 main.go:163] failed to create resource "
                    + "manager: failed to initialize NVML: " + trouble.get()));
        }
        if (trouble.isEmpty()) {
            write(run, machine);
        }
        return new Doing.Goes(true, ground.again(now, INTERVAL));
    }

    private void write(Run run, NodeMachine machine) {
        SharingConfig config;
        try {
            ChosenConfig chosen = new ChosenConfig(ground, run);
            config = chosen.isOffered() ? SharingConfig.parse(chosen.text()) : SharingConfig.NONE;
        } catch (ChosenConfig.NoChoice | SharingConfig.Malformed e) {
            config = SharingConfig.NONE;
        }
        Map<String, String> found = labels.of(machine, config, run.environment("MIG_STRATEGY").orElse("none"),
                run.startedAt());
        String text = found.entrySet().stream().map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining("\n", "", "\n"));
        run.notes().put("labels", "written");
        machine.write(FILE, text);
    }

    /** It takes its file along when it is told to end. */
    @Override
    public void ended(Run run, Instant now) {
        if (run.pod().deletion().isPresent()) {
            ground.machine(run).remove(List.of(FILE));
        }
    }
}
