package dev.pitwall.journey.operator;

import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;

class OperatorStepTest {
    private final CardScene scene = new CardScene();

    private Answer look() {
        return scene.look("operator");
    }

    private static HelmChange helm(Answer answer) {
        return answer.intended().stream().filter(HelmChange.class::isInstance).map(HelmChange.class::cast).findFirst()
                .orElseThrow(() -> new AssertionError(answer.state() + ": " + answer.why()));
    }

    private static Map<String, String> lines(Answer answer) {
        return helm(answer).lines().stream().collect(Collectors.toMap(HelmChange.ValueLine::path,
                HelmChange.ValueLine::value));
    }

    private static void blocked(Answer answer, String... words) {
        assertThat(answer.state()).as(answer.why()).isEqualTo(State.BLOCKED);
        assertThat(answer.why() + " " + answer.notes()).contains(words);
        assertThat(answer.changes()).isEmpty();
    }

    @Test
    void itIsInstalledIntoANamespaceThatLetsItsPodsInFirst() throws Exception {
        Answer answer = look();

        assertThat(answer.state()).as(answer.why()).isEqualTo(State.READY);
        assertThat(answer.changes()).hasSize(2);
        ManifestChange namespace = (ManifestChange) answer.changes().getFirst();
        assertThat(namespace.object().toString()).isEqualTo("namespaces/gpu-operator");
        assertThat(namespace.after().orElseThrow().at("/metadata/labels").toString())
                .contains("enforce\":\"privileged", "audit\":\"privileged", "warn\":\"privileged");
        HelmChange change = helm(answer);
        assertThat(change.after().orElseThrow().version()).isEqualTo("v26.7.0");
        assertThat(lines(answer)).containsEntry("toolkit.env",
                "[{\"name\":\"CONTAINERD_SOCKET\",\"value\":\"/run/k3s/containerd/containerd.sock\"}]")
                .doesNotContainKey("driver.enabled");
        assertThat(change.lines()).allSatisfy(line -> assertThat(line.reason()).isNotBlank());

        scene.make(answer.changes());
        assertThat(look().state()).as(look().why()).isEqualTo(State.DONE);
    }

    @Test
    void anExistingNamespaceGetsOnlyWhatItLacks() {
        scene.cluster.with(ObjectType.NAMESPACE, "{metadata: {name: gpu-operator, labels: {team: ml, "
                + "pod-security.kubernetes.io/enforce: restricted, pod-security.kubernetes.io/warn: restricted}}}");

        ManifestChange namespace = (ManifestChange) look().changes().getFirst();

        assertThat(namespace.before().orElseThrow()).isEqualTo(PaperCluster.yaml("{metadata: {labels: "
                + "{pod-security.kubernetes.io/enforce: restricted, pod-security.kubernetes.io/audit: null}}}"));
        assertThat(namespace.after().orElseThrow()).isEqualTo(PaperCluster.yaml("{metadata: {labels: "
                + "{pod-security.kubernetes.io/enforce: privileged, pod-security.kubernetes.io/audit: privileged}}}"));
    }

    @ParameterizedTest
    @CsvSource({"v1.33.5+k3s1, Ubuntu 24.04, /run/k3s/containerd/containerd.sock",
            "v1.33.5+rke2r1, Ubuntu 24.04, /run/k3s/containerd/containerd.sock", "v1.34.1, Ubuntu 24.04, ''"})
    void theToolkitIsToldWhereContainerdListens(String version, String system, String socket) {
        scene.distribution(version, system);

        String environment = lines(look()).getOrDefault("toolkit.env", "");

        assertThat(environment).contains(socket);
        assertThat(environment.isEmpty()).isEqualTo(socket.isEmpty());
    }

    @Test
    void microK8sHasItsContainerdInASnap() {
        scene.distribution("v1.33.5", "Ubuntu 24.04").label("worker-1", "microk8s.io/cluster", "true");

        assertThat(lines(look()).get("toolkit.env")).contains("/var/snap/microk8s/common/run/containerd.sock",
                "file=/var/snap/microk8s/current/args/containerd.toml");
    }

