package dev.pitwall.doctor;

import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.evidence.Document;
import dev.pitwall.doctor.report.MarkdownReport;
import dev.pitwall.doctor.sign.Hint;
import dev.pitwall.doctor.sign.Sign.About;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;

/** What objects of a cluster show when they are compared, and what they say in words. */
class ClusterObjectsTest {
    private static final Doctor DOCTOR = Doctor.withCatalogue();
    private static final String HOLDER = """
            spec: {nodeName: gpu-1, containers: [{name: c, resources: {limits: {nvidia.com/gpu: "1"}}}]}
            status: {phase: Running}
            ---
            """;
    private static final String WAITING = """
            spec: {containers: [{name: c, resources: {limits: {nvidia.com/gpu: "1"}}}]}
            status: {phase: Pending}
            """;
    private static final String NODE = """
            apiVersion: v1
            kind: Node
            metadata:
              name: gpu-1
              labels: {feature.node.kubernetes.io/pci-10de.present: "true", nvidia.com/gpu.present: "true"}
            spec:
              taints: [{key: nvidia.com/gpu, value: "true", effect: NoSchedule}]
            status:
              capacity: {cpu: "8", nvidia.com/gpu: "1"}
              allocatable: {cpu: "8", nvidia.com/gpu: "1"}
            ---
            """;

    private static Diagnosis diagnose(String... documents) throws Exception {
        return DOCTOR.diagnose(taker -> {
            for (String document : documents) {
                taker.take(Document.text("objects.yaml", Hint.UNKNOWN, About.NOTHING, document));
            }
        });
    }

    private static List<String> causes(Diagnosis diagnosis) {
        return diagnosis.findings().stream().map(f -> f.trap().name()).toList();
    }

