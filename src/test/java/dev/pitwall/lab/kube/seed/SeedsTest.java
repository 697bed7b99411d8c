package dev.pitwall.lab.kube.seed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.agent.AgentLab;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeedsTest {
    private static final List<Resource> KINDS = List.of(Resource.NAMESPACES, Resource.DEPLOYMENTS, Resource.DAEMON_SETS,
            Resource.STATEFUL_SETS, Resource.SERVICES, Resource.SECRETS,
            Resource.CONFIG_MAPS, Resource.VOLUME_CLAIMS, Resource.QUOTAS,
            new Resource("kubeflow.org", "notebooks"), new Resource("kyverno.io", "clusterpolicies"),
            new Resource("nvidia.com", "clusterpolicies"), new Resource("kubemoot.ai", "models"));

    private static AgentLab planted(String scene) throws Exception {
        AgentLab lab = new AgentLab(scene);
        Instant begin = Seeds.begin(lab.world);
        lab.with(new Seeds(lab.world, lab.hand, begin));
        lab.from(begin, begin.plus(Duration.ofHours(1)));
        return lab;
    }

    private static Stream<StoredObject> all(AgentLab lab) {
        return KINDS.stream().flatMap(kind -> lab.store.list(kind, "").objects().stream());
    }

    @ParameterizedTest
    @ValueSource(strings = {"garage", "talos", "metal"})
    void everythingIsInANamespaceThatIsThere(String scene) throws Exception {
        AgentLab lab = planted(scene);
        assertThat(all(lab).map(object -> object.key().namespace()).filter(space -> !space.isEmpty()))
                .isNotEmpty().allMatch(space -> lab.store.find(new ObjectKey(Resource.NAMESPACES, "", space)).isPresent());
    }

    @ParameterizedTest
    @ValueSource(strings = {"garage", "talos", "metal"})
    void sameSceneGivesTheSameObjects(String scene) throws Exception {
        List<String> first = all(planted(scene)).map(object -> object.tree().toString()).toList();
        assertThat(all(planted(scene)).map(object -> object.tree().toString())).isEqualTo(first);
    }

    @ParameterizedTest
    @ValueSource(strings = {"garage", "talos", "metal"})
    void everyModelServerOfTheSceneHasADeploymentAServiceAndAClaim(String scene) throws Exception {
        AgentLab lab = planted(scene);
        assertThat(lab.world.servers.values()).isNotEmpty().allSatisfy(server -> {
            JsonNode pod = lab.get(Resource.DEPLOYMENTS, server.namespace, server.name).at("/spec/template/spec");
            assertThat(pod.at("/nodeSelector").path("kubernetes.io/hostname").asText()).isEqualTo(server.node);
            assertThat(pod.at("/containers/0/image").asText()).contains(server.version);
            assertThat(pod.at("/containers/0/resources/limits").path("nvidia.com/gpu").asText()).isEqualTo("1");
            assertThat(lab.get(Resource.SERVICES, server.namespace, server.name).at("/spec/ports/0/port")
                    .asInt()).isEqualTo(server.kind.port());
            lab.get(Resource.VOLUME_CLAIMS, server.namespace, server.name);
        });
    }

    @Test
    void garageHasTheNamesThatClientsKnow() throws Exception {
        AgentLab lab = planted("garage");
        assertThat(names(lab, Resource.DEPLOYMENTS)).contains("gpu-operator/gpu-operator",
                "gpu-operator/gpu-operator-node-feature-discovery-master",
                "gpu-operator/gpu-operator-node-feature-discovery-gc", "kyverno/kyverno-admission-controller",
                "kubeflow/notebook-controller-deployment", "monitoring/kube-prometheus-stack-grafana",
                "kube-system/rke2-coredns-rke2-coredns", "llm/ollama-a", "llm/ollama-b", "llm/ollama-c", "web/landing");
        assertThat(names(lab, Resource.DAEMON_SETS)).contains("gpu-operator/gpu-operator-node-feature-discovery-worker",
                "kube-system/rke2-canal", "monitoring/kube-prometheus-stack-prometheus-node-exporter");
        assertThat(names(lab, Resource.SECRETS)).contains("gpu-operator/sh.helm.release.v1.gpu-operator.v1");
        JsonNode policy = lab.get(new Resource("kyverno.io", "clusterpolicies"), "", "gpu-pods-to-gpu-nodes");
        assertThat(policy.at("/spec/rules/0/mutate/patchStrategicMerge/spec/tolerations/0/value").asText())
                .isEqualTo("true");
        assertThat(lab.get(new Resource("nvidia.com", "clusterpolicies"), "", "cluster-policy")
                .at("/spec/driver/version").asText()).isEqualTo("570.133.20");
        assertThat(lab.get(Resource.STATEFUL_SETS, "monitoring",
                "prometheus-kube-prometheus-stack-prometheus").at("/spec/serviceName").asText())
                .isEqualTo("prometheus-operated");
    }

    @Test
    void talosHasKubemootWithAProviderForEachServer() throws Exception {
        AgentLab lab = planted("talos");
        assertThat(names(lab, new Resource("kubemoot.ai", "modelproviders")))
                .containsExactly("kubemoot/ollama-4090", "kubemoot/ollama-5090");
        assertThat(names(lab, new Resource("kubemoot.ai", "models"))).contains("kubemoot/qwen3-14b-ollama-4090",
                "kubemoot/nomic-embed-text-ollama-4090");
        assertThat(lab.get(new Resource("nvidia.com", "clusterpolicies"), "", "cluster-policy")
                .at("/spec/hostPaths/driverInstallDir").asText()).isEqualTo("/usr/local");
    }

    @Test
    void releaseIsTheChartThatTheSceneNames() throws Exception {
        for (String scene : List.of("garage", "talos", "metal")) {
            AgentLab lab = planted(scene);
            assertThat(lab.get(Resource.DEPLOYMENTS, "gpu-operator", "gpu-operator").at("/metadata/labels")
                    .path("helm.sh/chart").asText()).as(scene)
                    .isEqualTo("gpu-operator-" + lab.world.kubernetes.operatorChart());
        }
    }

    @Test
    void policiesAreThereBeforeThePodsTheyChange() throws Exception {
        AgentLab lab = planted("garage");
        Instant policy = created(lab.get(new Resource("kyverno.io", "clusterpolicies"), "", "gpu-pods-to-gpu-nodes"));
        assertThat(created(lab.get(Resource.DEPLOYMENTS, "llm", "ollama-a"))).isAfter(policy);
        assertThat(created(lab.get(Resource.DEPLOYMENTS, "kyverno", "kyverno-admission-controller"))).isBefore(policy);
    }

    @Test
    void staticPodsMirrorTheControlPlaneOfTheirNode() throws Exception {
        AgentLab lab = new AgentLab("garage");
        lab.with(new StaticPods(lab.world, lab.hand));
        lab.create(Resource.NODES, "", "rke2-master-1",
                "{metadata: {uid: u1, labels: {node-role.kubernetes.io/control-plane: 'true'}}}");
        lab.create(Resource.NODES, "", "rke2-worker-dc1-a", "{metadata: {uid: u2}}");
        lab.live(1);
        assertThat(names(lab, Resource.PODS)).containsExactly("kube-system/etcd-rke2-master-1",
                "kube-system/kube-apiserver-rke2-master-1", "kube-system/kube-controller-manager-rke2-master-1",
                "kube-system/kube-proxy-rke2-master-1", "kube-system/kube-proxy-rke2-worker-dc1-a",
                "kube-system/kube-scheduler-rke2-master-1");
        JsonNode pod = lab.get(Resource.PODS, "kube-system", "etcd-rke2-master-1");
        assertThat(pod.at("/metadata/ownerReferences/0/uid").asText()).isEqualTo("u1");
        assertThat(pod.at("/metadata/annotations").has("kubernetes.io/config.mirror")).isTrue();
    }

    private static TreeSet<String> names(AgentLab lab, Resource resource) {
        TreeSet<String> names = new TreeSet<>();
        lab.store.list(resource, "").objects().forEach(object ->
                names.add(object.key().namespace() + "/" + object.key().name()));
        return names;
    }

    private static Instant created(JsonNode object) {
        return Instant.parse(object.at("/metadata/creationTimestamp").asText());
    }
}