    @Test
    void onTalosTheOperatorBringsNeitherDriverNorToolkit() {
        scene.distribution("v1.34.1", "Talos (v1.13.2)");

        Answer answer = look();

        assertThat(lines(answer)).containsEntry("driver.enabled", "false").containsEntry("toolkit.enabled", "false")
                .containsEntry("hostPaths.driverInstallDir", "/usr/local").doesNotContainKey("toolkit.env");
    }

    @Test
    void onOlderTalosTheDevicePluginAloneIsRecommendedAndTheOperatorRefused() {
        scene.distribution("v1.32.1", "Talos (v1.11.2)");
        Answer answer = look();

        assertThat(answer.questions().getFirst().chosen()).isEqualTo("device-plugin");
        assertThat(lines(answer)).containsEntry("runtimeClassName", "nvidia").containsEntry("gfd.enabled", "true");
        assertThat(answer.changes()).extracting(Change::target).containsExactly("namespaces/nvidia-device-plugin",
                "runtimeclasses.node.k8s.io/nvidia", "release nvidia-device-plugin in nvidia-device-plugin");

        blocked(scene.choose("stack", "operator").look("operator"), "Talos");
    }

    @Test
    void theRuntimeClassOfTheStandalonePluginGoesBeforeTheOperatorComesOnTalos() throws Exception {
        scene.distribution("v1.34.1", "Talos (v1.13.2)");
        scene.cluster.with(ObjectType.RUNTIME_CLASS, "{metadata: {name: nvidia, uid: u1}, handler: nvidia}");

        Answer answer = look();

        ManifestChange gone = (ManifestChange) answer.changes().get(1);
        assertThat(gone.after()).isEmpty();
        assertThat(gone.before().orElseThrow().toString()).contains("\"handler\":\"nvidia\"").doesNotContain("uid");
        scene.make(answer.changes());
        assertThat(look().state()).isEqualTo(State.DONE);
    }

    @Test
    void anOlderKubernetesGetsTheNewestOperatorThatSupportsIt() {
        scene.distribution("v1.31.4+rke2r1", "Ubuntu 24.04");

        assertThat(helm(look()).after().orElseThrow().version()).isEqualTo("v26.3.3");
        blocked(scene.choose("operator-version", "v26.7.0").look("operator"), "newer Kubernetes", "v26.3.3");
    }

    @ParameterizedTest
    @CsvSource({"GP107GL [Quadro P620], v26.7.0, 580.173.02, proprietary", "GV100GL [Tesla V100], v26.7.0, 580.173.02, proprietary",
            "GA107GL [RTX A1000], v26.7.0, , ", "GB202 [GeForce RTX 5090], v26.7.0, , "})
    void theDriverIsPinnedForCardsThatTheDefaultNoLongerKnows(String chip, String chart, String driver, String modules) {
        scene.chip = chip;

        Map<String, String> lines = lines(look());

        assertThat(helm(look()).after().orElseThrow().version()).isEqualTo(chart);
        assertThat(lines.get("driver.version")).isEqualTo(driver);
        assertThat(lines.get("driver.kernelModuleType")).isEqualTo(modules);
    }

    @Test
    void oneDriverIsForAllNodesSoAnOlderCardElsewhereCountsToo() {
        scene.node("worker-2", "Ubuntu 24.04.3 LTS", "v1.33.5+rke2r1").label("worker-2", "nvidia.com/gpu.family", "pascal")
                .label("worker-2", "nvidia.com/gpu.present", "true");

        assertThat(lines(look())).containsEntry("driver.version", "580.173.02");
    }

    @Test
    void cardsThatNoOneDriverDrivesTogetherAreRefused() {
        scene.chip = "GB202 [GeForce RTX 5090]";
        scene.label("server-1", "nvidia.com/gpu.family", "pascal");

        blocked(look(), "Blackwell");
        assertThat(scene.choose("driver", "os").look("operator").state()).isEqualTo(State.READY);
    }

