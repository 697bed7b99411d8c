package dev.pitwall.lab.kube;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.reflect.TypeToken;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.apis.VersionApi;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.Watch;
import io.undertow.Undertow;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.Reader;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

class KubeServerTest {
    private static final int WINDOW = 64;

    @TempDir
    static Path dir;
    private static KubeLab lab;
    private static ApiClient admin;

    @BeforeAll
    static void start() throws Exception {
        lab = KubeLab.garage(dir, WINDOW);
        admin = client("garage");
    }

    @AfterAll
    static void stop() {
        lab.close();
    }

    @Test
    void the_client_certificate_and_the_token_both_open_the_cluster() throws Exception {
        for (String context : List.of("garage", "garage-token")) {
            assertThat(new CoreV1Api(client(context)).listNode().execute().getItems()).hasSize(21);
            assertThat(new VersionApi(client(context)).getCode().execute().getGitVersion())
                    .isEqualTo("v1.33.5+rke2r1");
        }
    }

    @Test
    void a_connection_stays_after_the_second_openapi_document() throws Exception {
        okhttp3.OkHttpClient once = admin.getHttpClient().newBuilder().retryOnConnectionFailure(false)
                .connectionPool(new okhttp3.ConnectionPool()).build();
        for (int i = 0; i < 20; i++) {
            for (String path : List.of("/openapi/v2", "/version")) {
                try (okhttp3.Response answer = once.newCall(new okhttp3.Request.Builder()
                        .url(admin.getBasePath() + path).build()).execute()) {
                    assertThat(answer.code()).isEqualTo(200);
                    answer.body().string();
                }
            }
        }
        assertThat(once.connectionPool().connectionCount()).isEqualTo(1);
        once.connectionPool().evictAll();
    }

    @Test
    void the_root_lists_every_path_that_leads_on() throws Exception {
        try (okhttp3.Response answer = admin.getHttpClient().newCall(new okhttp3.Request.Builder()
                .url(admin.getBasePath() + "/").build()).execute()) {
            assertThat(answer.body().string()).contains("\"/api/v1\"", "\"/apis/nvidia.com/v1\"", "\"/readyz\"");
        }
    }

    @Test
    void a_node_has_what_joins_it_to_its_vm_and_its_card() throws Exception {
        V1Node node = new CoreV1Api(admin).readNode("rke2-worker-dc1-gpu-a").execute();
        assertThat(node.getStatus().getNodeInfo().getSystemUUID()).isEqualTo("ad845e23-5cd6-56b8-b1a7-307f7a7e6af3");
        assertThat(node.getStatus().getAllocatable().get("nvidia.com/gpu").getNumber()).isEqualByComparingTo("1");
        assertThat(node.getMetadata().getLabels()).containsEntry("nvidia.com/gpu.product", "NVIDIA-RTX-A1000")
                .containsEntry("feature.node.kubernetes.io/pci-10de.present", "true");
    }

    @Test
    void pages_of_a_list_are_of_one_moment_although_pods_come_and_go() throws Exception {
        CoreV1Api api = new CoreV1Api(admin);
        Set<String> paged = new HashSet<>();
        V1PodList page = api.listPodForAllNamespaces().limit(50).execute();
        String revision = page.getMetadata().getResourceVersion();
        assertThat(page.getMetadata().getRemainingItemCount()).isPositive();
        while (true) {
            page.getItems().forEach(pod -> paged.add(pod.getMetadata().getNamespace() + "/"
                    + pod.getMetadata().getName()));
            String next = page.getMetadata().getContinue();
            if (next == null || next.isEmpty()) {
                break;
            }
            page = api.listPodForAllNamespaces().limit(50)._continue(next).execute();
            assertThat(page.getMetadata().getResourceVersion()).isEqualTo(revision);
        }
        V1PodList whole = api.listPodForAllNamespaces().resourceVersion(revision).resourceVersionMatch("Exact")
                .execute();
        assertThat(paged).hasSameSizeAs(whole.getItems());
    }

