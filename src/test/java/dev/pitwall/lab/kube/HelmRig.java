package dev.pitwall.lab.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.helm.HelmClient;
import dev.pitwall.lab.helm.RealHelm;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.awaitility.core.ThrowingRunnable;

/** A cluster of a scene that runs fast, and real Helm beside it. */
final class HelmRig implements AutoCloseable {
    static final Resource PODS = Resource.core("pods");
    static final Resource CLAIMS = Resource.core("persistentvolumeclaims");
    static final Resource EVENTS = Resource.core("events");
    static final Resource DEPLOYMENTS = new Resource("apps", "deployments");
    static final Resource DAEMON_SETS = new Resource("apps", "daemonsets");
    static final Resource DEFINITIONS = new Resource("apiextensions.k8s.io", "customresourcedefinitions");
    static final Resource POLICIES = new Resource("nvidia.com", "clusterpolicies");
    static final String OPERATOR = "gpu-operator";
    private static final Resource NODES = Resource.core("nodes");
    private static final Resource SECRETS = Resource.core("secrets");
    /** All that charts of the lab and the controllers behind their objects make in a namespace. */
    private static final List<Resource> NAMESPACED = List.of(PODS, CLAIMS, DEPLOYMENTS, DAEMON_SETS, SECRETS,
            Resource.core("services"), Resource.core("endpoints"), Resource.core("serviceaccounts"),
            Resource.core("configmaps"), new Resource("apps", "replicasets"), new Resource("apps", "controllerrevisions"),
            new Resource("batch", "jobs"), new Resource("discovery.k8s.io", "endpointslices"),
            new Resource("rbac.authorization.k8s.io", "roles"), new Resource("rbac.authorization.k8s.io", "rolebindings"),
            new Resource("nfd.k8s-sigs.io", "nodefeatures"));
    private static final double SPEED = 60;

    final KubeLab lab;
    final HelmClient helm;

    private HelmRig(KubeLab lab, HelmClient helm) {
        this.lab = lab;
        this.helm = helm;
    }

    static HelmRig start(Path dir, String scene) throws Exception {
        RealHelm.require();
        KubeLab lab = KubeLab.scene(dir, scene, SPEED);
        return new HelmRig(lab, new HelmClient(lab.kubeconfig, lab.world.clock(), dir));
    }

    Optional<JsonNode> find(Resource resource, String namespace, String name) {
        return lab.server.store().find(new ObjectKey(resource, namespace, name)).map(object -> object.tree());
    }

    JsonNode get(Resource resource, String namespace, String name) {
        return find(resource, namespace, name).orElseThrow(
                () -> new AssertionError("no " + resource.qualified() + " " + namespace + "/" + name));
    }

    List<JsonNode> list(Resource resource, String namespace) {
        return lab.server.store().list(resource, namespace).objects().stream().<JsonNode>map(object -> object.tree())
                .toList();
    }

    void change(Resource resource, String namespace, String name, Consumer<ObjectNode> change) {
        ObjectKey key = new ObjectKey(resource, namespace, name);
        ObjectNode object = lab.server.store().find(key).orElseThrow().copy();
        change.accept(object);
        lab.server.store().update(key, object);
    }

    void create(Resource resource, String namespace, String name, ObjectNode object) {
        lab.server.store().create(new ObjectKey(resource, namespace, name), object);
    }

    void scale(String namespace, String deployment, int replicas) {
        change(DEPLOYMENTS, namespace, deployment, object -> object.withObjectProperty("spec").put("replicas", replicas));
    }

    /** Pods with a label that are not going away. */
    List<JsonNode> pods(String namespace, String label, String value) {
        return list(PODS, namespace).stream().filter(pod -> pod.at("/metadata/labels").path(label).asText().equals(value)
                && !pod.at("/metadata").has("deletionTimestamp")).toList();
    }

    static boolean isReady(JsonNode pod) {
        for (JsonNode condition : pod.at("/status/conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                return condition.path("status").asText().equals("True");
            }
        }
        return false;
    }

    /** What an event of an object whose name begins like this says; empty if there is none with that reason. */
    Stream<String> events(String namespace, String about, String reason) {
        return list(EVENTS, namespace).stream().filter(event -> event.path("reason").asText().equals(reason)
                        && event.at("/involvedObject/name").asText().startsWith(about))
                .map(event -> event.path("message").asText());
    }

    /** Names of all objects in a namespace but events, with their kinds. */
    TreeSet<String> everythingIn(String namespace) {
        TreeSet<String> all = new TreeSet<>();
        for (Resource resource : NAMESPACED) {
            lab.server.store().list(resource, namespace).objects()
                    .forEach(object -> all.add(resource.qualified() + "/" + object.key().name()));
        }
        return all;
    }

    /** What a node can give of a resource; 0 if it has none. */
    int allocatable(String node, String resource) {
        return get(NODES, "", node).at("/status/allocatable").path(resource).asInt();
    }

    JsonNode labels(String node) {
        return get(NODES, "", node).at("/metadata/labels");
    }

    /** The operator has brought all that its policy says, and every pod of it stands. */
    void awaitOperator(int pluginPods) {
        eventually(() -> {
            JsonNode policy = get(POLICIES, "", "cluster-policy");
            assertThat(policy.at("/status/state").asText()).isEqualTo("ready");
            assertThat(policy.at("/status/conditions/0/reason").asText()).isEqualTo("Reconciled");
            assertThat(pods(OPERATOR, "app", "nvidia-device-plugin-daemonset")).hasSize(pluginPods);
            assertThat(pods(OPERATOR, "app", "nvidia-operator-validator")).hasSize(pluginPods)
                    .allMatch(HelmRig::isReady);
            assertThat(list(PODS, OPERATOR)).allMatch(pod -> isReady(pod)
                    || pod.at("/status/phase").asText().equals("Succeeded"));
        });
    }

    /** What Helm keeps of a release. */
    JsonNode record(String release, String namespace, int revision) throws IOException {
        String text = get(SECRETS, namespace, "sh.helm.release.v1." + release + ".v" + revision).at("/data/release")
                .asText();
        byte[] packed = Base64.getDecoder().decode(Base64.getDecoder().decode(text));
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            return Json.parse(in.readAllBytes());
        }
    }

    static void eventually(ThrowingRunnable assertion) {
        await().pollInterval(Duration.ofMillis(50)).untilAsserted(assertion);
    }

    @Override
    public void close() {
        helm.close();
        lab.close();
    }
}