    private static String pod(String name, String more) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: llm%s
                """.formatted(name, more);
    }

    @Test
    void aDaemonSetThatATaintKeepsOffIsNamedThoughNoEventTells() throws Exception {
        String plugin = """
                apiVersion: apps/v1
                kind: DaemonSet
                metadata: {name: nvidia-device-plugin-daemonset, namespace: gpu-operator}
                spec: {template: {spec: {tolerations: [{key: nvidia.com/gpu, operator: Equal, value: present, effect: NoSchedule}]}}}
                status: {desiredNumberScheduled: 0}
                """;

        Diagnosis diagnosis = diagnose(NODE.replace(", nvidia.com/gpu: \"1\"", "") + plugin);

        assertThat(causes(diagnosis)).startsWith("device-plugin-missing-toleration");
        assertThat(diagnosis.findings().getFirst().summary()).contains("nvidia.com/gpu").contains("gpu-1");
        assertThat(sides(diagnosis)).contains("""
                objects.yaml Node gpu-1
                  kind: Node
                  metadata:
                    name: gpu-1
                  spec:
                >   taints:
                >     - key: nvidia.com/gpu
                >       value: "true"
                >       effect: NoSchedule
                """, """
                objects.yaml DaemonSet gpu-operator/nvidia-device-plugin-daemonset
                  kind: DaemonSet
                  metadata:
                    name: nvidia-device-plugin-daemonset
                    namespace: gpu-operator
                  spec:
                    template:
                      spec:
                >       tolerations:
                >         - key: nvidia.com/gpu
                >           operator: Equal
                >           value: present
                >           effect: NoSchedule
                """);
    }

    /** What was compared for the first finding, as text with its marks. */
    private static List<String> sides(Diagnosis diagnosis) {
        return diagnosis.findings().getFirst().evidence().stream().flatMap(proof -> proof.sides().stream())
                .map(side -> side.from() + "\n" + side.lines().stream().map(line -> (line.counts() ? "> " : "  ") + line.text() + "\n")
                        .collect(Collectors.joining())).distinct().toList();
    }

    @Test
    void aFieldThatIsMissingIsShownAsMissingAndAHolderWithWhatItHolds() throws Exception {
        String plain = """
                apiVersion: apps/v1
                kind: DaemonSet
                metadata: {name: nvidia-device-plugin-daemonset, namespace: gpu-operator}
                spec: {template: {spec: {containers: [{name: plugin}]}}}
                status: {desiredNumberScheduled: 0}
                """;

        assertThat(sides(diagnose(NODE + plain))).anyMatch(side -> side.endsWith("      spec:\n>       # no tolerations\n"));
    }

    @Test
    void aReportHidesTheValueOfAVariableWhoseNameSaysThatItIsSecret() throws Exception {
        String policy = """
                apiVersion: nvidia.com/v1
                kind: ClusterPolicy
                metadata: {name: cluster-policy}
                spec: {toolkit: {env: [{name: REGISTRY_TOKEN, value: hunter2hunter2}, {name: CONTAINERD_RESTART_MODE, value: none}]}}
                ---
                apiVersion: v1
                kind: Event
                metadata: {name: e, namespace: gpu-operator}
                involvedObject: {kind: Pod, name: cuda, namespace: gpu-operator}
                reason: FailedCreatePodSandBox
                message: 'failed to get sandbox runtime: no runtime for "nvidia" is configured'
                """;

        String report = MarkdownReport.of(diagnose(NODE + policy));

        assertThat(report).contains("name: REGISTRY_TOKEN", "value: (masked)", "value: none").doesNotContain("hunter2");
    }

    @Test
    void aReportMasksNodesThatOnlyTheComparedObjectsName() throws Exception {
        String report = MarkdownReport.of(diagnose(NODE + pod("whisper", "}") + HOLDER + pod("ollama", "}") + WAITING));

        assertThat(report).contains("> ", "nvidia.com/gpu: \"1\"", "nodeName: machine-1").doesNotContain("gpu-1");
    }

    @Test
    void theHoldersOfAllCardsAreNamedAndAnEndingOneComesFirst() throws Exception {
        Diagnosis held = diagnose(NODE + pod("whisper", "}") + HOLDER + pod("ollama", "}") + WAITING);
        Diagnosis ending = diagnose(NODE + pod("whisper", ", deletionTimestamp: \"2026-01-01T00:00:00Z\"}") + HOLDER
                + pod("ollama", "}") + WAITING);

        assertThat(causes(held)).startsWith("gpus-held-by-other-pods");
        assertThat(held.findings().getFirst().summary()).contains("llm/whisper on gpu-1");
        assertThat(causes(ending)).containsExactly("claim-held-by-terminating-pod");
    }

    @Test
    void aSectionThatTheSharingConfigurationDoesNotHaveIsNamed() throws Exception {
        String policy = """
                apiVersion: nvidia.com/v1
                kind: ClusterPolicy
                metadata: {name: cluster-policy}
                spec: {devicePlugin: {config: {name: time-slicing-config, default: a1000}}}
                ---
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: time-slicing-config, namespace: gpu-operator}
                data:
                  rtx-a1000: |
                    version: v1
                    sharing:
                      timeSlicing:
                        resources:
                        - {name: nvidia.com/gpu, replicas: 4}
                """;

        assertThat(causes(diagnose(policy))).startsWith("time-slicing-config-wrong-key");
    }

    @Test
    void whyAContainerEndedIsReadFromItsStatus() throws Exception {
        String pod = """
                apiVersion: v1
                kind: Pod
                metadata: {name: nvidia-dcgm-exporter-x1, namespace: gpu-operator}
                spec: {nodeName: gpu-1, containers: [{name: nvidia-dcgm-exporter}]}
                status:
                  phase: Running
                  containerStatuses:
                  - name: nvidia-dcgm-exporter
                    restartCount: 7
                    state: {waiting: {reason: CrashLoopBackOff}}
                    lastState: {terminated: {exitCode: 137, reason: OOMKilled}}
                """;

        Diagnosis diagnosis = diagnose(pod);

        assertThat(causes(diagnosis)).containsExactly("dcgm-exporter-oom");
        assertThat(diagnosis.findings().getFirst().nodes()).containsExactly("gpu-1");
    }

    @Test
    void aHealthyNodeIsNoFault() throws Exception {
        assertThat(causes(diagnose(NODE))).isEmpty();
    }

    @Test
    void aWrongSharingConfigurationThatNobodyUsesIsNoFault() throws Exception {
        String config = """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: sharing, namespace: gpu-operator}
                data: {a: "version: v1\\nsharing:\\n  timeSlicing:\\n    resources:\\n      - {name: nvidia.com/gpu}\\n"}
                ---
                """;
        String policy = """
                apiVersion: nvidia.com/v1
                kind: ClusterPolicy
                metadata: {name: cluster-policy}
                spec: {devicePlugin: {enabled: true%s}}
                ---
                """;
        String plugin = """
                apiVersion: apps/v1
                kind: DaemonSet
                metadata: {name: nvidia-device-plugin-daemonset, namespace: gpu-operator}
                spec: {template: {spec: {volumes: [%s]}}}
                """;
        String named = ", config: {name: sharing, default: a}";

        assertThat(causes(diagnose(config + policy.formatted(named) + plugin.formatted("")))).contains("plugin-config-schema-error");
        assertThat(causes(diagnose(config + policy.formatted("") + plugin.formatted("{configMap: {name: sharing}}"))))
                .as("mounted").contains("plugin-config-schema-error");
        assertThat(causes(diagnose(config + policy.formatted("") + plugin.formatted("")))).doesNotContain("plugin-config-schema-error");
    }
}