    @Test
    void selectors_choose_by_label_and_by_field() throws Exception {
        CoreV1Api api = new CoreV1Api(admin);
        assertThat(api.listNamespacedPod("gpu-operator").labelSelector("app in (nvidia-dcgm-exporter,none),!tier")
                .execute().getItems()).hasSize(3);
        assertThat(api.listPodForAllNamespaces()
                .fieldSelector("spec.nodeName=rke2-worker-dc1-gpu-a,status.phase!=Succeeded").execute().getItems())
                .isNotEmpty().allSatisfy(pod ->
                        assertThat(pod.getSpec().getNodeName()).isEqualTo("rke2-worker-dc1-gpu-a"));
        assertThat(failure(() -> api.listPodForAllNamespaces().fieldSelector("spec.colour=red").execute()))
                .satisfies(e -> status(e, 400, "BadRequest", "field label not supported: spec.colour"));
    }

    @Test
    void failures_are_statuses_with_kubernetes_reasons_and_words() throws Exception {
        CoreV1Api api = new CoreV1Api(admin);
        status(failure(() -> api.readNamespacedPod("nobody", "llm").execute()), 404, "NotFound",
                "pods \"nobody\" not found");
        status(failure(() -> new AppsV1Api(admin).readNamespacedDaemonSet("nobody", "llm").execute()), 404,
                "NotFound", "daemonsets.apps \"nobody\" not found");
        ApiClient viewer = client("garage-viewer");
        status(failure(() -> new CoreV1Api(viewer).listSecretForAllNamespaces().execute()), 403,
                "Forbidden", "secrets is forbidden: User \"viewer\" cannot list resource \"secrets\" in API group"
                        + " \"\" at the cluster scope");
        ApiClient stranger = client("garage-viewer");
        stranger.setApiKeyPrefix("Bearer");
        stranger.setApiKey("wrong");
        status(failure(() -> new CoreV1Api(stranger).listNode().execute()), 401, "Unauthorized", "Unauthorized");
        status(failure(() -> new CustomObjectsApi(admin).listClusterCustomObject("example.com", "v1", "things")
                .execute()), 404, "NotFound", "the server could not find the requested resource");
        assertThat(get("garage", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", "application/json"))
                .contains("\"code\":405", "the server does not allow this method on the requested resource");
    }

    @Test
    void a_watch_brings_what_is_there_and_then_every_change() throws Exception {
        ApiClient client = client("garage");
        CoreV1Api api = new CoreV1Api(client);
        List<String> seen = new ArrayList<>();
        try (Watch<V1ConfigMap> watch = Watch.createWatch(client, api.listNamespacedConfigMap("web").watch(true)
                .resourceVersion("0").labelSelector("kind!=other").buildCall(null),
                new TypeToken<Watch.Response<V1ConfigMap>>() { }.getType())) {
            assertThat(watch.next().type).isEqualTo("ADDED");
            V1ConfigMap made = api.createNamespacedConfigMap("web", configMap("watched", "1")).execute();
            api.replaceNamespacedConfigMap("watched", "web", configMap("watched", "2")).execute();
            api.deleteNamespacedConfigMap("watched", "web").execute();
            for (int i = 0; i < 3; i++) {
                Watch.Response<V1ConfigMap> event = watch.next();
                assertThat(event.object.getMetadata().getUid()).isEqualTo(made.getMetadata().getUid());
                seen.add(event.type);
            }
        }
        assertThat(seen).containsExactly("ADDED", "MODIFIED", "DELETED");
    }

    @Test
    void a_watch_or_continued_list_from_before_the_window_is_gone() throws Exception {
        CoreV1Api api = new CoreV1Api(admin);
        var page = api.listConfigMapForAllNamespaces().limit(2).execute();
        overflow();
        ApiClient client = client("garage");
        try (Watch<V1ConfigMap> watch = Watch.createWatch(client, new CoreV1Api(client).listConfigMapForAllNamespaces()
                .watch(true).resourceVersion(page.getMetadata().getResourceVersion()).buildCall(null),
                new TypeToken<Watch.Response<V1ConfigMap>>() { }.getType())) {
            Watch.Response<V1ConfigMap> event = watch.next();
            assertThat(event.type).isEqualTo("ERROR");
            assertThat(event.status.getCode()).isEqualTo(410);
            assertThat(event.status.getReason()).isEqualTo("Expired");
        }
        assertThat(failure(() -> api.listConfigMapForAllNamespaces().limit(2)
                ._continue(page.getMetadata().getContinue()).execute()).getCode()).isEqualTo(410);
    }

    @Test
    void a_client_that_hangs_up_leaves_no_watch_behind() throws Exception {
        int before = lab.server.openWatches();
        ApiClient client = client("garage");
        Watch<V1Node> watch = Watch.createWatch(client, new CoreV1Api(client).listNode().watch(true).buildCall(null),
                new TypeToken<Watch.Response<V1Node>>() { }.getType());
        assertThat(watch.next().type).isEqualTo("ADDED");
        assertThat(lab.server.openWatches()).isEqualTo(before + 1);
        watch.close();
        client.getHttpClient().connectionPool().evictAll();
        lab.server.store().put(new ObjectKey(Resource.NODES, "", "passing"), Json.object());
        lab.server.store().purge(new ObjectKey(Resource.NODES, "", "passing"));
        await().untilAsserted(() ->
                assertThat(lab.server.openWatches()).isEqualTo(before));
    }

    @Test
    void initial_events_end_with_a_bookmark_where_that_is_asked_for() throws Exception {
        String body = get("garage", "/api/v1/namespaces?watch=true&sendInitialEvents=true&allowWatchBookmarks=true"
                + "&resourceVersionMatch=NotOlderThan&timeoutSeconds=1", "application/json");
        List<JsonObject> events = body.lines().map(line -> JsonParser.parseString(line).getAsJsonObject()).toList();
        JsonObject last = events.getLast();
        assertThat(last.get("type").getAsString()).isEqualTo("BOOKMARK");
        assertThat(last.toString()).contains("\"k8s.io/initial-events-end\":\"true\"");
    }

    @Test
    void tables_have_the_columns_that_kubectl_prints() throws Exception {
        JsonObject table = JsonParser.parseString(get("garage", "/api/v1/namespaces/gpu-operator/pods?labelSelector="
                + "app%3Dnvidia-cuda-validator", "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"))
                .getAsJsonObject();
        assertThat(table.get("kind").getAsString()).isEqualTo("Table");
        assertThat(table.getAsJsonArray("columnDefinitions").get(2).getAsJsonObject().get("name").getAsString())
                .isEqualTo("Status");
        assertThat(table.getAsJsonArray("rows")).hasSize(3);
        assertThat(table.getAsJsonArray("rows").get(0).getAsJsonObject().getAsJsonArray("cells").get(2).getAsString())
                .isEqualTo("Completed");
    }

    @Test
    void a_deleted_daemon_pod_is_followed_by_another() throws Exception {
        CoreV1Api api = new CoreV1Api(admin);
        V1Pod old = plugin(api);
        api.deleteNamespacedPod(old.getMetadata().getName(), "gpu-operator").gracePeriodSeconds(1).execute();
        await().ignoreExceptions().untilAsserted(() -> {
            V1Pod now = plugin(api);
            assertThat(now.getMetadata().getName()).isNotEqualTo(old.getMetadata().getName());
            assertThat(now.getStatus().getPhase()).isEqualTo("Running");
        });
    }

    @Test
    void services_and_pods_are_reached_through_the_api_server() throws Exception {
        Undertow backend = Undertow.builder().addHttpListener(0, "127.0.0.1", exchange -> exchange.getResponseSender()
                .send(exchange.getRequestPath() + "?" + exchange.getQueryString())).build();
        backend.start();
        try {
            URI uri = URI.create("http://127.0.0.1:" + ((InetSocketAddress) backend.getListenerInfo().getFirst()
                    .getAddress()).getPort());
            lab.sockets.models(name -> Optional.of(uri).filter(any -> name.equals("ollama-a")));
            lab.sockets.exporters(node -> Optional.of(uri.resolve("/" + node)));
            assertThat(get("garage", "/api/v1/namespaces/llm/services/http:ollama-a:11434/proxy/api/tags?a=b%20c",
                    "*/*")).isEqualTo("/api/tags?a=b%20c");
            V1Pod pod = new CoreV1Api(admin).listNamespacedPod("gpu-operator")
                    .labelSelector("app=nvidia-dcgm-exporter").execute().getItems().getFirst();
            assertThat(get("garage", "/api/v1/namespaces/gpu-operator/pods/" + pod.getMetadata().getName()
                    + ":9400/proxy/metrics", "*/*"))
                    .isEqualTo("/" + pod.getSpec().getNodeName() + "/metrics?");
        } finally {
            backend.stop();
        }
        assertThat(get("garage", "/api/v1/namespaces/llm/services/ollama-b:11434/proxy/", "*/*"))
                .contains("no endpoints available for service \\\"ollama-b\\\"", "\"code\":503");
    }

    @Test
    void the_logs_of_a_proof_say_that_it_passed() throws Exception {
        CoreV1Api api = new CoreV1Api(admin);
        String pod = api.listNamespacedPod("gpu-operator").labelSelector("app=nvidia-cuda-validator").execute()
                .getItems().getFirst().getMetadata().getName();
        assertThat(api.readNamespacedPodLog(pod, "gpu-operator").container("cuda-validation").execute())
                .contains("Test PASSED");
        assertThat(get("garage", "/api/v1/namespaces/gpu-operator/pods/" + plugin(api).getMetadata().getName()
                + "/log?container=nothing", "*/*")).contains("container nothing is not valid for pod");
    }

    private static V1Pod plugin(CoreV1Api api) throws ApiException {
        return api.listNamespacedPod("gpu-operator").labelSelector("app=nvidia-device-plugin-daemonset")
                .fieldSelector("spec.nodeName=rke2-worker-dc3-gpu-a").execute().getItems().getFirst();
    }

    /** More changes than the window holds. */
    private static void overflow() {
        ObjectKey key = new ObjectKey(Resource.CONFIG_MAPS, "web", "noise");
        for (int i = 0; i < WINDOW * 2; i++) {
            var body = Json.object();
            body.putObject("data").put("n", Integer.toString(i));
            lab.server.store().put(key, body);
        }
    }

    private static V1ConfigMap configMap(String name, String value) {
        return new V1ConfigMap().metadata(new V1ObjectMeta().name(name)).putDataItem("value", value);
    }

    private static ApiClient client(String context) throws IOException {
        try (Reader reader = Files.newBufferedReader(lab.kubeconfig)) {
            KubeConfig config = KubeConfig.loadKubeConfig(reader);
            config.setContext(context);
            return ClientBuilder.kubeconfig(config).build().setReadTimeout(20_000);
        }
    }

    private static String get(String context, String path, String accept) throws IOException {
        ApiClient client = client(context);
        Request request = new Request.Builder().url(client.getBasePath() + path).header("Accept", accept).build();
        try (Response response = client.getHttpClient().newCall(request).execute()) {
            return response.body().string();
        }
    }

    private static void send(String context, String method, String path, String type, String body)
            throws IOException {
        ApiClient client = client(context);
        Request request = new Request.Builder().url(client.getBasePath() + path).method(method,
                RequestBody.create(body, MediaType.get(type))).build();
        try (Response response = client.getHttpClient().newCall(request).execute()) {
            assertThat(response.code()).isEqualTo(200);
        }
    }

    private interface ApiCall {
        Object run() throws ApiException;
    }

    private static ApiException failure(ApiCall call) {
        return catchThrowableOfType(ApiException.class, call::run);
    }

    private static void status(ApiException e, int code, String reason, String message) {
        JsonObject status = JsonParser.parseString(e.getResponseBody()).getAsJsonObject();
        assertThat(e.getCode()).isEqualTo(code);
        assertThat(status.get("kind").getAsString()).isEqualTo("Status");
        assertThat(status.get("code").getAsInt()).isEqualTo(code);
        assertThat(status.get("reason").getAsString()).isEqualTo(reason);
        assertThat(status.get("message").getAsString()).isEqualTo(message);
    }
}