    @Test
    void aDriverOfTheSystemSwitchesTheOperatorsOff() {
        assertThat(lines(scene.choose("driver", "os").look("operator"))).containsEntry("driver.enabled", "false")
                .doesNotContainKey("toolkit.enabled");
        assertThat(lines(scene.choose("toolkit", "os").look("operator"))).containsEntry("toolkit.enabled", "false")
                .doesNotContainKey("toolkit.env");
    }

    @Test
    void everyOperandIsMadeToTolerateATaintOfItsOwnKey() {
        scene.taint("worker-1", "dedicated", "ml");

        Map<String, String> lines = lines(look());

        assertThat(lines.get("daemonsets.tolerations")).contains("nvidia.com/gpu", "dedicated");
        assertThat(lines.get("node-feature-discovery.worker.tolerations"))
                .contains("node-role.kubernetes.io/control-plane", "nvidia.com/gpu", "dedicated");
        assertThat(lines).doesNotContainKey("operator.tolerations");
    }

    @Test
    void whatRunsOnceToleratesTheTaintWhereNoOtherNodeTakesIt() {
        scene.cluster.objects.get(ObjectType.NODE).removeIf(n -> n.at("/metadata/name").asText().equals("server-1"));
        scene.choose("taint", "present");

        Map<String, String> lines = lines(look());

        assertThat(lines.get("operator.tolerations")).contains("nvidia.com/gpu");
        assertThat(lines.get("node-feature-discovery.master.tolerations")).contains("nvidia.com/gpu");
    }

    @Test
    void anNfdThatRunsAlreadyStaysTheOnlyOne() {
        scene.cluster.with(ObjectType.DAEMON_SET, "{metadata: {name: nfd-worker, namespace: nfd}, spec: {template: {spec: {}}}}");

        assertThat(lines(look())).containsEntry("nfd.enabled", "false");
        assertThat(helm(look()).traces().prefixes()).containsExactly("nvidia.com/");
    }

    @Test
    void anNfdOfOthersThatDoesNotTolerateTheNodesTaintIsRefused() {
        scene.taint("worker-1", "nvidia.com/gpu", "true");
        scene.cluster.with(ObjectType.DAEMON_SET, "{metadata: {name: nfd-worker, namespace: nfd}, spec: {template: {spec: "
                + "{tolerations: [{key: nvidia.com/gpu, operator: Equal, value: present, effect: NoSchedule}]}}}}");

        blocked(look(), "nfd/nfd-worker", "nvidia.com/gpu=true:NoSchedule");
    }

    @Test
    void aLimitRangeThatWouldKillTheCompilerIsOutvoted() {
        scene.cluster.with(ObjectType.NAMESPACE, "{metadata: {name: gpu-operator}}");
        scene.cluster.with(ObjectType.LIMIT_RANGE, "{metadata: {name: small, namespace: gpu-operator}, spec: {limits: "
                + "[{type: Container, default: {memory: 256Mi}}]}}");

        assertThat(lines(look())).containsEntry("driver.resources.limits.memory", "4Gi")
                .containsEntry("dcgmExporter.resources.limits.memory", "1Gi");
    }

    @Test
    void prometheusFindsTheExporterByTheLabelItAsksFor() {
        scene.defines("servicemonitors.monitoring.coreos.com", "prometheuses.monitoring.coreos.com");
        scene.cluster.with(ObjectType.PROMETHEUS, "{metadata: {name: p, namespace: monitoring}, spec: "
                + "{serviceMonitorSelector: {matchLabels: {release: kps}}}}");

        assertThat(lines(look())).containsEntry("dcgmExporter.serviceMonitor.additionalLabels", "{\"release\":\"kps\"}");
    }

