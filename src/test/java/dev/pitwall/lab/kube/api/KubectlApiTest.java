package dev.pitwall.lab.kube.api;

import dev.pitwall.lab.client.RealClient;
import dev.pitwall.lab.kube.KubeLab;
import dev.pitwall.lab.kube.store.Resource;
import io.undertow.Undertow;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What the API server alone does for real kubectl: objects, not what controllers make of them. */
class KubectlApiTest {
    @TempDir
    private static Path dir;
    private static KubeLab lab;
    private static RealClient kubectl;

    @BeforeAll
    static void start() throws Exception {
        kubectl = RealClient.named("kubectl");
        lab = KubeLab.fast(dir, 20);
        kubectl = RealClient.named("kubectl", "--kubeconfig", lab.kubeconfig.toString(), "--request-timeout=60s")
                .with("HOME", dir.toString());
        kubectl.run("create", "namespace", "demo").ok();
    }

    @AfterAll
    static void stop() {
        if (lab != null) {
            lab.close();
        }
    }

    @Test
    void what_kubectl_creates_as_protobuf_is_kept_with_its_defaults() {
        kubectl.run("-n", "demo", "create", "secret", "generic", "login", "--from-literal=user=anna").ok();
        assertThat(kubectl.run("-n", "demo", "get", "secret", "login", "-o", "jsonpath={.type} {.data.user}").ok())
                .isEqualTo("Opaque YW5uYQ==");
        kubectl.run("-n", "demo", "create", "deployment", "web", "--image=nginx:1.27", "--replicas=0").ok();
        assertThat(kubectl.run("-n", "demo", "get", "deployment", "web", "-o", "jsonpath={.spec.replicas}"
                + " {.spec.strategy.rollingUpdate.maxSurge} {.spec.template.spec.containers[0].imagePullPolicy}").ok())
                .isEqualTo("0 25% IfNotPresent");
        kubectl.run("-n", "demo", "expose", "deployment", "web", "--port=80").ok();
        assertThat(kubectl.run("-n", "demo", "get", "service", "web", "-o", "jsonpath={.spec.clusterIP}").ok())
                .startsWith("10.43.");
    }

    @Test
    void a_client_side_apply_merges_lists_by_their_keys_and_takes_out_what_is_no_longer_there() {
        String manifest = """
                {apiVersion: apps/v1, kind: Deployment, metadata: {name: merged, namespace: demo}, spec: {
                selector: {matchLabels: {app: m}}, template: {metadata: {labels: {app: m}}, spec: {containers: [
                {name: c, image: "a:1", env: [{name: A, value: "1"}, {name: B, value: "2"}]}]}}}}""";
        kubectl.feed(manifest, "apply", "-f", "-").ok();
        kubectl.run("-n", "demo", "set", "env", "deployment/merged", "MINE=3").ok();
        kubectl.feed(manifest.replace(", {name: B, value: \"2\"}", ""), "apply", "-f", "-").ok();
        assertThat(kubectl.run("-n", "demo", "get", "deployment", "merged", "-o",
                "jsonpath={.spec.template.spec.containers[0].env[*].name}").ok()).isEqualTo("A MINE");
        assertThat(kubectl.run("-n", "demo", "get", "deployment", "merged", "-o", "yaml", "--show-managed-fields").ok())
                .contains("manager: kubectl-client-side-apply", "manager: kubectl-set", "operation: Update");
    }

    @Test
    void mistakes_are_refused_in_kubernetes_words() {
        assertThat(kubectl.run("-n", "demo", "run", "bad", "--image=i", "--overrides",
                "{\"spec\":{\"containers\":[{\"name\":\"Bad_\",\"image\":\"i\",\"resources\":{\"limits\":"
                        + "{\"nvidia.com/gpu\":\"500m\",\"cpu\":\"1\"},\"requests\":{\"cpu\":\"2\"}}}]}}").err())
                .contains("spec.containers[0].name: Invalid value: \"Bad_\": a lowercase RFC 1123 label must consist of",
                        "spec.containers[0].resources.limits[nvidia.com/gpu]: Invalid value: \"500m\": must be an integer",
                        "spec.containers[0].resources.requests: Invalid value: \"2\": must be less than or equal to cpu limit of 1");
        kubectl.run("-n", "demo", "create", "job", "once", "--image=busybox", "--", "true").ok();
        assertThat(kubectl.run("-n", "demo", "patch", "job", "once", "-p",
                "{\"spec\":{\"template\":{\"spec\":{\"restartPolicy\":\"OnFailure\"}}}}").err())
                .contains("spec.template: Invalid value", "field is immutable");
        assertThat(kubectl.run("-n", "nowhere", "create", "configmap", "a").err())
                .contains("namespaces \"nowhere\" not found");
    }

