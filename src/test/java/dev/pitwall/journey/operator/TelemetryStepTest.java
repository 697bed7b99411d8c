package dev.pitwall.journey.operator;

import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.change.ObjectType;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TelemetryStepTest {
    private final CardScene scene = new CardScene().operator("v26.3.2", "{}");

    private void exporter(String status) {
        scene.cluster.with(ObjectType.DAEMON_SET, "{metadata: {name: nvidia-dcgm-exporter, namespace: gpu-operator}, spec: "
                + "{template: {spec: {}}}}");
        scene.cluster.with(ObjectType.POD, """
                metadata: {name: nvidia-dcgm-exporter-abcde, namespace: gpu-operator, labels: {app: nvidia-dcgm-exporter}, ownerReferences: [{kind: DaemonSet, name: nvidia-dcgm-exporter, controller: true}]}
                spec: {nodeName: worker-1}
                status: {startTime: "2026-09-01T09:58:00Z", %s}
                """.formatted(status));
    }

    @Test
    void itIsUpWhenTheNodesExporterIs() {
        exporter("phase: Running, conditions: [{type: Ready, status: 'True'}]");

        Answer answer = scene.look("telemetry");

        assertThat(answer.state()).as(answer.why()).isEqualTo(State.DONE);
        assertThat(answer.notes()).isEmpty();
    }

    @Test
    void anExporterThatIsKilledForItsMemoryIsNamed() {
        exporter("phase: Running, containerStatuses: [{name: nvidia-dcgm-exporter, ready: false, restartCount: 9, state: "
                + "{waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {reason: OOMKilled, exitCode: 137}}}]");

        assertThat(scene.look("telemetry").state()).isEqualTo(State.BLOCKED);
        assertThat(scene.look("telemetry").why()).contains("137");
    }

    @Test
    void aPrometheusThatWouldNotFindItIsTold() {
        exporter("phase: Running, conditions: [{type: Ready, status: 'True'}]");
        scene.defines("prometheuses.monitoring.coreos.com", "servicemonitors.monitoring.coreos.com");
        scene.cluster.with(ObjectType.PROMETHEUS, "{metadata: {name: p, namespace: monitoring}, spec: "
                + "{serviceMonitorSelector: {matchLabels: {release: kps}}}}");
        assertThat(scene.look("telemetry").notes()).anyMatch(n -> n.contains("No ServiceMonitor"));

        scene.cluster.with(ObjectType.SERVICE_MONITOR, "{metadata: {name: nvidia-dcgm-exporter, namespace: gpu-operator}}");
        assertThat(scene.look("telemetry").notes()).anyMatch(n -> n.contains("release=kps"));

        scene.cluster.with(ObjectType.SERVICE_MONITOR, "{metadata: {name: dcgm-exporter, namespace: x, labels: {release: kps}}}");
        assertThat(scene.look("telemetry").notes()).isEmpty();
    }

    @Test
    void whereNobodyExportsFiguresNothingIsAsked() {
        CardScene off = new CardScene().operator("v26.3.2", "{dcgmExporter: {enabled: false}}");

        assertThat(off.look("telemetry").state()).isEqualTo(State.NOT_APPLICABLE);
    }
}
