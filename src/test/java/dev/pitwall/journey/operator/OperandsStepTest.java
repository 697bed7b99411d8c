package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.VmSurvey;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

/** "Waiting" never looks like "failing", nor the other way round. */
class OperandsStepTest {
    private static final String TOLERATES = "[{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]";

    private final CardScene scene = new CardScene().operator("v26.3.2", "{}");

    @BeforeEach
    void theOperatorHasMadeItsDaemonSets() {
        set("nvidia-driver-daemonset", TOLERATES);
        set("nvidia-container-toolkit-daemonset", TOLERATES);
        set("nvidia-operator-validator", TOLERATES);
        set("nvidia-device-plugin-daemonset", TOLERATES);
        set("gpu-feature-discovery", TOLERATES);
        pod("gpu-operator-node-feature-discovery-worker", "node-feature-discovery", ready("worker"));
        scene.label("worker-1", "feature.node.kubernetes.io/pci-10de.present", "true");
        policy("notReady", "OperandNotReady");
    }

    private void set(String name, String tolerations) {
        scene.cluster.with(ObjectType.DAEMON_SET, """
                metadata: {name: %s, namespace: gpu-operator, ownerReferences: [{kind: ClusterPolicy, name: cluster-policy}]}
                spec: {template: {spec: {tolerations: %s}}}
                status: {desiredNumberScheduled: 1, numberReady: 0}
                """.formatted(name, tolerations));
    }

    private void policy(String state, String reason) {
        ObjectNode policy = (ObjectNode) scene.cluster.objects.get(ObjectType.CLUSTER_POLICY).getFirst();
        policy.set("status", PaperCluster.yaml("{state: " + state + ", namespace: gpu-operator, conditions: [{type: "
                + (state.equals("ready") ? "Ready" : "Error") + ", status: 'True', reason: " + reason
                + ", message: 'ClusterPolicy is not ready; states not ready: [state-driver]'}]}"));
    }

    private static String ready(String container) {
        return "phase: Running, conditions: [{type: Ready, status: 'True'}], containerStatuses: [{name: " + container
                + ", ready: true, restartCount: 0, state: {running: {startedAt: '2026-09-01T09:50:00Z'}}}]";
    }

    private static String initialising(String container, String since) {
        return "phase: Pending, initContainerStatuses: [{name: " + container + ", ready: false, restartCount: 0, state: "
                + "{running: {startedAt: '" + since + "'}}}], containerStatuses: []";
    }

    private static String waiting(String container, String reason, String message, int restarts) {
        return "phase: Pending, containerStatuses: [{name: " + container + ", ready: false, restartCount: " + restarts
                + ", state: {waiting: {reason: " + reason + ", message: \"" + message + "\"}}}]";
    }

    private void pod(String set, String app, String status) {
        scene.cluster.with(ObjectType.POD, """
                metadata: {name: %s-x7k2p, namespace: gpu-operator, labels: {app: %s}, ownerReferences: [{kind: DaemonSet, name: %s, controller: true}]}
                spec: {nodeName: worker-1, containers: [{name: nvidia-driver-ctr, image: "nvcr.io/nvidia/driver:570.9-debian12"}]}
                status: {startTime: "2026-09-01T09:58:00Z", %s}
                """.formatted(set, app, set, status));
    }

    private void pod(String set, String status) {
        pod(set, set, status);
    }

    private void allReady() {
        pod("nvidia-driver-daemonset", ready("nvidia-driver-ctr"));
        pod("nvidia-container-toolkit-daemonset", ready("nvidia-container-toolkit-ctr"));
        pod("nvidia-operator-validator", ready("nvidia-operator-validator"));
        pod("nvidia-device-plugin-daemonset", ready("nvidia-device-plugin"));
        pod("gpu-feature-discovery", ready("gpu-feature-discovery"));
    }

    private void advertises(int allocatable, int capacity) {
        ObjectNode status = scene.node("worker-1").withObjectProperty("status");
        status.withObjectProperty("allocatable").put("nvidia.com/gpu", String.valueOf(allocatable));
        status.withObjectProperty("capacity").put("nvidia.com/gpu", String.valueOf(capacity));
    }

    private void warning(String kind, String name, String message) {
        scene.cluster.with(ObjectType.EVENT, """
                metadata: {name: %s.1, namespace: gpu-operator}
                type: Warning
                involvedObject: {kind: %s, name: %s}
                lastTimestamp: "2026-09-01T09:59:00Z"
                message: '%s'
                """.formatted(name, kind, name, message));
    }