    @Test
    void a_definition_is_served_at_once_validated_and_takes_its_objects_along() {
        kubectl.feed("""
                {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: racks.example.com},
                spec: {group: example.com, scope: Namespaced, names: {plural: racks, kind: Rack, shortNames: [rk]}, versions: [
                {name: v1, served: true, storage: true, subresources: {status: {}, scale: {specReplicasPath: .spec.cards,
                statusReplicasPath: .status.cards}}, additionalPrinterColumns: [{name: Slot, type: integer, jsonPath: .spec.slot}],
                schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, required: [slot],
                x-kubernetes-validations: [{rule: "self.slot < 9 || has(self.note)", message: "slots from 9 on need a note"}],
                properties: {slot: {type: integer, minimum: 1}, side: {type: string, enum: [left, right], default: left},
                note: {type: string}, cards: {type: integer}}}, status: {type: object, properties: {cards: {type: integer}}}}}}}]}}""",
                "apply", "-f", "-").ok();
        kubectl.run("wait", "--for=condition=Established", "crd/racks.example.com", "--timeout=60s").ok();
        assertThat(kubectl.run("explain", "rack.spec").ok()).contains("slot", "<integer> -required-", "enum: left, right");
        String rack = "{apiVersion: example.com/v1, kind: Rack, metadata: {name: one, namespace: demo}, spec: {slot: %s}}";
        assertThat(kubectl.feed(rack.formatted("0, side: up"), "apply", "-f", "-").err()).contains(
                "spec.side: Unsupported value: \"up\": supported values: \"left\", \"right\"",
                "spec.slot: Invalid value: 0: spec.slot in body should be greater than or equal to 1");
        assertThat(kubectl.feed(rack.formatted("10"), "apply", "-f", "-").err()).contains("slots from 9 on need a note");
        assertThat(kubectl.feed(rack.formatted("1, colour: red"), "apply", "-f", "-").err())
                .contains("strict decoding error: unknown field \"spec.colour\"");
        assertThat(kubectl.feed(rack.formatted("1, colour: red"), "apply", "--validate=warn", "-f", "-").err())
                .contains("Warning: unknown field \"spec.colour\"");
        kubectl.run("-n", "demo", "scale", "rack/one", "--replicas=3").ok();
        assertThat(kubectl.run("-n", "demo", "get", "rk", "one", "-o", "jsonpath={.spec}").ok())
                .isEqualTo("{\"cards\":3,\"side\":\"left\",\"slot\":1}");
        assertThat(kubectl.run("-n", "demo", "get", "rk").ok()).containsPattern("one +1");
        kubectl.run("delete", "crd", "racks.example.com").ok();
        assertThat(kubectl.run("-n", "demo", "get", "racks").err()).contains("could not find the requested resource");
        assertThat(lab.server.store().list(new Resource("example.com", "racks"), "").objects()).isEmpty();
    }

