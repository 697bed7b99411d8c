package dev.pitwall.doctor.fix;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.Findings;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.ScriptedMachine;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.NodeReboot;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.PackageChange;
import dev.pitwall.journey.change.PodRestart;
import dev.pitwall.journey.change.VmPowerCycle;
import dev.pitwall.journey.operator.PaperCluster;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static dev.pitwall.journey.operator.PaperCluster.yaml;
import static org.assertj.core.api.Assertions.assertThat;

/** Cures of the book become exact changes of the cluster that is there; what is so already is left alone. */
class DosesTest {
    private final Treatments treatments = new Treatments(CureBook.load());
    private final PaperCluster cluster = new PaperCluster()
            .with(ObjectType.CLUSTER_POLICY, """
                    metadata: {name: cluster-policy}
                    spec:
                      toolkit: {env: [{name: CONTAINERD_CONFIG, value: /etc/config.toml}, {name: CONTAINERD_RESTART_MODE, value: none}]}
                      driver: {resources: {limits: {memory: 512Mi, cpu: "2"}}}
                      devicePlugin: {config: {name: sharing, default: big}}
                      daemonsets:
                        annotations: {container.apparmor.security.beta.kubernetes.io/toolkit: localhost/strict, team: gpu}
                        tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
                    status: {namespace: gpu-operator, state: notReady}
                    """)
            .with(ObjectType.NODE, node("gpu-a", "{key: nvidia.com/gpu, value: present, effect: NoSchedule}"),
                    node("gpu-b", "{key: team, value: ml, effect: NoExecute}"), "{metadata: {name: plain}}")
            .with(ObjectType.DAEMON_SET, daemonSet("nvidia-device-plugin-daemonset"), daemonSet("nvidia-driver-daemonset"))
            .with(ObjectType.CONFIG_MAP, "{metadata: {name: sharing, namespace: gpu-operator}, data: {small: 'version: v1'}}")
            .with(ObjectType.POD, pod("driver-a", "nvidia-driver-daemonset", "gpu-a"), pod("driver-b", "nvidia-driver-daemonset", "gpu-b"),
                    pod("toolkit-a", "nvidia-container-toolkit-daemonset", "gpu-a"),
                    "{metadata: {name: alone, namespace: gpu-operator, uid: u, labels: {app: nvidia-driver-daemonset}}, spec: {nodeName: gpu-a}}");

    private final ScriptedMachine shell = new ScriptedMachine("gpu-a-shell").says("uname -r", "6.8.0-22-generic\n");

    private boolean withShells = true;

    private static String node(String name, String taint) {
        return "{metadata: {name: " + name + ", labels: {feature.node.kubernetes.io/pci-10de.present: 'true'}}, spec: {taints: ["
                + taint + ", {key: node.kubernetes.io/unschedulable, effect: NoSchedule}]}}";
    }

    private static String daemonSet(String name) {
        return "{metadata: {name: " + name + ", namespace: gpu-operator, labels: {app: " + name + "}}, spec: {template: {spec: "
                + "{tolerations: [], containers: [{name: c, image: nvcr.io/nvidia/x}]}}}}";
    }

    private static String pod(String name, String app, String node) {
        return "{metadata: {name: " + name + ", namespace: gpu-operator, uid: uid-" + name + ", labels: {app: " + app
                + "}, ownerReferences: [{kind: DaemonSet, name: " + app + ", controller: true}]}, spec: {nodeName: " + node + "}}";
    }