    private Answer look() {
        return scene.look("operands");
    }

    private Answer waits(String... words) {
        Answer answer = look();
        assertThat(answer.state()).as(answer.why()).isEqualTo(State.WAITING);
        assertThat(answer.why()).contains(words);
        assertThat(answer.coming()).isPresent();
        assertThat(answer.found()).extracting(Found::mark).doesNotContain(Found.Mark.BAD);
        return answer;
    }

    private void broken(String... words) {
        Answer answer = look();
        assertThat(answer.state()).as(answer.why()).isEqualTo(State.BLOCKED);
        assertThat(answer.why() + " " + answer.notes()).contains(words);
        assertThat(answer.found()).extracting(Found::mark).contains(Found.Mark.BAD);
    }

    @Test
    void whileTheDriverCompilesAllAboveItWaits() {
        pod("nvidia-driver-daemonset", "phase: Running, containerStatuses: [{name: nvidia-driver-ctr, ready: false, "
                + "restartCount: 0, state: {running: {startedAt: '2026-09-01T09:58:18Z'}}}]");
        pod("nvidia-container-toolkit-daemonset", initialising("driver-validation", "2026-09-01T09:58:05Z"));
        pod("nvidia-operator-validator", initialising("driver-validation", "2026-09-01T09:58:05Z"));
        pod("nvidia-device-plugin-daemonset", initialising("toolkit-validation", "2026-09-01T09:58:05Z"));
        pod("gpu-feature-discovery", initialising("toolkit-validation", "2026-09-01T09:58:05Z"));

        Answer answer = waits("Driver", "compiles", "1 min 42 s", "3 min");

        assertThat(answer.coming().orElseThrow().normal()).isEqualTo(Duration.ofMinutes(25));
        assertThat(answer.found()).filteredOn(f -> f.name().equals("Container toolkit")).singleElement()
                .satisfies(f -> assertThat(f.value()).contains("waits for the driver"));
        assertThat(answer.found()).filteredOn(f -> f.name().equals("Device plugin")).singleElement()
                .satisfies(f -> assertThat(f.value()).contains("waits for the container toolkit"));
    }

    @Test
    void aCompilerThatIsKilledForItsMemoryIsNamed() {
        pod("nvidia-driver-daemonset", "phase: Running, containerStatuses: [{name: nvidia-driver-ctr, ready: false, "
                + "restartCount: 3, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {reason: "
                + "OOMKilled, exitCode: 137}}}]");

        broken("Driver", "137", "limit is too small");
    }

    @Test
    void anImageThatIsNotPublishedIsNamedAndOneThatIsNotReachedYetIsWaitedFor() {
        pod("nvidia-driver-daemonset", waiting("nvidia-driver-ctr", "ImagePullBackOff",
                "failed to resolve nvcr.io/nvidia/driver:570.9-debian12: not found", 0));
        broken("570.9-debian12", "not published", "driver=os");

        scene.cluster.objects.get(ObjectType.POD).removeIf(p -> p.toString().contains("ImagePullBackOff"));
        pod("nvidia-driver-daemonset", waiting("nvidia-driver-ctr", "ErrImagePull", "dial tcp: i/o timeout", 0));
        waits("Driver", "i/o timeout");
    }

    @Test
    void anOperandThatDoesNotTolerateTheTaintIsNamed() {
        scene.cluster.objects.get(ObjectType.DAEMON_SET).removeIf(s -> s.at("/metadata/name").asText().contains("plugin"));
        set("nvidia-device-plugin-daemonset", "[]");
        scene.taint("worker-1", "nvidia.com/gpu", "true");
        allReady();
        scene.cluster.objects.get(ObjectType.POD).removeIf(p -> p.toString().contains("device-plugin"));

        broken("Device plugin", "nvidia.com/gpu=true:NoSchedule", "tolerat");
    }

    @Test
    void whatTheNamespaceRefusesIsNamed() {
        warning("DaemonSet", "nvidia-driver-daemonset", "pods \"nvidia-driver-daemonset-\" is forbidden: exceeded quota: q");

        broken("Driver", "exceeded quota: q");
    }

