package dev.pitwall.journey.node;

import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.NodeReboot;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.PackageChange;
import dev.pitwall.journey.survey.ShellNode;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

class DriverStepTest {

    @Test
    void theOperatorNeedsNothingOfANodeInWhichNothingIsInItsWay() {
        Answer answer = new PaperNode().look("driver");

        assertThat(answer.state()).isEqualTo(State.NOT_APPLICABLE);
        assertThat(answer.questions()).extracting(Answer.Question::chosen).contains("operator");
        assertThat(answer.notes()).anyMatch(n -> n.startsWith("Recommended: the operator"));
    }

    @Test
    void nouveauThatHasTheCardIsKeptAwayAndTheNodeRebooted() {
        PaperNode node = new PaperNode();
        node.modules.add("nouveau");

        Answer answer = node.look("driver");

        assertThat(answer.state()).isEqualTo(State.READY);
        FileChange file = (FileChange) answer.changes().getFirst();
        assertThat(file.after().text()).isEqualTo("blacklist nouveau\noptions nouveau modeset=0\n");
        assertThat(targets(answer)).containsExactly("/etc/modprobe.d/zz-pitwall.conf", "update-initramfs -u -k all",
                "Reboot anvil");
    }

    @Test
    void linesOfOtherStepsInPitwallsFileStay() {
        PaperNode node = new PaperNode();
        node.driverInUse = "nouveau";
        node.files.put("/etc/modprobe.d/zz-pitwall.conf", Content.of("options vfio-pci disable_idle_d3=1\n"));

        assertThat(((FileChange) node.look("driver").changes().getFirst()).after().text())
                .isEqualTo("options vfio-pci disable_idle_d3=1\nblacklist nouveau\noptions nouveau modeset=0\n");
    }