    private Answer answer(String trap, String... nodes) throws Exception {
        Finding finding = Findings.of(trap, nodes);
        return treatments.answer(treatments.cure(finding).orElseThrow(), finding, new Systems() {
            @Override
            public Machine machine(String name) {
                return shell;
            }

            @Override
            public Proxmox proxmox(String node) throws TroubleException {
                throw missing(node);
            }

            @Override
            public Optional<Cluster> cluster() {
                return Optional.of(cluster);
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        }, new NodeMachines(node -> withShells ? Optional.of(node + "-shell") : Optional.empty(),
                node -> Optional.of(new NodeMachines.Vm("pve1", 101, node + "-vm"))));
    }

    private static TroubleException missing(String where) {
        return new TroubleException(new Trouble(Trouble.Kind.MISSING, where, "there is none", "Add one."));
    }

    private static JsonNode after(Change change) {
        return ((ManifestChange) change).after().orElseThrow();
    }

    private static List<String> restarted(Change change) {
        return ((PodRestart) change).pods().stream().map(PodRestart.Pod::name).toList();
    }

    @Test
    void aLimitGoesAloneAndThePodsOfTheFindingsNodeBeginAnew() throws Exception {
        List<Change> changes = answer("driver-oom-while-compiling", "gpu-a").changes();

        assertThat(after(changes.getFirst())).isEqualTo(yaml("{spec: {driver: {resources: {limits: {memory: null}}}}}"));
        assertThat(restarted(changes.getLast())).as("one that nobody makes again is left alone").containsExactly("driver-a");
    }

    @Test
    void whereAFindingNamesNoNodeThePodsOfAllNodesWithCardsBeginAnew() throws Exception {
        assertThat(restarted(answer("module-built-for-other-kernel").changes().getFirst())).containsExactly("driver-a", "driver-b");
    }

    @Test
    void anEnvironmentLosesOneVariableAndKeepsTheOthers() throws Exception {
        assertThat(after(answer("runtime-handler-not-configured").changes().getFirst()).at("/spec/toolkit/env"))
                .isEqualTo(yaml("[{name: CONTAINERD_CONFIG, value: /etc/config.toml}]"));
    }

    @Test
    void containerdsSocketIsSetWhereTheDistributionHasIt() throws Exception {
        cluster.objects.get(ObjectType.NODE).clear();
        cluster.with(ObjectType.NODE, "{metadata: {name: gpu-a}, status: {nodeInfo: {kubeletVersion: v1.33.5+rke2r1}}}");

        assertThat(after(answer("containerd-socket-wrong-path", "gpu-a").changes().getFirst()).at("/spec/toolkit/env"))
                .isEqualTo(yaml("""
                        [{name: CONTAINERD_CONFIG, value: /etc/config.toml}, {name: CONTAINERD_RESTART_MODE, value: none},
                         {name: CONTAINERD_SOCKET, value: /run/k3s/containerd/containerd.sock}]"""));
    }

    @Test
    void onlyTheAnnotationsOfProfilesGo() throws Exception {
        assertThat(after(answer("apparmor-blocks-toolkit").changes().getFirst()).at("/spec/daemonsets/annotations"))
                .isEqualTo(yaml("{container.apparmor.security.beta.kubernetes.io/toolkit: null}"));
    }

    @Test
    void theDefaultOfASharingConfigurationIsItsOneKeyAndOfSeveralNobodyCanTell() throws Exception {
        assertThat(after(answer("time-slicing-config-wrong-key").changes().getFirst()))
                .isEqualTo(yaml("{spec: {devicePlugin: {config: {default: small}}}}"));
        cluster.objects.get(ObjectType.CONFIG_MAP).clear();
        cluster.with(ObjectType.CONFIG_MAP, "{metadata: {name: sharing, namespace: gpu-operator}, data: {one: '', two: ''}}");
        assertThat(answer("time-slicing-config-wrong-key").state()).isEqualTo(Answer.State.BLOCKED);
    }

    @Test
    void tolerationsAreAddedForTheTaintsOfTheFindingsNodesAndNotForThoseThatKubernetesPuts() throws Exception {
        assertThat(after(answer("untolerated-custom-taint", "gpu-b").changes().getFirst()).at("/spec/daemonsets/tolerations"))
                .isEqualTo(yaml("""
                        [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}, {key: team, operator: Exists, effect: NoExecute}]"""));
        assertThat(answer("untolerated-custom-taint", "gpu-a").state()).as("it is tolerated already").isEqualTo(Answer.State.BLOCKED);
    }

    @Test
    void onlyTheDaemonSetThatIsMeantToleratesMore() throws Exception {
        List<Change> changes = answer("device-plugin-missing-toleration", "gpu-a").changes();

        assertThat(changes).singleElement().satisfies(change -> {
            assertThat(((ManifestChange) change).object().name()).isEqualTo("nvidia-device-plugin-daemonset");
            assertThat(after(change).at("/spec/template/spec/tolerations")).isEqualTo(
                    yaml("[{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]"));
        });
    }

    @Test
    void aPodThatItsKubeletHasRefusedIsClearedAway() throws Exception {
        cluster.with(ObjectType.POD, "{metadata: {name: old, namespace: llm, uid: u1, ownerReferences: [{kind: ReplicaSet, name: r, "
                + "controller: true}]}, spec: {nodeName: gpu-a}, status: {phase: Failed, reason: UnexpectedAdmissionError}}");

        assertThat(restarted(answer("pod-admitted-before-plugin-after-reboot", "gpu-a").changes().getFirst())).containsExactly("old");
    }

    @Test
    void aNodeWhoseRuntimeStopsNothingIsRebootedThroughItsOwnShell() throws Exception {
        assertThat(answer("operands-stuck-terminating", "gpu-a").changes()).singleElement().satisfies(change ->
                assertThat(((NodeReboot) change).machine()).isEqualTo("gpu-a-shell"));
    }

    @Test
    void podsWithACardThatARebootedKubeletRefusesAreClearedAwayByTheSamePlan() throws Exception {
        cluster.with(ObjectType.POD, "{metadata: {name: model, namespace: llm, uid: u1, ownerReferences: [{kind: ReplicaSet, name: r, "
                + "controller: true}]}, spec: {nodeName: gpu-a, containers: [{resources: {limits: {nvidia.com/gpu: '1'}}}]}, status: {phase: "
                + "Running, containerStatuses: [{state: {running: {startedAt: '2026-01-01T00:00:00Z'}}}]}}");

        List<Change> changes = answer("operands-stuck-terminating", "gpu-a").changes();

        assertThat(changes).hasSize(2);
        assertThat(changes.getFirst()).isInstanceOf(NodeReboot.class);
        assertThat(changes.getLast()).isEqualTo(new PodRestart("paper", List.of(new PodRestart.Pod("llm", "model", "u1", "ReplicaSet r",
                "2026-01-01T00:00:00Z")), PodRestart.Which.REFUSED, Duration.ofSeconds(30), Duration.ofMinutes(2),
                changes.getLast().summary()));
        assertThat(changes.getLast().target()).isEqualTo("after the boot, restart what is refused of llm/model");
    }

    private void offers(String image, String headers) {
        shell.says("apt-cache policy linux-image-generic linux-headers-generic", "linux-image-generic:\n  Installed: 6.8.0-22.22\n"
                + "  Candidate: " + image + "\n  Version table:\n     " + image + " 500\nlinux-headers-generic:\n  Installed: (none)\n"
                + "  Candidate: " + headers + "\n  Version table:\n");
    }

    @Test
    void whereTheHeadersHaveLeftTheArchiveTheMachineBootsTheKernelThatItHas() throws Exception {
        offers("6.8.0-101.101", "6.8.0-101.101");

        List<Change> changes = answer("kernel-headers-missing", "gpu-a").changes();

        assertThat(((PackageChange) changes.getFirst()).after()).isEqualTo(
                Map.of("linux-image-generic", "6.8.0-101.101", "linux-headers-generic", "6.8.0-101.101"));
        assertThat(((PackageChange) changes.getFirst()).before()).containsEntry("linux-headers-generic", PackageChange.ABSENT);
        assertThat(changes.getLast()).isInstanceOf(NodeReboot.class);
    }

    @Test
    void aKernelIsNotChosenWhereTheArchiveHasNoHeadersForIt() throws Exception {
        offers("6.8.0-101.101", "(none)");
        assertThat(answer("kernel-headers-missing", "gpu-a").state()).isEqualTo(Answer.State.BLOCKED);
        shell.says("uname -r", "5.14.0-503.el9.x86_64\n");
        assertThat(answer("kernel-headers-missing", "gpu-a").state()).isEqualTo(Answer.State.BLOCKED);
    }

    @Test
    void defaultsAreGivenWhereAQuotaRefusesPodsForWantOfRequests() throws Exception {
        cluster.with(ObjectType.EVENT, "{metadata: {name: e, namespace: llm}, type: Warning, involvedObject: {namespace: llm}, "
                + "message: 'failed quota: q: must specify cpu for: c'}");

        assertThat(answer("quota-requires-requests").changes()).singleElement().satisfies(change ->
                assertThat(((ManifestChange) change).object().toString()).contains("llm", "pitwall-defaults"));
    }

    @Test
    void aNodeIsUncordonedAndOneThatTakesPodsIsNot() throws Exception {
        cluster.with(ObjectType.NODE, "{metadata: {name: closed}, spec: {unschedulable: true}}");

        assertThat(after(answer("node-cordoned", "closed").changes().getFirst())).isEqualTo(yaml("{spec: {unschedulable: null}}"));
        assertThat(answer("node-cordoned", "gpu-a").state()).isEqualTo(Answer.State.BLOCKED);
    }

    private void rke2(String containerd) {
        cluster.objects.get(ObjectType.NODE).clear();
        cluster.with(ObjectType.NODE, "{metadata: {name: gpu-a, labels: {feature.node.kubernetes.io/pci-10de.present: 'true'}}, status: "
                + "{nodeInfo: {kubeletVersion: v1.33.5+rke2r1, containerRuntimeVersion: 'containerd://" + containerd + "'}}}");
        shell.says("systemctl is-active rke2-server rke2-agent", "inactive\nactive\n");
    }

    private static List<String> targets(Answer answer) {
        return answer.changes().stream().map(Change::target).toList();
    }

    @Test
    void whereAnEngineReadsNoCdiTheDefaultRuntimeGivesTheCardsAndNobodyTurnsCdiOnAgain() throws Exception {
        rke2("1.6.28-k3s2");
        shell.has("/etc/rancher/rke2/config.yaml", "server: https://a:9345");

        for (String trap : List.of("cdi-unsupported-by-containerd", "runtime-class-missing")) {
            Answer answer = answer(trap, "gpu-a");
            assertThat(targets(answer)).as(trap).contains("/etc/rancher/rke2/config.yaml", "systemctl restart rke2-agent");
            assertThat(answer.changes()).as(trap).filteredOn(FileChange.class::isInstance).singleElement().satisfies(change -> assertThat(
                    ((FileChange) change).after().text()).isEqualTo("server: https://a:9345\ndefault-runtime: nvidia\n"));
            assertThat(answer.changes()).filteredOn(ManifestChange.class::isInstance).noneMatch(change ->
                    after(change).at("/spec/cdi/enabled").asBoolean());
        }
    }

    @Test
    void whereAllEnginesReadCdiItIsTurnedOnAndNoMachineIsTouched() throws Exception {
        rke2("2.1.4-k3s1");

        assertThat(answer("runtime-class-missing", "gpu-a").changes()).singleElement().satisfies(change ->
                assertThat(after(change)).isEqualTo(yaml("{spec: {cdi: {enabled: true}}}")));
    }

    @Test
    void aTemplateThatNamesNoRuntimeGoesAndOneThatHasTheDistributionsOwnStays() throws Exception {
        rke2("2.1.4-k3s1");
        String folder = "/var/lib/rancher/rke2/agent/etc/containerd/";
        shell.has(folder + "config-v3.toml.tmpl", "version = 3\n").has(folder + "config.toml.tmpl", "{{ template \"base\" . }}\n");

        Answer answer = answer("containerd-config-wrong-file-or-format", "gpu-a");

        assertThat(targets(answer)).contains(folder + "config-v3.toml.tmpl", "systemctl restart rke2-agent")
                .doesNotContain(folder + "config.toml.tmpl");
    }

    @Test
    void aRequestUnderTheNamespacesMinimumIsRaisedToItInTheTemplateThatHasIt() throws Exception {
        cluster.with(ObjectType.EVENT, "{metadata: {name: e, namespace: llm}, type: Warning, involvedObject: {kind: Deployment, "
                + "namespace: llm, name: small}, message: 'minimum memory usage per Container is 16Mi, but request is 10Mi'}");
        cluster.with(ObjectType.LIMIT_RANGE, "{metadata: {name: l, namespace: llm}, spec: {limits: [{type: Container, min: {memory: 16Mi}}]}}");
        cluster.with(ObjectType.DEPLOYMENT, "{metadata: {name: small, namespace: llm}, spec: {template: {spec: {containers: [{name: a, "
                + "resources: {requests: {memory: 10Mi, cpu: 50m}}}, {name: b, resources: {requests: {memory: 1Gi}}}]}}}}");

        assertThat(after(answer("limitrange-floor").changes().getFirst()).at("/spec/template/spec/containers")).isEqualTo(yaml(
                "[{name: a, resources: {requests: {memory: 16Mi, cpu: 50m}}}, {name: b, resources: {requests: {memory: 1Gi}}}]"));
    }

    @Test
    void aNodeIsRebootedForAPodThatDoesNotEndAndNotForOneThatWaitsForAFinalizer() throws Exception {
        String pod = "{metadata: {name: held, namespace: llm, uid: u1, deletionTimestamp: '2026-01-01T00:00:00Z'%s}, spec: {nodeName: gpu-a, "
                + "containers: [{resources: {limits: {nvidia.com/gpu: '1'}}}]}}";
        cluster.with(ObjectType.POD, pod.formatted(", finalizers: [team/backup]"));
        assertThat(answer("claim-held-by-terminating-pod", "gpu-a").state()).isEqualTo(Answer.State.BLOCKED);
        cluster.with(ObjectType.POD, pod.formatted(""));

        assertThat(answer("claim-held-by-terminating-pod", "gpu-a").changes()).singleElement().isInstanceOf(NodeReboot.class);
    }

    @Test
    void nouveauIsKeptFromTheNextBootAndWhatTheFileSaysStays() throws Exception {
        shell.has("/etc/modprobe.d/zz-pitwall.conf", "options vfio-pci disable_idle_d3=1\nblacklist nouveau\n")
                .says("cat /etc/os-release", "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n");

        List<Change> changes = answer("nouveau-loaded", "gpu-a").changes();

        assertThat(((FileChange) changes.getFirst()).after().text()).isEqualTo(
                "options vfio-pci disable_idle_d3=1\nblacklist nouveau\noptions nouveau modeset=0\n");
        assertThat(changes).extracting(Change::target).contains("dracut -f --regenerate-all");
        assertThat(changes.getLast()).isInstanceOf(NodeReboot.class);
    }

    @Test
    void aNodeWithoutAShellIsPowerCycledAsTheVmThatItIs() throws Exception {
        withShells = false;

        assertThat(answer("operands-stuck-terminating", "gpu-a").changes()).singleElement().satisfies(change ->
                assertThat(((VmPowerCycle) change).vmid()).isEqualTo(101));
    }

    private static Optional<String> order(String config) {
        return MachineDoses.disksFirst(new NodeMachines.Vm("pve1", 101, "gpu-a"), yaml(config)).flatMap(c -> c.after().get("boot"));
    }

    @Test
    void theDiskComesFirstInTheBootOrderAndWhatElseIsInItStaysBehind() {
        String drives = "ide2: 'local:iso/talos.iso,media=cdrom', scsi0: 'local-lvm:vm-101-disk-0'";
        assertThat(order("{boot: order=ide2;scsi0;net0, " + drives + "}")).contains("order=scsi0;ide2;net0");
        assertThat(order("{boot: order=ide2, " + drives + "}")).contains("order=scsi0;ide2");
        assertThat(order("{" + drives + "}")).contains("order=scsi0");
        assertThat(order("{boot: order=scsi0;ide2, " + drives + "}")).as("as it should be").isEmpty();
        assertThat(order("{boot: order=ide2, ide2: 'local:iso/talos.iso,media=cdrom'}")).as("no disk").isEmpty();
    }
}
