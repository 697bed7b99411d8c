package dev.pitwall.link.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.FieldManager;
import dev.pitwall.journey.Cluster.Earnest;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.lab.client.RealClient;
import dev.pitwall.link.LabSystems;
import dev.pitwall.link.SiteSystems;
import dev.pitwall.link.Troubles;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.ClusterAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the wizard reads of the garage's cluster and writes into it, and what it says of each refusal. */
class KubeClusterTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final NetworkTrouble TROUBLES = new NetworkTrouble(new Words());
    private static final ObjectType QUOTA = ObjectType.namespaced("", "v1", "resourcequotas", "ResourceQuota");
    private static final ObjectType NO_TYPE = new ObjectType("example.org", "v1", "things", "Thing", ObjectType.Scope.CLUSTER);

    @TempDir
    private static Path dir;
    private static LabSystems lab;
    private static SiteSystems systems;
    private static Cluster cluster;

    @BeforeAll
    static void start() throws Exception {
        lab = LabSystems.start(LabOptions.garage(dir).withSpeed(60));
        systems = lab.open(lab.site());
        cluster = systems.cluster().orElseThrow();
    }

    @AfterAll
    static void stop() {
        systems.close();
        lab.close();
    }

    private static JsonNode yaml(String text) throws IOException {
        return YAML.readTree(text);
    }

    private static ObjectRef namespace(String name) throws Exception {
        ObjectRef namespace = ObjectRef.of(ObjectType.NAMESPACE, name);
        cluster.create(namespace, JSON.createObjectNode(), Earnest.MAKE);
        return namespace;
    }

    private static ObjectRef map(String namespace, String name) {
        return new ObjectRef(ObjectType.CONFIG_MAP, namespace, name);
    }

    /** Kyverno's policy of the garage looks at pods only in namespaces of its own, so this one is plain. */
    private static JsonNode pod(String more) throws IOException {
        return yaml("""
                spec:
                  restartPolicy: Never
                  containers:
                    - name: main
                      image: ubuntu:24.04
                """ + more.indent(6));
    }

    private static Cluster as(String context) throws Exception {
        return KubeCluster.open(new ClusterAccess(List.of(dir.resolve("kubeconfig")), Optional.of(context)), TROUBLES,
                InstantSource.system());
    }

    @Test
    void theClusterSaysWhoItIsAndEveryAccessToItKnowsItByTheSame() throws Exception {
        assertThat(cluster.name()).isEqualTo("garage");
        assertThat(cluster.version()).isEqualTo("v1.33.5+rke2r1");
        assertThat(cluster.identity()).matches("[0-9a-f-]{36}");
        try (Cluster other = as("garage-token")) {
            assertThat(other.identity()).isEqualTo(cluster.identity());
        }
    }

    @Test
    void objectsAreReadWithTheirTypesAndWithoutWhatFieldManagersKeep() throws Exception {
        JsonNode node = cluster.get(ObjectRef.of(ObjectType.NODE, "rke2-worker-dc1-gpu-a")).orElseThrow();
        assertThat(node.at("/kind").asText()).isEqualTo("Node");
        assertThat(node.at("/metadata/managedFields").isMissingNode()).isTrue();
        assertThat(cluster.list(ObjectType.NODE, "", "")).hasSize(21).contains(node);
        assertThat(cluster.list(ObjectType.NODE, "", "nvidia.com/gpu.present=true")).hasSize(3);
        assertThat(cluster.list(ObjectType.POD, "gpu-operator", "")).isNotEmpty()
                .allMatch(pod -> pod.at("/metadata/namespace").asText().equals("gpu-operator"));
        assertThat(cluster.get(ObjectRef.of(ObjectType.NODE, "none"))).isEmpty();
        assertThat(cluster.get(ObjectRef.of(NO_TYPE, "none"))).isEmpty();
        assertThat(cluster.list(NO_TYPE, "", "")).isEmpty();
    }

    @Test
    void aListOfManyPagesIsWholeAndOneThatGrowsOldIsBegunAgain() throws Exception {
        try (TestApi api = new TestApi(); Cluster asked = of(api)) {
            for (int i = 0; i < 1100; i++) {
                ObjectNode pod = JSON.createObjectNode();
                pod.putObject("metadata").put("name", "p" + i).put("namespace", "x");
                api.put(TestApi.PODS, pod);
            }
            assertThat(asked.list(ObjectType.POD, "", "")).hasSize(1100)
                    .extracting(o -> o.at("/metadata/name").asText()).doesNotHaveDuplicates();
            assertThat(api.asked("list", TestApi.PODS)).isEqualTo(3);
            api.once("list", TestApi.PODS, exchange -> {
                exchange.setStatusCode(410);
                exchange.getResponseSender().send("{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\"}");
            });
            assertThat(asked.list(ObjectType.POD, "", "")).hasSize(1100);
        }
    }

    @Test
    void anObjectIsMadeSetAndRemoved() throws Exception {
        namespace("life");
        ObjectRef map = map("life", "one");
        JsonNode made = cluster.create(map, yaml("data: {a: b}"), Earnest.MAKE);
        assertThat(made.at("/data/a").asText()).isEqualTo("b");
        String version = made.at("/metadata/resourceVersion").asText();
        cluster.patch(map, yaml("data: {a: null, c: d}"), version, Earnest.TRY);
        assertThat(cluster.get(map)).contains(made);
        JsonNode set = cluster.patch(map, yaml("data: {a: null, c: d}"), version, Earnest.MAKE);
        assertThat(set.at("/data")).isEqualTo(yaml("{c: d}"));

        Trouble late = Troubles.of(() -> cluster.patch(map, yaml("data: {c: e}"), version, Earnest.MAKE));
        assertThat(late.kind()).isEqualTo(Kind.BUSY);
        assertThat(late.sentence()).isEqualTo("configmaps/one in life (garage): somebody changed it in this moment");
        assertThat(cluster.get(map).orElseThrow().at("/data/c").asText()).isEqualTo("d");
        Trouble twice = Troubles.of(() -> cluster.create(map, JSON.createObjectNode(), Earnest.MAKE));
        assertThat(twice.kind()).isEqualTo(Kind.BUSY);
        assertThat(twice.what()).isEqualTo("it is there already");

        cluster.delete(map);
        cluster.delete(map);
        await().untilAsserted(() -> assertThat(cluster.get(map)).isEmpty());
        assertThat(Troubles.of(() -> cluster.patch(map, yaml("data: {}"), "", Earnest.MAKE)).what())
                .isEqualTo("it is not there");
    }

    @Test
    void aTryLeavesNothing() throws Exception {
        ObjectRef trial = ObjectRef.of(ObjectType.NAMESPACE, "trial");
        assertThat(cluster.create(trial, JSON.createObjectNode(), Earnest.TRY).at("/metadata/name").asText())
                .isEqualTo("trial");
        assertThat(cluster.get(trial)).isEmpty();
    }

    @Test
    void theFieldThatIsWrongIsNamed() throws Exception {
        namespace("fields");
        ObjectRef pod = new ObjectRef(ObjectType.POD, "fields", "p");
        Trouble unknown = Troubles.of(() -> cluster.create(pod, pod("imagePullPolice: Always"), Earnest.MAKE));
        assertThat(unknown.what()).isEqualTo(
                "it was not accepted: spec.containers[0].imagePullPolice: there is no such field");
        assertThat(unknown.where()).isEqualTo("pods/p in fields (garage)");
        Trouble bad = Troubles.of(() -> cluster.create(pod, pod("imagePullPolicy: Sometimes"), Earnest.MAKE));
        assertThat(bad.what()).startsWith("it was not accepted: spec.containers[0].imagePullPolicy: Unsupported value");
        assertThat(bad.what()).doesNotContain("invalid:");
        JsonNode policy = cluster.list(ObjectType.CLUSTER_POLICY, "", "").getFirst();
        ObjectRef ref = ObjectRef.of(ObjectType.CLUSTER_POLICY, policy.at("/metadata/name").asText());
        assertThat(Troubles.of(() -> cluster.patch(ref, yaml("spec: {driver: {enable: false}}"), "", Earnest.TRY)).what())
                .isEqualTo("it was not accepted: spec.driver.enable: there is no such field");
    }

    @Test
    void aRightThatIsMissingIsNamedAndCanBeAskedForBefore() throws Exception {
        try (Cluster viewer = as("garage-viewer")) {
            assertThat(viewer.may("list", ObjectType.POD, "")).isTrue();
            assertThat(viewer.may("create", ObjectType.POD, "gpu-operator")).isFalse();
            assertThat(cluster.may("create", ObjectType.POD, "gpu-operator")).isTrue();
            assertThat(cluster.may("create", ObjectType.POD.part("eviction"), "")).isTrue();
            assertThat(viewer.may("create", ObjectType.POD.part("eviction"), "")).isFalse();
            assertThat(viewer.user()).isNotEmpty();
            ObjectRef pod = new ObjectRef(ObjectType.POD, "gpu-operator", "p");
            Trouble trouble = Troubles.of(() -> viewer.create(pod, pod(""), Earnest.MAKE));
            assertThat(trouble.kind()).isEqualTo(Kind.RIGHTS);
            assertThat(trouble.where()).isEqualTo("pods/p in gpu-operator (garage-viewer)");
            assertThat(trouble.what()).matches("\\S+ may not create pods here");
            assertThat(trouble.next()).contains("kubectl auth can-i create pods -n gpu-operator");
            assertThat(Troubles.of(() -> viewer.list(ObjectType.SECRET, "", "owner=helm")).what())
                    .endsWith("may not list secrets here");
        }
    }

    @Test
    void theApiServerTellsWhoseAFieldIsAndWritesNothing() throws Exception {
        ObjectRef space = namespace("owned");
        ObjectRef map = map("owned", "one");
        RealClient.named("kubectl", "--kubeconfig", dir.resolve("kubeconfig").toString()).feed("{apiVersion: v1, kind: "
                + "ConfigMap, metadata: {name: one, namespace: owned}, data: {a: b}}", "apply", "--server-side",
                "--field-manager=argocd-controller", "-f", "-").ok();
        JsonNode before = cluster.get(map).orElseThrow();
        assertThat(cluster.claims(map, yaml("data: {a: c, d: e}"))).containsExactly(new Cluster.Claim("argocd-controller",
                FieldManager.Operation.APPLY, "data.a"));
        assertThat(cluster.claims(map, yaml("data: {a: b, d: e}"))).isEmpty();
        assertThat(cluster.claims(map, yaml("data: {a: null}"))).as("it cannot say that a field is to go").isEmpty();
        assertThat(cluster.get(map)).contains(before);
        assertThat(cluster.managers(map)).singleElement().satisfies(m -> {
            assertThat(m.name()).isEqualTo("argocd-controller");
            assertThat(m.since()).isPresent();
            assertThat(m.has(yaml("data: {a: null, d: e}"))).containsExactly("data.a");
        });
        assertThat(cluster.owned(ObjectType.CONFIG_MAP, "owned")).anySatisfy(o -> {
            assertThat(o.object()).isEqualTo(before);
            assertThat(o.managers()).extracting(FieldManager::name).containsExactly("argocd-controller");
        });
        cluster.patch(space, yaml("metadata: {labels: {own: x}}"), "", Earnest.MAKE);
        assertThat(cluster.claims(space, yaml("metadata: {labels: {own: y}}"))).extracting(Cluster.Claim::manager)
                .containsExactly("pitwall");
    }

    @Test
    void whoeverHasASayInAdmissionIsNamedWithTheReason() throws Exception {
        ObjectRef space = namespace("strict");
        cluster.patch(space, yaml("metadata: {labels: {pod-security.kubernetes.io/enforce: restricted}}"), "",
                Earnest.MAKE);
        Trouble security = Troubles.of(() -> cluster.create(new ObjectRef(ObjectType.POD, "strict", "p"),
                pod("securityContext: {privileged: true}"), Earnest.MAKE));
        assertThat(security.what()).startsWith("Pod Security \"restricted:latest\" of namespace strict forbids it: ")
                .contains("privileged");
        assertThat(security.next()).contains("label strict with pod-security.kubernetes.io/enforce=privileged");

        namespace("narrow");
        cluster.create(new ObjectRef(QUOTA, "narrow", "cards"), yaml("spec: {hard: {requests.nvidia.com/gpu: \"0\"}}"),
                Earnest.MAKE);
        Trouble quota = Troubles.of(() -> cluster.create(new ObjectRef(ObjectType.POD, "narrow", "p"),
                pod("resources: {limits: {nvidia.com/gpu: 1}}"), Earnest.MAKE));
        assertThat(quota.what()).startsWith("quota cards of namespace narrow forbids it: ").contains("nvidia.com/gpu");
    }

    @Test
    void aNamespaceThatIsBeingDeletedTakesNothing() throws Exception {
        ObjectRef space = namespace("leaving");
        ObjectRef held = map("leaving", "held");
        cluster.create(held, yaml("metadata: {finalizers: [example.org/keep]}"), Earnest.MAKE);
        cluster.delete(space);
        await().untilAsserted(() -> assertThat(cluster.get(space).orElseThrow().at("/status/phase").asText())
                .isEqualTo("Terminating"));
        Trouble trouble = Troubles.of(() -> cluster.create(map("leaving", "new"), JSON.createObjectNode(), Earnest.MAKE));
        assertThat(trouble.kind()).isEqualTo(Kind.BUSY);
        assertThat(trouble.what()).isEqualTo("namespace leaving is being deleted, and takes nothing new");
        cluster.delete(space);
        cluster.patch(held, yaml("metadata: {finalizers: null}"), "", Earnest.MAKE);
        await().untilAsserted(() -> assertThat(cluster.get(space)).isEmpty());
    }

    @Test
    void whatIsNotThereIsSaidAsItIs() throws Exception {
        assertThat(Troubles.of(() -> cluster.create(map("nowhere", "x"), JSON.createObjectNode(), Earnest.MAKE)).what())
                .isEqualTo("there is no namespace nowhere");
        assertThat(Troubles.of(() -> cluster.create(ObjectRef.of(NO_TYPE, "x"), JSON.createObjectNode(), Earnest.MAKE))
                .what()).isEqualTo("the cluster has no objects of this kind");
    }

    @Test
    void theLogOfAContainerIsReadAndAServiceIsAskedThroughTheProxy() throws Exception {
        JsonNode pod = cluster.list(ObjectType.POD, "gpu-operator", "app=nvidia-device-plugin-daemonset").getFirst();
        String log = cluster.log(new ObjectRef(ObjectType.POD, "gpu-operator", pod.at("/metadata/name").asText()),
                pod.at("/spec/containers/0/name").asText(), 3);
        assertThat(log.lines()).hasSizeBetween(1, 3);
        ObjectRef ollama = new ObjectRef(ObjectType.SERVICE, "llm", "ollama-a");
        assertThat(cluster.ask(ollama, "11434", "/api/tags", Optional.empty())).contains("llama3.1:8b");
        String port = cluster.get(ollama).orElseThrow().at("/spec/ports/0/name").asText();
        assertThat(cluster.ask(ollama, port, "/api/show", Optional.of("{\"model\":\"llama3.1:8b\"}"))).contains("family");
        Trouble none = Troubles.of(() -> cluster.ask(ollama, "11434", "/api/show", Optional.of("{\"model\":\"no\"}")));
        assertThat(none.where()).isEqualTo("llm/ollama-a:11434");
        assertThat(none.what()).startsWith("it answers with HTTP 404: ").contains("not found");
        assertThat(Troubles.of(() -> cluster.ask(ollama, "web", "/", Optional.empty())).what())
                .isEqualTo("the service has no port named web");
    }

    @Test
    void aTokenThatIsRefusedAndAServerThatIsNotThereAreSaid() throws Exception {
        String text = Files.readString(dir.resolve("kubeconfig"));
        Path wrong = Files.writeString(dir.resolve("wrong"), text.replaceAll("token: .*", "token: wrong"));
        try (Cluster refused = KubeCluster.open(new ClusterAccess(List.of(wrong), Optional.of("garage-token")), TROUBLES,
                InstantSource.system())) {
            Trouble trouble = Troubles.of(refused::version);
            assertThat(trouble.kind()).isEqualTo(Kind.CREDENTIALS);
            assertThat(trouble.what()).doesNotContain("wrong");
        }
        Matcher port = Pattern.compile("https://127.0.0.1:(\\d+)").matcher(text);
        assertThat(port.find()).isTrue();
        Path closed = Files.writeString(dir.resolve("closed"), text.replace(port.group(), "https://127.0.0.1:1"));
        try (Cluster away = KubeCluster.open(new ClusterAccess(List.of(closed), Optional.of("garage")), TROUBLES,
                InstantSource.system())) {
            Trouble trouble = Troubles.of(away::version);
            assertThat(trouble.kind()).isEqualTo(Kind.CONNECT);
            assertThat(trouble.where()).isEqualTo("garage (127.0.0.1:1)");
        }
    }

    /** Answers that the lab has no cause for, as API servers and webhooks give them. */
    @Test
    void refusalsOfOthersAreSaidWithTheirNames() throws Exception {
        try (TestApi api = new TestApi(); Cluster asked = of(api)) {
            assertThat(said(api, asked, 409, "Conflict", "Apply failed with 1 conflict", """
                    {"causes":[{"reason":"FieldManagerConflict","message":"conflict with \\"argocd-controller\\" using v1",
                    "field":".data.a"}]}""")).isEqualTo("argocd-controller manages these fields: .data.a");
            assertThat(said(api, asked, 400, "BadRequest", "admission webhook \"validate.kyverno.svc-fail\" denied the"
                    + " request: \n\nresource ConfigMap/x/y was blocked due to the following policies \n\nneed-team:\n"
                    + "  check: 'validation error: label team is required'\n", "{}"))
                    .startsWith("the admission webhook validate.kyverno.svc-fail refused it: resource ConfigMap/x/y")
                    .contains("label team is required");
            assertThat(said(api, asked, 422, "Invalid", "configmaps \"y\" is forbidden: ValidatingAdmissionPolicy 'team'"
                    + " with binding 'all' denied request: no team", "{\"causes\":[{\"message\":\"no team\"}]}"))
                    .isEqualTo("the admission policy team refused it: no team");
            assertThat(said(api, asked, 500, "InternalError", "Internal error occurred: failed calling webhook"
                    + " \"mutate.kyverno.svc-fail\": failed to call webhook: Post \"https://kyverno-svc.kyverno.svc:443/"
                    + "mutate?timeout=10s\": no endpoints available for service \"kyverno-svc\"", "{}"))
                    .isEqualTo("the admission webhook mutate.kyverno.svc-fail did not answer (no endpoints available for"
                            + " service \"kyverno-svc\"), so nothing could be written");
            assertThat(said(api, asked, 500, "InternalError", "etcdserver: request timed out", "{}"))
                    .isEqualTo("the API server could not create it: etcdserver: request timed out");
            assertThat(said(api, asked, 429, "TooManyRequests", "too many requests", "{}"))
                    .isEqualTo("the API server is too busy: too many requests");
        }
    }

    private static Cluster of(TestApi api) throws Exception {
        Path file = Files.writeString(dir.resolve("test-api"), KubeconfigText.of("server: http://127.0.0.1:" + api.port(),
                "token: t"));
        return KubeCluster.open(new ClusterAccess(List.of(file), Optional.empty()), TROUBLES, InstantSource.system());
    }

    private static String said(TestApi api, Cluster asked, int code, String reason, String message, String details)
            throws IOException {
        ObjectNode status = JSON.createObjectNode().put("kind", "Status").put("apiVersion", "v1").put("status", "Failure")
                .put("message", message).put("reason", reason).put("code", code);
        status.set("details", JSON.readTree(details));
        api.once("list", "/api/v1/namespaces/x/configmaps", exchange -> {
            exchange.setStatusCode(code);
            exchange.getResponseSender().send(status.toString());
        });
        return Troubles.of(() -> asked.create(map("x", "y"), JSON.createObjectNode(), Earnest.MAKE)).what();
    }
}