    @Test
    void secureBootStopsTheOperatorAndBothWaysOutAreTold() {
        PaperNode node = new PaperNode().choose("driver", "operator");
        node.secureBoot = Optional.of(true);

        Answer answer = node.look("driver");

        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.notes()).anyMatch(n -> n.contains("driver=os")).anyMatch(n -> n.contains("EFI disk"));
    }

    @Test
    void underSecureBootTheOperatingSystemIsRecommendedWithModulesThatAreSigned() {
        PaperNode node = new PaperNode().ubuntu(580).ubuntu(595);
        node.secureBoot = Optional.of(true);

        Answer answer = node.look("driver");

        assertThat(answer.state()).isEqualTo(State.READY);
        assertThat(packages(answer).wanted().keySet()).containsExactly("linux-modules-nvidia-595-server-open-6.8.0-90-generic",
                "linux-modules-nvidia-595-server-open-generic", "nvidia-headless-no-dkms-595-server-open",
                "nvidia-utils-595-server");
    }

    @Test
    void modulesThatTheNodeBuildsNeedAKeyUnderSecureBootAndItsEnrolmentIsExplained() {
        PaperNode node = new PaperNode().choose("driver", "os").offer("linux-headers-" + PaperNode.KERNEL,
                "nvidia-headless-580-server-open", "nvidia-utils-580-server");
        node.secureBoot = Optional.of(true);

        Answer answer = node.look("driver");
        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.notes()).anyMatch(n -> n.contains("mokutil --import")).anyMatch(n -> n.contains("console"));

        node.keyEnrolled = true;
        assertThat(node.look("driver").state()).isEqualTo(State.READY);
    }

    @Test
    void pascalGetsProprietaryModulesOfItsLastBranch() {
        PaperNode node = new PaperNode().choose("driver", "os").ubuntu(580).ubuntu(595);
        node.device = "1b80";

        assertThat(packages(node.look("driver")).wanted()).containsKey("linux-modules-nvidia-580-server-6.8.0-90-generic");
        assertThat(node.look("driver").questions()).filteredOn(q -> q.key().equals("driver-branch")).singleElement()
                .satisfies(q -> assertThat(q.options()).extracting(Answer.Option::value).containsExactly("580"));
    }

    @Test
    void aChosenBranchIsTakenAndPackagesOfAnotherGo() {
        PaperNode node = new PaperNode().choose("driver", "os").choose("driver-branch", "580").ubuntu(580).ubuntu(595)
                .install("nvidia-utils-595-server", "linux-modules-nvidia-595-server-open-6.8.0-90-generic");

        PackageChange change = packages(node.look("driver"));

        assertThat(change.going()).containsExactly("linux-modules-nvidia-595-server-open-6.8.0-90-generic",
                "nvidia-utils-595-server");
        assertThat(change.wanted()).containsKey("nvidia-utils-580-server");
        assertThat(change.target()).contains("apt-get install").contains("nvidia-utils-595-server-");
    }

    @Test
    void aDriverOfTheSystemThatListsTheCardIsDone() {
        PaperNode node = new PaperNode().ubuntu(595).install("linux-modules-nvidia-595-server-open-6.8.0-90-generic");
        node.version = Optional.of("595.91.07");

        Answer answer = node.look("driver");

        assertThat(answer.state()).isEqualTo(State.DONE);
        assertThat(answer.why()).isEqualTo("driver 595.91.07 drives 1 card");
        assertThat(answer.questions()).extracting(Answer.Question::chosen).contains("os");
    }

    @Test
    void aDriverThatIsInstalledAndNotLoadedOnlyNeedsAReboot() {
        PaperNode node = new PaperNode().ubuntu(595).install("linux-modules-nvidia-595-server-open-6.8.0-90-generic",
                "linux-modules-nvidia-595-server-open-generic", "nvidia-headless-no-dkms-595-server-open", "nvidia-utils-595-server");
        node.kept = true;

        assertThat(node.look("driver").changes()).singleElement().isInstanceOf(NodeReboot.class);

        node.log.add("[ 4.1] NVRM: None of the NVIDIA devices were initialized.");
        assertThat(node.look("driver").state()).as("it was tried").isEqualTo(State.BLOCKED);
    }

    @Test
    void oneKernelHasOneDriverSoTheSystemsGoesWhereTheOperatorIsChosen() {
        PaperNode node = new PaperNode().choose("driver", "operator").install("nvidia-utils-595-server",
                        "linux-modules-nvidia-595-server-open-6.8.0-90-generic", "nvidia-container-toolkit")
                .object(ObjectType.NODE, "metadata: {name: anvil, labels: {nvidia.com/gpu.deploy.driver: pre-installed}}");

        Answer answer = node.look("driver");

        assertThat(packages(answer).going()).containsExactly("linux-modules-nvidia-595-server-open-6.8.0-90-generic",
                "nvidia-utils-595-server");
        assertThat(targets(answer)).endsWith("Reboot anvil", "nodes/anvil");
        assertThat(answer.notes()).anyMatch(n -> n.contains("one kernel has one driver"));
    }

    @Test
    void theOperatorsDriverGoesWhereTheSystemIsChosen() {
        PaperNode node = new PaperNode().choose("driver", "os").ubuntu(595)
                .object(ObjectType.CLUSTER_POLICY, "{metadata: {name: cluster-policy}, spec: {driver: {enabled: true}}}");

        assertThat(node.look("driver").notes()).anyMatch(n -> n.startsWith("The operator's driver goes"));
    }

    @Test
    void thePodsOfANodeLeaveWhereAnotherCanTakeThemAndWhatWouldBeLostIsAsked() {
        PaperNode node = new PaperNode()
                .object(ObjectType.NODE, "{metadata: {name: anvil}, status: {conditions: [{type: Ready, status: 'True'}]}}")
                .object(ObjectType.NODE, "{metadata: {name: other}, status: {conditions: [{type: Ready, status: 'True'}]}}")
                .object(ObjectType.POD, "{metadata: {name: web, namespace: shop, ownerReferences: [{kind: ReplicaSet, name: web-1, controller: true}]}, spec: {nodeName: anvil}}")
                .object(ObjectType.POD, "{metadata: {name: agent, namespace: shop, ownerReferences: [{kind: DaemonSet, name: agent, controller: true}]}, spec: {nodeName: anvil}}");
        node.modules.add("nouveau");

        NodeReboot reboot = (NodeReboot) node.look("driver").changes().getLast();
        assertThat(reboot.target()).isEqualTo("Drain and reboot anvil");
        assertThat(reboot.drain().orElseThrow().names()).isEqualTo("shop/web");

        node.object(ObjectType.POD, "{metadata: {name: lonely, namespace: shop}, spec: {nodeName: anvil}}");
        NodeReboot usual = (NodeReboot) node.look("driver").changes().getLast();
        assertThat(usual.drain().orElseThrow().names()).isEqualTo("shop/web");
        assertThat(usual.stops()).extracting(p -> p.place()).containsExactly("shop/lonely");
        NodeReboot all = (NodeReboot) node.choose("drain", "evict").look("driver").changes().getLast();
        assertThat(all.drain().orElseThrow().names()).isEqualTo("shop/lonely, shop/web");
        NodeReboot undrained = (NodeReboot) node.choose("drain", "skip").look("driver").changes().getLast();
        assertThat(undrained.drain()).isEmpty();
        assertThat(undrained.stops()).extracting(p -> p.place()).containsExactly("shop/lonely", "shop/web");
    }

    @Test
    void podsOfTheOnlyNodeStopAndStartWithIt() {
        PaperNode node = new PaperNode().object(ObjectType.NODE, "metadata: {name: anvil}")
                .object(ObjectType.POD, "{metadata: {name: lonely, namespace: shop}, spec: {nodeName: anvil}}");
        node.modules.add("nouveau");

        NodeReboot reboot = (NodeReboot) node.look("driver").changes().getLast();

        assertThat(reboot.drain()).isEmpty();
        assertThat(reboot.stops()).hasSize(1);
    }

    @Test
    void whatIsToComeIsForeseenWhileTheCardIsNotThere() {
        PaperNode node = new PaperNode();
        node.inNode = false;

        Answer answer = node.look("driver");

        assertThat(answer.state()).isEqualTo(State.WAITING);
        assertThat(answer.foreseen()).extracting(Change::target).containsExactly("/etc/modprobe.d/zz-pitwall.conf",
                "update-initramfs -u -k all", "Reboot anvil");
    }

    @Test
    void aNodeIsChangedThroughItsGuestAgentToo() {
        PaperNode node = new PaperNode();
        node.modules.add("nouveau");
        node.way = ShellNode.Way.AGENT;

        assertThat(node.look("driver").state()).isEqualTo(State.READY);
    }

    @Test
    void noDriverThatIsMaintainedDrivesKepler() {
        PaperNode node = new PaperNode();
        node.device = "102d";

        assertThat(node.look("driver").state()).isEqualTo(State.BLOCKED);
        assertThat(node.look("driver").why()).contains("Kepler");
    }

    @Test
    void debiansOwnDriverIsTooOldForBlackwellSoNvidiasSourceIsTakenWithItsKey() {
        PaperNode node = new PaperNode().choose("driver", "os").offer("linux-headers-" + PaperNode.KERNEL, "nvidia-driver");
        node.release = Map.of("ID", "debian", "VERSION_ID", "13", "PRETTY_NAME", "Debian 13");
        node.offered.put("nvidia-open-kernel-dkms", "550.163.01-2");
        node.device = "2b85";

        assertThat(node.look("driver").why()).contains("key of the package source", "repos/debian13/x86_64");

        node.keys.put("https://developer.download.nvidia.com/compute/cuda/repos/debian13/x86_64/3bf863cc.pub", Content.of("key"));
        Answer answer = node.look("driver");
        assertThat(targets(answer)).startsWith("/etc/apt/keyrings/nvidia-cuda.asc", "/etc/apt/sources.list.d/nvidia-cuda.list");
        assertThat(packages(answer).wanted().keySet()).containsExactly("linux-headers-" + PaperNode.KERNEL,
                "nvidia-driver-pinning-610", "nvidia-open");
    }

    @Test
    void debiansOwnDriverIsTakenWhereItKnowsTheCard() {
        PaperNode node = new PaperNode().choose("driver", "os").offer("linux-headers-" + PaperNode.KERNEL, "nvidia-driver");
        node.release = Map.of("ID", "debian", "VERSION_ID", "13");
        node.offered.put("nvidia-open-kernel-dkms", "550.163.01-2");

        assertThat(packages(node.look("driver")).wanted().keySet()).containsExactly("linux-headers-" + PaperNode.KERNEL,
                "nvidia-driver", "nvidia-open-kernel-dkms");
    }

    @Test
    void theRhelFamilyEnablesTheModulesStreamAndTakesTheHeadersOfTheRunningKernel() {
        PaperNode node = new PaperNode().choose("driver", "os").choose("driver-branch", "580");
        node.release = Map.of("ID", "rocky", "ID_LIKE", "rhel centos fedora", "VERSION_ID", "9.6");
        node.manager = PackageChange.Manager.DNF;
        node.offer("kernel-devel", "kernel-headers");

        Answer answer = node.look("driver");

        assertThat(((FileChange) answer.changes().getFirst()).after().text()).contains("/repos/rhel9/x86_64");
        assertThat(packages(answer).commands()).contains(List.of("dnf", "-y", "module", "enable", "nvidia-driver:580-open"));
        assertThat(targets(answer)).contains("dracut -f --regenerate-all");
    }

    @Test
    void listsThatWereNeverFetchedTellNothing() {
        assertThat(new PaperNode().choose("driver", "os").look("driver").why()).contains("apt-get update");
    }

    private static List<String> targets(Answer answer) {
        return answer.changes().stream().map(Change::target).toList();
    }

    private static PackageChange packages(Answer answer) {
        return answer.changes().stream().filter(PackageChange.class::isInstance).map(PackageChange.class::cast).findFirst()
                .orElseThrow(() -> new AssertionError(answer.state() + " " + answer.why()));
    }
}