    @Test
    void undoKnowsWhatWasThereBefore() {
        scene.label("worker-1", "nvidia.com/mine", "1").defines("nodefeatures.nfd.k8s-sigs.io");

        HelmChange.Traces traces = helm(look()).traces();

        assertThat(traces.labels()).containsOnlyKeys("worker-1");
        assertThat(traces.definitions()).contains("clusterpolicies.nvidia.com").doesNotContain("nodefeatures.nfd.k8s-sigs.io");
        assertThat(traces.prefixes()).containsExactly("nvidia.com/", "feature.node.kubernetes.io/");
        assertThat(traces.prefixed()).containsExactly("nvidia.com/", "nfd.node.kubernetes.io/");
        assertThat(look().notes()).anyMatch(n -> n.contains("nvidia.com/gpu out of the capacity"));
    }

    @Test
    void aReleaseThatIsAsItShouldBeIsAdoptedWithoutAChange() {
        scene.operator("v26.3.2", "{toolkit: {env: [{name: CONTAINERD_CONFIG, value: /x}, {name: CONTAINERD_SOCKET, value: "
                + "/run/k3s/containerd/containerd.sock}]}, dcgmExporter: {resources: {limits: {memory: 1Gi}}}}")
                .taint("worker-1", "nvidia.com/gpu", "true");

        Answer answer = look();

        assertThat(answer.state()).as(answer.why()).isEqualTo(State.DONE);
        assertThat(answer.why()).contains("v26.3.2");
    }

    @Test
    void ofAnAdoptedReleaseOnlyWhatMustDifferIsChanged() throws Exception {
        scene.operator("v26.3.2", "{daemonsets: {tolerations: []}, driver: {resources: {limits: {memory: 512Mi, cpu: '2'}}}, "
                + "toolkit: {env: [{name: CONTAINERD_SOCKET, value: /run/containerd/containerd.sock}, {name: A, value: b}]}}")
                .taint("worker-1", "nvidia.com/gpu", "true");

        Answer answer = look();

        assertThat(answer.state()).as(answer.why()).isEqualTo(State.READY);
        assertThat(lines(answer)).containsOnlyKeys("daemonsets.tolerations", "driver.resources.limits.memory", "toolkit.env");
        assertThat(lines(answer).get("toolkit.env")).contains("/run/k3s/containerd/containerd.sock", "\"A\"");
        assertThat(helm(answer).before()).isPresent();
        assertThat(helm(answer).after().orElseThrow().base()).contains(1);
        assertThat(helm(answer).lines()).filteredOn(l -> l.path().equals("driver.resources.limits.memory")).singleElement()
                .satisfies(l -> assertThat(l.was()).contains("512Mi"));
        scene.make(answer.changes());
        assertThat(look().state()).as(look().why()).isEqualTo(State.DONE);
    }

    @Test
    void aChosenVersionIsAnUpgradeThatRenewsTheDefinitions() {
        scene.operator("v26.3.2", "{operator: {upgradeCRD: false}, toolkit: {env: [{name: CONTAINERD_SOCKET, value: "
                + "/run/k3s/containerd/containerd.sock}]}}").choose("operator-version", "v26.7.0");

        Answer answer = look();

        assertThat(helm(answer).after().orElseThrow().version()).isEqualTo("v26.7.0");
        assertThat(lines(answer)).containsEntry("operator.upgradeCRD", "true");
        blocked(scene.choose("operator-version", "v25.10.1").look("operator"), "older than v26.3.2");
    }

    @Test
    void anUpgradeOverMoreThanOneYearIsRefused() {
        scene.distribution("v1.33.5+rke2r1", "Ubuntu 24.04").operator("v24.9.2", "{}").choose("operator-version", "v26.7.0");

        blocked(look(), "v24.9.2", "next year");
    }

    @Test
    void anOperationOfHelmThatWorksIsWaitedFor() {
        scene.operator("v26.3.2", "{}").pending("pending-upgrade", 2, "v26.3.2");
        scene.now = Instant.EPOCH.plusSeconds(60);

        Answer works = look();

        assertThat(works.state()).isEqualTo(State.WAITING);
        assertThat(works.coming()).isPresent();
    }