    @Test
    void a_pod_is_bound_once_and_evicted_only_where_its_budget_allows() {
        kubectl.feed("""
                {apiVersion: v1, kind: Pod, metadata: {name: guarded, namespace: demo, labels: {app: guarded}},
                spec: {schedulerName: by-hand, containers: [{name: c, image: "nginx:1.29"}]}}""", "create", "-f", "-").ok();
        String binding = "{\"apiVersion\":\"v1\",\"kind\":\"Binding\",\"metadata\":{\"name\":\"guarded\"},"
                + "\"target\":{\"kind\":\"Node\",\"name\":\"rke2-worker-dc1-a\"}}";
        String pod = "/api/v1/namespaces/demo/pods/guarded";
        kubectl.feed(binding, "create", "--raw", pod + "/binding", "-f", "-").ok();
        assertThat(kubectl.feed(binding, "create", "--raw", pod + "/binding", "-f", "-").err())
                .contains("is already assigned to node \"rke2-worker-dc1-a\"");
        kubectl.run("-n", "demo", "create", "pdb", "guard", "--selector=app=guarded", "--min-available=1").ok();
        kubectl.run("-n", "demo", "wait", "pod/guarded", "--for=condition=Ready", "--timeout=60s").ok();
        kubectl.run("-n", "demo", "wait", "pdb/guard", "--for=jsonpath={.status.currentHealthy}=1", "--timeout=60s").ok();
        String eviction = "{\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\",\"metadata\":{\"name\":\"guarded\"},"
                + "\"deleteOptions\":{\"gracePeriodSeconds\":0}}";
        assertThat(kubectl.feed(eviction, "create", "--raw", pod + "/eviction", "-f", "-").err())
                .contains("Cannot evict pod as it would violate the pod's disruption budget.");
        kubectl.run("-n", "demo", "patch", "pdb", "guard", "--type=merge", "-p", "{\"spec\":{\"minAvailable\":0}}").ok();
        kubectl.run("-n", "demo", "wait", "pdb/guard", "--for=jsonpath={.status.disruptionsAllowed}=1", "--timeout=60s").ok();
        kubectl.feed(eviction, "create", "--raw", pod + "/eviction", "-f", "-").ok();
        assertThat(kubectl.run("-n", "demo", "get", "pod", "guarded").err()).contains("not found");
    }

    @Test
    void rights_come_from_roles_and_nobody_gives_what_is_not_theirs() {
        kubectl.run("create", "namespace", "rights").ok();
        String account = "--as=system:serviceaccount:rights:default";
        assertThat(kubectl.run("auth", "can-i", "list", "pods", "-n", "rights", account).out()).contains("no");
        kubectl.run("-n", "rights", "create", "rolebinding", "view", "--clusterrole=view", "--serviceaccount=rights:default").ok();
        assertThat(kubectl.run("auth", "can-i", "list", "pods", "-n", "rights", account).out()).contains("yes");
        assertThat(kubectl.run("-n", "rights", "get", "secrets", account).err()).contains("secrets is forbidden: User"
                + " \"system:serviceaccount:rights:default\" cannot list resource \"secrets\" in API group \"\" in the"
                + " namespace \"rights\"");
        kubectl.run("-n", "rights", "create", "role", "roles", "--verb=create,get", "--resource=roles.rbac.authorization.k8s.io").ok();
        kubectl.run("-n", "rights", "create", "rolebinding", "roles", "--role=roles", "--serviceaccount=rights:default").ok();
        assertThat(kubectl.run("-n", "rights", "create", "role", "more", "--verb=get", "--resource=secrets", account).err())
                .contains("is attempting to grant RBAC permissions not currently held",
                        "{APIGroups:[\"\"], Resources:[\"secrets\"], Verbs:[\"get\"]}");
        String token = kubectl.run("-n", "rights", "create", "token", "default").ok().strip();
        RealClient bearer = RealClient.named("kubectl", "--server", lab.server.endpoints().getFirst().uri().toString(),
                "--insecure-skip-tls-verify", "--token", token, "--kubeconfig", "/dev/null");
        assertThat(bearer.run("auth", "whoami").ok()).contains("system:serviceaccount:rights:default",
                "system:serviceaccounts:rights");
    }