    @Test
    void aHandlerThatIsMissingIsNormalUntilTheToolkitIsUp() {
        allReady();
        scene.cluster.objects.get(ObjectType.POD).removeIf(p -> p.toString().contains("toolkit-daemonset")
                || p.toString().contains("device-plugin"));
        pod("nvidia-container-toolkit-daemonset", initialising("driver-validation", "2026-09-01T09:58:05Z"));
        pod("nvidia-device-plugin-daemonset", "phase: Pending, initContainerStatuses: []");
        warning("Pod", "nvidia-device-plugin-daemonset-x7k2p", "no runtime for \"nvidia\" is configured");
        waits("Container toolkit");

        scene.cluster.objects.get(ObjectType.POD).removeIf(p -> p.toString().contains("toolkit-daemonset"));
        pod("nvidia-container-toolkit-daemonset", ready("nvidia-container-toolkit-ctr"));
        scene.now = CardScene.NOW.plusSeconds(240);
        broken("handler nvidia", "/run/k3s/containerd/containerd.sock");
    }

    @Test
    void oneCrashIsStartedAgainAndManyAreNamed() {
        allReady();
        scene.cluster.objects.get(ObjectType.POD).removeIf(p -> p.toString().contains("operator-validator"));
        pod("nvidia-operator-validator", waiting("nvidia-operator-validator", "CrashLoopBackOff", "back-off", 1));
        waits("Validator");

        scene.cluster.objects.get(ObjectType.POD).removeIf(p -> p.toString().contains("operator-validator"));
        pod("nvidia-operator-validator", waiting("nvidia-operator-validator", "CrashLoopBackOff", "back-off", 7));
        broken("Validator", "--previous");
    }

    @Test
    void aConfigMapThatIsNotThereIsNamedAtOnce() {
        allReady();
        scene.cluster.objects.get(ObjectType.POD).removeIf(p -> p.toString().contains("device-plugin"));
        pod("nvidia-device-plugin-daemonset", waiting("nvidia-device-plugin", "CreateContainerConfigError",
                "configmap 'time-slicing-config' not found", 0));

        broken("Device plugin", "ConfigMap", "time-slicing-config");
    }

    @Test
    void whatTakesLongerThanNormalIsSaid() {
        pod("nvidia-driver-daemonset", "phase: Running, containerStatuses: [{name: nvidia-driver-ctr, ready: false, "
                + "restartCount: 0, state: {running: {startedAt: '2026-09-01T09:58:18Z'}}}]");
        scene.now = CardScene.NOW.plus(Duration.ofMinutes(40));

        broken("since 41 min", "25 min are normal");
    }

    /** Its kubelet has not taken it on yet, so that it has no start time: its node's age is not its own. */
    @Test
    void aPodThatHasJustBeenMadeOnAnOldNodeIsNotLate() {
        scene.now = CardScene.NOW.plus(Duration.ofDays(41));
        ((ObjectNode) scene.node("worker-1").at("/status/conditions/0")).put("lastTransitionTime", "2026-09-01T09:00:00Z");
        scene.cluster.with(ObjectType.POD, """
                metadata: {name: nvidia-driver-daemonset-x7k2p, namespace: gpu-operator, creationTimestamp: "2026-10-12T09:59:58Z", labels: {app: nvidia-driver-daemonset}, ownerReferences: [{kind: DaemonSet, name: nvidia-driver-daemonset, controller: true}]}
                spec: {nodeName: worker-1, containers: [{name: nvidia-driver-ctr, image: "nvcr.io/nvidia/driver:570.9-debian12"}]}
                status: {phase: Pending}
                """);
        waits("Driver");

        scene.now = scene.now.plus(Duration.ofMinutes(40));
        broken("its image is pulled", "since 40 min", "25 min are normal");
    }

    @Test
    void aNodeThatHasJustStartedAgainBeginsAnewThoughItsPodsAreOld() {
        pod("nvidia-driver-daemonset", "phase: Running, containerStatuses: [{name: nvidia-driver-ctr, ready: false, "
                + "restartCount: 1, state: {waiting: {reason: PodInitializing}}}]");
        scene.now = CardScene.NOW.plus(Duration.ofDays(3));
        ((ObjectNode) scene.node("worker-1").at("/status/conditions/0"))
                .put("lastTransitionTime", "2026-09-04T09:59:00Z");

        waits("Driver");
    }

    @Test
    void nfdLooksForTheFirstTimeForAMinuteAndThenSeesNoCard() {
        scene.node("worker-1").withObjectProperty("metadata").withObjectProperty("labels")
                .remove("feature.node.kubernetes.io/pci-10de.present");
        waits("for the first time");

        scene.now = CardScene.NOW.plusSeconds(600);
        broken("sees no NVIDIA card", "lspci");
    }

