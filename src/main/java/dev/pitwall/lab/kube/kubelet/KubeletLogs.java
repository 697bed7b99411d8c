package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.container.LogSource;
import java.time.Instant;
import java.util.List;

/** The output of containers: what their programs wrote in the latest run and in the one before. It goes with the pod. */
final class KubeletLogs implements LogSource {
    private final Kubelets kubelets;

    KubeletLogs(Kubelets kubelets) {
        this.kubelets = kubelets;
    }

    @Override
    public List<Line> lines(JsonNode pod, String container, Run run) {
        return kubelets.locked(now -> kubelets.find(pod.at("/metadata/uid").asText())
                .flatMap(work -> work.cell(container))
                .flatMap(cell -> switch (run) {
                    case CURRENT -> cell.latest;
                    // While it waits for its next run, the last one is the previous one.
                    case PREVIOUS -> cell.state instanceof ContainerCell.State.Waiting ? cell.latest : cell.previous;
                }).map(of -> of.program().log(of, until(of, now))).orElse(List.of()));
    }

    private static Instant until(ContainerRun run, Instant now) {
        return run.endedAt().isBefore(now) ? run.endedAt() : now;
    }
}