    @Test
    void a_namespace_stays_terminating_until_everything_in_it_has_gone() {
        kubectl.run("create", "namespace", "passing").ok();
        kubectl.feed("{apiVersion: v1, kind: ConfigMap, metadata: {name: kept, namespace: passing, finalizers: [example.com/hold]}}",
                "create", "-f", "-").ok();
        kubectl.run("delete", "namespace", "passing", "--wait=false").ok();
        assertThat(kubectl.run("get", "namespace", "passing").ok()).contains("Terminating");
        assertThat(kubectl.run("-n", "passing", "create", "configmap", "late").err())
                .contains("unable to create new content in namespace passing because it is being terminated");
        kubectl.run("wait", "namespace/passing", "--for=condition=NamespaceFinalizersRemaining", "--timeout=60s").ok();
        kubectl.run("-n", "passing", "patch", "configmap", "kept", "--type=json", "-p",
                "[{\"op\":\"remove\",\"path\":\"/metadata/finalizers\"}]").ok();
        kubectl.run("wait", "namespace/passing", "--for=delete", "--timeout=60s").ok();
        assertThat(kubectl.run("delete", "namespace", "kube-system").err()).contains("this namespace may not be deleted");
    }

    @Test
    void a_dry_run_changes_nothing_and_a_stale_version_is_refused() {
        assertThat(kubectl.run("-n", "demo", "create", "configmap", "dry", "--dry-run=server", "-o", "name").ok())
                .contains("configmap/dry");
        assertThat(kubectl.run("-n", "demo", "get", "configmap", "dry").err()).contains("not found");
        kubectl.run("-n", "demo", "create", "configmap", "old").ok();
        assertThat(kubectl.run("-n", "demo", "patch", "configmap", "old", "-p",
                "{\"metadata\":{\"resourceVersion\":\"1\"},\"data\":{\"a\":\"b\"}}").err())
                .contains("Operation cannot be fulfilled on configmaps \"old\": the object has been modified");
        kubectl.run("-n", "demo", "delete", "configmap", "old", "--cascade=foreground").ok();
        assertThat(kubectl.run("-n", "demo", "get", "configmap", "old").err()).contains("not found");
    }

    @Test
    void events_are_one_store_under_two_groups() {
        kubectl.feed("""
                {apiVersion: events.k8s.io/v1, kind: Event, metadata: {name: said, namespace: demo}, reason: Said, type: Normal,
                eventTime: "2026-01-01T00:00:00.000000Z", reportingController: test, reportingInstance: me, action: Say, note: hello,
                regarding: {kind: Pod, namespace: demo, name: speaker}}""", "create", "-f", "-").ok();
        assertThat(kubectl.run("-n", "demo", "get", "events", "--field-selector", "involvedObject.name=speaker").ok())
                .contains("Said", "pod/speaker", "hello");
        assertThat(kubectl.run("-n", "demo", "get", "events.events.k8s.io", "said", "-o", "jsonpath={.note}").ok())
                .isEqualTo("hello");
    }

    @Test
    void ports_are_forwarded_over_websockets_and_over_spdy() throws Exception {
        Undertow backend = Undertow.builder().addHttpListener(0, "127.0.0.1", exchange ->
                exchange.getResponseSender().send("at " + exchange.getRequestPath())).build();
        backend.start();
        try {
            URI uri = URI.create("http://127.0.0.1:" + ((InetSocketAddress) backend.getListenerInfo().getFirst()
                    .getAddress()).getPort());
            lab.sockets.models(name -> Optional.of(uri));
            assertThat(forwarded(kubectl)).isEqualTo("at /metrics");
            assertThat(forwarded(kubectl.with("KUBECTL_PORT_FORWARD_WEBSOCKETS", "false"))).isEqualTo("at /metrics");
        } finally {
            backend.stop();
        }
    }

    private static String forwarded(RealClient client) throws Exception {
        Path output = Files.createTempFile(dir, "forward", ".out");
        Process process = client.start(output, "-n", "llm", "port-forward", "service/ollama-a", ":11434");
        try (HttpClient http = HttpClient.newHttpClient()) {
            Pattern said = Pattern.compile("127\\.0\\.0\\.1:(\\d+)");
            await().until(() -> said.matcher(Files.readString(output)).find());
            Matcher port = said.matcher(Files.readString(output));
            assertThat(port.find()).isTrue();
            return http.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.group(1) + "/metrics"))
                    .timeout(Duration.ofSeconds(10)).build(), HttpResponse.BodyHandlers.ofString()).body();
        } finally {
            process.destroy();
        }
    }
}