    @Test
    void theCardIsUpWhenAllIsReadyAndTheNodeAdvertisesIt() {
        allReady();
        policy("ready", "Reconciled");
        waits("registers");

        advertises(1, 1);
        Answer answer = look();
        assertThat(answer.state()).as(answer.why()).isEqualTo(State.DONE);
        assertThat(answer.why()).isEqualTo("worker-1 advertises 1");
    }

    @Test
    void readyWithNothingDeployedIsNotUp() {
        scene.cluster.objects.get(ObjectType.DAEMON_SET).removeIf(s -> s.toString().contains("ClusterPolicy"));
        policy("ready", "NoGPUNodes");

        waits("has not made it yet");
    }

    @Test
    void anotherNodesTroubleIsNotThisCards() {
        allReady();
        advertises(1, 1);

        Answer answer = look();

        assertThat(answer.state()).as(answer.why()).isEqualTo(State.DONE);
        assertThat(answer.notes()).anyMatch(n -> n.contains("other nodes"));
    }

    @Test
    void devicesThatThePluginHoldsForUnhealthyAreNamed() {
        allReady();
        policy("ready", "Reconciled");
        advertises(0, 1);

        broken("unhealthy", "Xid");
    }

    @Test
    void anOperandThatWasSwitchedOffIsNamed() {
        scene.label("worker-1", "nvidia.com/gpu.deploy.operands", "false");

        broken("switched off", "nvidia.com/gpu.deploy.operands");
    }

    @Test
    void aDriverThatIsBeingUpgradedIsWaitedFor() {
        allReady();
        scene.cluster.objects.get(ObjectType.POD).removeIf(p -> p.toString().contains("device-plugin"));
        scene.label("worker-1", "nvidia.com/gpu.deploy.device-plugin", "paused-for-driver-upgrade");

        waits("paused-for-driver-upgrade");
    }

    @Test
    void anOperatorThatCannotWorkSaysWhy() {
        scene.cluster.objects.get(ObjectType.DAEMON_SET).removeIf(s -> s.toString().contains("ClusterPolicy"));
        policy("notReady", "ReconcileFailed");

        broken("the operator cannot work");
    }

    @Test
    void beforeTheStackIsThereItWaitsForTheStepsBelow() {
        CardScene empty = new CardScene();

        Answer answer = empty.look("operands");

        assertThat(answer.state()).isEqualTo(State.WAITING);
        assertThat(answer.coming()).isEmpty();
    }

    @Test
    void beforeTheVmRunsWithTheCardItsOperandsAreWaitedForThoughTheySeeNone() {
        scene.node("worker-1").withObjectProperty("metadata").withObjectProperty("labels")
                .remove("feature.node.kubernetes.io/pci-10de.present");
        scene.now = CardScene.NOW.plusSeconds(600);
        scene.vm = Optional.of(vm(Map.of()));
        assertThat(look().state()).isEqualTo(State.WAITING);
        assertThat(look().why()).isEqualTo("waits until VM 110 runs with the card");

        scene.vm = Optional.of(vm(Map.of("hostpci0", "0000:01:00,pcie=1")));
        broken("sees no NVIDIA card");
    }

    private static VmSurvey vm(Map<String, String> live) {
        return new VmSurvey("worker-1", 110, "worker", new TreeMap<>(live), new TreeMap<>(live), "", "running", Optional.empty(),
                Optional.empty(), OptionalLong.empty(), Optional.empty(), Optional.empty(), List.of(),
                new Proxmox.Caller("root@pam", false), Optional.empty(), Map.of());
    }

    @Test
    void aMachineThatIsNoNodeYetIsSaidToBeNone() {
        scene.cluster.objects.get(ObjectType.NODE).removeIf(n -> n.at("/metadata/name").asText().equals("worker-1"));

        assertThat(look().state()).isEqualTo(State.WAITING);
        assertThat(look().why()).contains("no node of the cluster yet");
    }

    @Test
    void aNodeThatIsNotReadyIsWaitedFor() {
        ((ObjectNode) scene.node("worker-1").at("/status/conditions/0")).put("status", "Unknown");

        Answer answer = look();

        assertThat(answer.state()).isEqualTo(State.WAITING);
        assertThat(answer.coming().map(Answer.Coming::what)).isEqualTo(Optional.of("node-ready"));
    }
}
