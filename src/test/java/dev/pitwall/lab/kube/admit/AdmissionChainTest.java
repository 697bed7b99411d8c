package dev.pitwall.lab.kube.admit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.admit.Admission.Operation;
import dev.pitwall.lab.kube.admit.Admission.Request;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class AdmissionChainTest {
    private static final String POD = """
            {"metadata":{"name":"web","namespace":"demo"},"spec":{"containers":[{"name":"c","image":"i","resources":
            {"requests":{"cpu":"1","nvidia.com/gpu":"1"},"limits":{"cpu":"2","nvidia.com/gpu":"1"}}}]}}""";

    private final ObjectStore store = new ObjectStore(InstantSource.system(), (resource, object) -> Map.of(), 64);
    private final AdmissionChain chain = new AdmissionChain(store, List.of());

    @BeforeEach
    void namespace() throws IOException {
        put(Resource.NAMESPACES, "", "demo", "{\"status\":{\"phase\":\"Active\"}}");
        put(Resource.SERVICE_ACCOUNTS, "demo", "default", "{}");
    }

    @Test
    void a_pod_gets_an_account_its_token_a_priority_and_tolerations() throws IOException {
        ObjectNode pod = admitted(POD);
        assertThat(pod.at("/spec/serviceAccountName").asText()).isEqualTo("default");
        assertThat(pod.at("/spec/volumes/0/projected/sources")).hasSize(3);
        assertThat(pod.at("/spec/containers/0/volumeMounts/0/mountPath").asText())
                .isEqualTo("/var/run/secrets/kubernetes.io/serviceaccount");
        assertThat(pod.at("/spec/priority").asInt(-1)).isZero();
        assertThat(pod.at("/spec/tolerations")).hasSize(2);
    }

    @Test
    void what_a_policy_has_taken_out_is_filled_in_again() throws IOException {
        AdmissionChain changed = new AdmissionChain(store, List.of(request -> request.object()
                .withObjectProperty("spec").putArray("tolerations").addObject().put("key", "nvidia.com/gpu")));
        ObjectNode pod = json(POD);
        changed.admit(request("demo", pod));
        assertThat(pod.at("/spec/tolerations")).extracting(toleration -> toleration.path("key").asText())
                .containsExactly("nvidia.com/gpu", "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");
    }

    @Test
    void nothing_is_created_where_there_is_no_namespace_or_it_is_going() throws IOException {
        assertThatThrownBy(() -> chain.admit(request("nowhere", json(POD)))).isInstanceOfSatisfying(
                AdmissionRefusal.class, refusal -> assertThat(refusal.code()).isEqualTo(404))
                .hasMessage("namespaces \"nowhere\" not found");
        put(Resource.NAMESPACES, "", "demo", "{\"status\":{\"phase\":\"Terminating\"}}");
        refused(POD, "pods \"web\" is forbidden: unable to create new content in namespace demo because it is being terminated");
    }

    @Test
    void a_quota_counts_what_is_there_and_says_what_is_over() throws IOException {
        put(Resource.QUOTAS, "demo", "cards", "{\"spec\":{\"hard\":{\"requests.nvidia.com/gpu\":\"2\"}}}");
        for (String name : List.of("a", "b")) {
            put(Resource.PODS, "demo", name, POD);
        }
        put(Resource.PODS, "demo", "over", POD.replace("\"spec\"", "\"status\":{\"phase\":\"Failed\"},\"spec\""));
        refused(POD, "pods \"web\" is forbidden: exceeded quota: cards, requested: requests.nvidia.com/gpu=1, used:"
                + " requests.nvidia.com/gpu=2, limited: requests.nvidia.com/gpu=2");
        store.purge(new ObjectKey(Resource.PODS, "demo", "a"));
        admitted(POD);
        assertThat(store.get(new ObjectKey(Resource.QUOTAS, "demo", "cards")).tree().at("/status/used")
                .path("requests.nvidia.com/gpu").asText()).isEqualTo("2");
    }

    @Test
    void a_quota_on_memory_wants_every_container_to_say_what_it_takes() throws IOException {
        put(Resource.QUOTAS, "demo", "memory", "{\"spec\":{\"hard\":{\"limits.memory\":\"1Gi\"}}}");
        refused(POD, "pods \"web\" is forbidden: failed quota: memory: must specify limits.memory for: c");
    }

    @Test
    void a_limit_range_fills_in_and_refuses() throws IOException {
        put(Resource.LIMIT_RANGES, "demo", "floor", """
                {"spec":{"limits":[{"type":"Container","min":{"memory":"16Mi"},"max":{"cpu":"1"},
                "default":{"memory":"100Mi"},"defaultRequest":{"memory":"10Mi"}}]}}""");
        refused(POD, "pods \"web\" is forbidden: [minimum memory usage per Container is 16Mi, but request is 10Mi,"
                + " maximum cpu usage per Container is 1, but limit is 2]");
    }

    @Test
    void pod_security_names_every_fault_in_its_own_words() throws IOException {
        put(Resource.NAMESPACES, "", "demo", """
                {"metadata":{"labels":{"pod-security.kubernetes.io/enforce":"baseline",
                "pod-security.kubernetes.io/warn":"restricted"}}}""");
        admitted(POD);
        assertThat(chain.warnings(request("demo", json(POD)))).containsExactly("would violate PodSecurity"
                + " \"restricted:latest\": allowPrivilegeEscalation != false (container \"c\" must set"
                + " securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container \"c\" must set"
                + " securityContext.capabilities.drop=[\"ALL\"]), runAsNonRoot != true (pod or container \"c\" must set"
                + " securityContext.runAsNonRoot=true), seccompProfile (pod or container \"c\" must set"
                + " securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\")");
        refused(POD.replace("\"containers\"", "\"hostPID\":true,\"volumes\":[{\"name\":\"root\",\"hostPath\":{}}],\"containers\"")
                        .replace("\"image\":\"i\"", "\"image\":\"i\",\"securityContext\":{\"privileged\":true}"),
                "pods \"web\" is forbidden: violates PodSecurity \"baseline:latest\": host namespaces (hostPID=true),"
                        + " hostPath volumes (volume \"root\"), privileged (container \"c\" must not set"
                        + " securityContext.privileged=true)");
    }

    @Test
    void unknown_classes_are_refused() {
        refused(POD.replace("\"containers\"", "\"runtimeClassName\":\"nvidia\",\"containers\""),
                "pods \"web\" is forbidden: pod rejected: RuntimeClass \"nvidia\" not found");
        refused(POD.replace("\"containers\"", "\"priorityClassName\":\"high\",\"containers\""),
                "pods \"web\" is forbidden: no PriorityClass with name high was found");
        refused(POD.replace("\"containers\"", "\"serviceAccountName\":\"bot\",\"containers\""),
                "pods \"web\" is forbidden: error looking up service account demo/bot: serviceaccount \"bot\" not found");
    }

    private ObjectNode admitted(String pod) throws IOException {
        ObjectNode object = json(pod);
        chain.admit(request("demo", object));
        return object;
    }

    private void refused(String pod, String message) {
        assertThatThrownBy(() -> admitted(pod)).isInstanceOf(AdmissionRefusal.class).hasMessage(message);
    }

    private static Request request(String namespace, ObjectNode object) {
        return new Request(Resource.PODS, Operation.CREATE, namespace, "web", "", object, Optional.empty(), "anna");
    }

    private void put(Resource resource, String namespace, String name, String body) throws IOException {
        store.put(new ObjectKey(resource, namespace, name), json(body));
    }

    private static ObjectNode json(String text) throws IOException {
        return (ObjectNode) Json.parse(text.getBytes(StandardCharsets.UTF_8));
    }
}