    @Test
    void anUpgradeThatDiedIsForgottenAndTheRevisionBeforeItMadeAsItShouldBe() {
        scene.operator("v26.3.2", "{driver: {version: 580.1}}").pending("pending-upgrade", 2, "v26.7.0");

        Answer answer = look();

        assertThat(answer.state()).as(answer.why()).isEqualTo(State.READY);
        assertThat(answer.why()).startsWith("forget revision 2 (pending-upgrade), then other values for gpu-operator v26.3.2");
        assertThat(helm(answer).dead()).contains(new HelmChange.Dead(2, "pending-upgrade"));
        assertThat(helm(answer).before()).contains(new HelmChange.Revision(1, "gpu-operator", "v26.3.2"));
        assertThat(helm(answer).after().orElseThrow().base()).contains(1);
        assertThat(helm(answer).undo().orElseThrow()).isEqualTo("goes back to revision 1; revision 2 stays forgotten");
        assertThat(helm(answer).forgetting().orElseThrow()).contains("sh.helm.release.v1.gpu-operator.v2");
        assertThat(answer.notes()).anyMatch(n -> n.contains("Revision 2 of gpu-operator (pending-upgrade since 1970"));

        scene.helm.past.clear();
        blocked(look(), "pending-upgrade", "helm history gpu-operator -n gpu-operator");
    }

    @Test
    void anInstallationThatDiedIsRemovedAndBegunAnew() {
        scene.cluster.with(ObjectType.NAMESPACE, "{metadata: {name: gpu-operator}}");
        scene.pending("pending-install", 1, "v26.3.2");

        Answer answer = look();

        assertThat(answer.state()).as(answer.why()).isEqualTo(State.READY);
        assertThat(helm(answer).dead()).contains(new HelmChange.Dead(1, "pending-install"));
        assertThat(helm(answer).before()).isEmpty();
        assertThat(answer.notes()).anyMatch(n -> n.contains("removed first with what it has made"));

        CardScene going = new CardScene().pending("uninstalling", 1, "v26.3.2");
        blocked(going.look("operator"), "uninstalling");
    }

    @Test
    void aReleaseThatSomebodyElseKeepsIsChangedThere() {
        scene.operator("v26.3.2", "{}").defines("helmcharts.helm.cattle.io");
        scene.cluster.with(ObjectType.HELM_CHART, "{metadata: {name: gpu-operator, namespace: kube-system}, spec: "
                + "{targetNamespace: gpu-operator}}");

        blocked(look(), "kube-system/gpu-operator", "valuesContent");
    }

    @Test
    void aReleaseThatAGitOpsToolKeepsIsChangedThereOrTakenOver() {
        scene.operator("v26.3.2", "{}").defines("helmreleases.helm.toolkit.fluxcd.io");
        scene.cluster.with(ObjectType.FLUX_RELEASE, "{metadata: {name: cards, namespace: flux-system}, spec: {releaseName: "
                + "gpu-operator, targetNamespace: gpu-operator, chart: {spec: {chart: gpu-operator}}}}");
        Answer blocked = look();
        blocked(blocked, "Flux (HelmRelease flux-system/cards)", "Set toolkit.env=", "where HelmRelease flux-system/cards reads",
                "take-over=yes");
        assertThat(blocked.questions()).anyMatch(q -> q.key().equals("take-over") && q.chosen().equals("no"));

        Answer taken = scene.choose("take-over", "yes").look("operator");
        assertThat(taken.state()).as(taken.why()).isEqualTo(State.READY);
        assertThat(taken.notes()).anyMatch(n -> n.startsWith("Taken over: Flux (HelmRelease flux-system/cards)"));
    }

