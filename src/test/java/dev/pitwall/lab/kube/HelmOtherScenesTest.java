package dev.pitwall.lab.kube;

import static dev.pitwall.lab.kube.HelmRig.DEFINITIONS;
import static dev.pitwall.lab.kube.HelmRig.OPERATOR;
import static dev.pitwall.lab.kube.HelmRig.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.Resource;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real Helm in the clusters whose nodes have the driver: the operator on bare metal, the plugin alone on Talos. */
class HelmOtherScenesTest {
    private static final String NAME = "gpu-operator";
    private static final String VERSION = "v26.3.3";
    private static final String CARDS = "nvidia.com/gpu";
    private static final int PATIENCE = 60;
    private static final String PLUGIN = "nvidia-device-plugin";
    private static final Resource RUNTIME_CLASSES = new Resource("node.k8s.io", "runtimeclasses");
    private static final Resource NAMESPACES = Resource.core("namespaces");

    @Test
    void operatorOnBareMetalIsUpgradedTakenAwayAndBroughtBack(@TempDir Path dir) throws Exception {
        try (HelmRig rig = HelmRig.start(dir, "metal")) {
            rig.awaitOperator(1);
            Path begin = rig.helm.values(rig.helm.values(NAME, OPERATOR));
            assertThat(rig.find(DEFINITIONS, "", "gpuclusters.nvidia.com")).isEmpty();
            rig.helm.upgrade("gpu-operator", NAME, OPERATOR).withVersion("v26.7.0").resetThenReuseValues()
                    .withValuesFile(rig.helm.values("""
                            devicePlugin:
                              config:
                                create: true
                                name: sharing
                                default: two
                                data: {two: "{version: v1, sharing: {timeSlicing: {renameByDefault: true, resources: [{name: nvidia.com/gpu, replicas: 2}]}}}"}
                            """)).waitReady().withTimeout(PATIENCE).call();
            // The hook's pod has brought the definitions of the new release, which Helm itself never changes.
            assertThat(rig.find(DEFINITIONS, "", "gpuclusters.nvidia.com")).isPresent();
            assertThat(rig.events(OPERATOR, "gpu-operator-upgrade-crd", "Started")).isNotEmpty();
            assertThat(rig.find(new Resource("batch", "jobs"), OPERATOR, "gpu-operator-upgrade-crd")).isEmpty();
            eventually(() -> {
                assertThat(rig.allocatable("anvil", "nvidia.com/gpu.shared")).isEqualTo(4);
                assertThat(rig.pods(OPERATOR, "app", "nvidia-operator-validator")).singleElement().matches(pod ->
                        HelmRig.isReady(pod) && pod.at("/spec/containers/0/image").asText().endsWith(":v26.7.0"));
            });

            rig.helm.uninstall(NAME, OPERATOR);
            eventually(() -> assertThat(rig.everythingIn(OPERATOR)).containsExactlyInAnyOrder("serviceaccounts/default",
                    "configmaps/kube-root-ca.crt"));
            rig.helm.install("gpu-operator", NAME, OPERATOR).withVersion(VERSION).withValuesFile(begin).waitReady()
                    .withTimeout(PATIENCE).call();
            rig.awaitOperator(1);
            eventually(() -> assertThat(rig.allocatable("anvil", CARDS)).isEqualTo(2));
        }
    }

    @Test
    void pluginAloneServesTheCardsOfTalosNodesOnceItsNamespaceAndItsRuntimeClassAreThere(@TempDir Path dir)
            throws Exception {
        try (HelmRig rig = HelmRig.start(dir, "talos")) {
            List<String> nodes = List.of("talos-gpu-4090", "talos-gpu-5090");
            rig.awaitOperator(nodes.size());
            assertThat(rig.helm.values(NAME, OPERATOR)).contains("driverInstallDir: /usr/local");
            rig.helm.uninstall(NAME, OPERATOR);
            eventually(() -> assertThat(nodes).allMatch(node -> rig.allocatable(node, CARDS) == 0));

            // What makes pods privileged is refused in a namespace that nobody has labelled.
            assertThatThrownBy(() -> rig.helm.install(PLUGIN, "nvdp", PLUGIN).createNamespace().set("gfd.enabled", "true")
                    .waitReady().withTimeout(1).call()).hasMessage("context deadline exceeded");
            assertThat(rig.events(PLUGIN, "nvdp-nvidia-device-plugin", "FailedCreate")).isNotEmpty().allMatch(message ->
                    message.contains("is forbidden: violates PodSecurity \"baseline:latest\": ")
                            && message.contains("hostPath volumes"));
            rig.helm.uninstall("nvdp", PLUGIN);
            rig.change(NAMESPACES, "", PLUGIN, object -> object.withObjectProperty("metadata")
                    .withObjectProperty("labels").put("pod-security.kubernetes.io/enforce", "privileged"));

            assertThatThrownBy(() -> plugin(rig, 1)).hasMessage("context deadline exceeded");
            assertThat(rig.events(PLUGIN, "nvdp-nvidia-device-plugin", "FailedCreate"))
                    .anyMatch(message -> message.contains("pod rejected: RuntimeClass \"nvidia\" not found"));
            rig.helm.uninstall("nvdp", PLUGIN);

            ObjectNode handler = Json.object().put("handler", "nvidia");
            handler.putObject("metadata").put("name", "nvidia");
            rig.create(RUNTIME_CLASSES, "", "nvidia", handler);
            plugin(rig, PATIENCE);
            eventually(() -> {
                assertThat(nodes).allMatch(node -> rig.allocatable(node, CARDS) == 1);
                assertThat(rig.labels("talos-gpu-5090").path("nvidia.com/gpu.product").asText())
                        .isEqualTo("NVIDIA-GeForce-RTX-5090");
            });

            rig.helm.uninstall("nvdp", PLUGIN);
            eventually(() -> {
                assertThat(rig.everythingIn(PLUGIN)).containsExactlyInAnyOrder("serviceaccounts/default",
                        "configmaps/kube-root-ca.crt");
                assertThat(nodes).allMatch(node -> rig.allocatable(node, CARDS) == 0);
            });
        }
    }

    private static void plugin(HelmRig rig, int patience) {
        rig.helm.install(PLUGIN, "nvdp", PLUGIN).set("gfd.enabled", "true").set("runtimeClassName", "nvidia")
                .waitReady().withTimeout(patience).call();
    }
}