    @Test
    void anApplicationThatIsSyncedByHandIsOnlyTold() {
        scene.operator("v26.3.2", "{}").defines("applications.argoproj.io");
        scene.cluster.with(ObjectType.ARGO_APPLICATION, "{metadata: {name: gpus, namespace: argocd}, spec: {source: {chart: "
                + "gpu-operator}}}");
        assertThat(look().state()).isEqualTo(State.READY);
        assertThat(look().notes()).anyMatch(n -> n.contains("Argo CD (Application argocd/gpus)") && n.contains("not act by itself"));

        scene.cluster.objects.remove(ObjectType.ARGO_APPLICATION);
        scene.cluster.with(ObjectType.ARGO_APPLICATION, "{metadata: {name: gpus, namespace: argocd}, spec: {source: {chart: "
                + "gpu-operator}, syncPolicy: {automated: {}}}}");
        blocked(look(), "Argo CD (Application argocd/gpus)");
        scene.helm.releases.clear();
        blocked(look(), "kept by Argo CD (Application argocd/gpus)");
    }

    @Test
    void aFieldOfThePolicyThatAnotherManagerDeclaresIsNotOverwrittenByTheChart() {
        scene.operator("v26.3.2", "{toolkit: {env: []}}").managed(ObjectType.CLUSTER_POLICY, "cluster-policy",
                "argocd-controller", "Apply", "{f:spec: {f:toolkit: {f:env: {}}}}");

        blocked(look(), "spec.toolkit.env of clusterpolicies.nvidia.com/cluster-policy is kept by Argo CD (field manager "
                + "argocd-controller, since 2026-08-30T10:00:00Z)");
    }

    @Test
    void theAddonOfMicroK8sIsTakenAsItIs() {
        scene.distribution("v1.33.5", "Ubuntu 24.04").label("worker-1", "microk8s.io/cluster", "true");
        scene.operator("v25.10.1", "{}");
        scene.helm.releases.clear();
        scene.helm.with("gpu-operator-resources", "gpu-operator", "gpu-operator", "v25.10.1", "deployed",
                PaperCluster.yaml("{}"));

        blocked(look(), "addon", "microk8s enable nvidia");
    }

    @Test
    void twoPluginsNeverFight() {
        scene.cluster.with(ObjectType.DAEMON_SET, "{metadata: {name: nvidia-device-plugin-daemonset, namespace: kube-system}}");
        blocked(look(), "kube-system/nvidia-device-plugin-daemonset", "fight");

        CardScene other = new CardScene().operator("v26.3.2", "{}").choose("stack", "device-plugin");
        blocked(other.look("operator"), "fight");
    }

    @Test
    void cardsThatAreHandedOutByClaimsAreLeftAlone() {
        scene.defines("gpuclusters.nvidia.com").cluster.with(ObjectType.GPU_CLUSTER, "{metadata: {name: gpu-cluster}}");

        blocked(look(), "gpu-cluster", "claims");
    }

    @Test
    void aPolicyThatNoReleaseMadeIsNotTouched() {
        scene.operator("v26.3.2", "{}").helm.releases.clear();

        blocked(look(), "cluster-policy", "OLM");
    }

    @Test
    void aQuotaThatNoOperandCouldMeetIsRefused() {
        scene.cluster.with(ObjectType.NAMESPACE, "{metadata: {name: gpu-operator}}");
        scene.cluster.with(ObjectType.RESOURCE_QUOTA, "{metadata: {name: q, namespace: gpu-operator}, spec: {hard: "
                + "{limits.memory: 8Gi}}}");
        blocked(look(), "ResourceQuota q", "limits.memory");

        scene.cluster.objects.put(ObjectType.RESOURCE_QUOTA, List.of(PaperCluster.yaml("{metadata: {name: critical, "
                + "namespace: gpu-operator}, spec: {hard: {pods: '0'}, scopeSelector: {matchExpressions: [{scopeName: "
                + "PriorityClass, operator: In, values: [system-node-critical]}]}}}")));
        blocked(look(), "ResourceQuota critical", "no room");

        scene.cluster.objects.put(ObjectType.RESOURCE_QUOTA, List.of(PaperCluster.yaml("{metadata: {name: batch, "
                + "namespace: gpu-operator}, spec: {hard: {pods: '0'}, scopeSelector: {matchExpressions: [{scopeName: "
                + "PriorityClass, operator: In, values: [batch]}]}}}")));
        assertThat(look().state()).isEqualTo(State.READY);
    }

    @Test
    void aNamespaceOnItsWayOutIsWaitedForAndOneThatIsStuckIsNot() {
        scene.cluster.with(ObjectType.NAMESPACE, "{metadata: {name: gpu-operator, deletionTimestamp: '2026-09-01T09:59:30Z'}}");
        assertThat(look().state()).isEqualTo(State.WAITING);
        assertThat(look().coming()).isPresent();

        scene.now = CardScene.NOW.plusSeconds(3600);
        blocked(look(), "does not go");
    }

    @Test
    void aRightThatIsMissingIsToldBefore() {
        scene.cluster.denied.add("create secrets gpu-operator");

        blocked(look(), "you may not create secrets in gpu-operator", "kubectl -n gpu-operator create role pitwall-create "
                + "--verb=create --resource=secrets && kubectl -n gpu-operator create rolebinding pitwall-create "
                + "--role=pitwall-create --user=USER");
    }

    @Test
    void whereNobodyMayLabelTheNamespaceTheOperatorDoes() {
        scene.cluster.with(ObjectType.NAMESPACE, "{metadata: {name: gpu-operator}}");
        scene.cluster.denied.add("patch namespaces");

        assertThat(lines(look())).containsEntry("psa.enabled", "true");
        assertThat(look().changes()).hasSize(1);
    }

    @Test
    void aSystemThatNoDriverImageIsPublishedForIsRefused() {
        scene.distribution("v1.33.5", "Debian GNU/Linux 12 (bookworm)");
        blocked(look(), "Debian", "driver=os");

        CardScene mixed = new CardScene().node("worker-2", "Ubuntu 22.04.5 LTS", "v1.33.5+rke2r1")
                .label("worker-2", "nvidia.com/gpu.present", "true");
        blocked(mixed.look("operator"), "Ubuntu 22.04, Ubuntu 24.04");
    }

    @Test
    void aRepositoryThatIsNotReachedIsOneClearSentence() {
        scene.helm.repository = Optional.of(new Trouble(Trouble.Kind.CONNECT, "helm.ngc.nvidia.com", "no route",
                "Check the network."));
        Answer answer = look();
        assertThat(answer.state()).isEqualTo(State.UNKNOWN);
        assertThat(answer.why()).contains("helm.ngc.nvidia.com: no route");
        assertThat(answer.notes()).contains("Check the network.");

        CardScene runs = new CardScene().operator("v26.3.2", "{}");
        runs.helm.repository = scene.helm.repository;
        assertThat(runs.look("operator").state()).isEqualTo(State.DONE);
    }

    @Test
    void aSiteWithoutAClusterHasNoNeedOfIt() {
        assertThat(CardScene.STEPS.getFirst().look(scene.situation().with(Optional.empty(),
                Optional.empty())).state()).isEqualTo(State.NOT_APPLICABLE);
    }

    @Test
    void aSilentClusterIsWaitedFor() {
        scene.cluster.broken.put(ObjectType.NODE, new Trouble(Trouble.Kind.CONNECT, "paper", "connection refused", "Wait."));

        assertThat(look().state()).isEqualTo(State.WAITING);
        assertThat(look().coming()).isPresent();
    }

    @Test
    void noSecretOfAReleaseIsShown() {
        scene.operator("v26.3.2", "{toolkit: {env: [{name: CONTAINERD_SOCKET, value: /x}]}, driver: {secretEnv: hunter2, "
                + "imagePullSecrets: [hunter3]}}");

        Answer answer = look();

        assertThat(answer.state()).isEqualTo(State.READY);
        assertThat(answer.toString()).doesNotContain("hunter");
    }
}
