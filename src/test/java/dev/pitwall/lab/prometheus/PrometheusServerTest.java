package dev.pitwall.lab.prometheus;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.lab.net.LabHttp;
import dev.pitwall.lab.ssh.GarageWorld;
import dev.pitwall.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class PrometheusServerTest {
    private static final String NODE = "rke2-worker-dc1-gpu-a";

    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient client = HttpClient.newHttpClient();
    private World world;
    private LabHttp http;
    private PrometheusServer server;

    @BeforeEach
    void start() throws Exception {
        world = GarageWorld.fresh();
        http = new LabHttp();
        ClusterNames names = ClusterNames.of(world);
        server = new PrometheusServer(world, http, new DcgmExporters(world, http, names), names);
    }

    @AfterEach
    void stop() {
        server.close();
        http.close();
        client.close();
    }

    private HttpResponse<String> get(URI uri) throws Exception {
        return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> query(String query) throws Exception {
        return get(server.uri().resolve("/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8)));
    }

    private List<String> values(String query) throws Exception {
        List<String> values = new ArrayList<>();
        json.readTree(query(query).body()).path("data").path("result").forEach(r -> values.add(r.path("value").path(1).asText()));
        return values;
    }

    @Test
    void theExporterWritesTheSameSeriesAsTheRealOne() throws Exception {
        String real = new String(getClass().getResourceAsStream("/lab/dcgm-busy.prom").readAllBytes(),
                StandardCharsets.UTF_8);
        String ours = get(server.exporters().backend(NODE).orElseThrow().resolve("/metrics")).body();
        assertThat(shape(ours)).isEqualTo(shape(real));
        assertThat(get(server.exporters().backend(NODE).orElseThrow().resolve("/health")).statusCode()).isEqualTo(200);
    }

    /** Names, label names in order, comments; values left out. */
    private static String shape(String text) {
        return text.lines().map(l -> l.startsWith("#") ? l : l.replaceAll("=\"[^\"]*\"", "").replaceAll("} .*", "}"))
                .collect(Collectors.joining("\n"));
    }

    @Test
    void anAnswerHasTheFieldsAndLabelsOfARealOne() throws Exception {
        JsonNode real = json.readTree(getClass().getResourceAsStream("/lab/prometheus-query-sample.json"));
        JsonNode ours = json.readTree(query("DCGM_FI_DEV_GPU_UTIL{Hostname=\"" + NODE + "\"}").body());
        assertThat(ours.path("status")).isEqualTo(real.path("status"));
        assertThat(ours.at("/data/resultType")).isEqualTo(real.at("/data/resultType"));
        assertThat(names(ours.at("/data/result/0/metric"))).containsExactlyInAnyOrderElementsOf(
                names(real.at("/data/result/0/metric")));
        assertThat(ours.at("/data/result/0/value/0").isNumber()).isTrue();
        assertThat(ours.at("/data/result/0/value/1").isTextual()).isTrue();
    }

    private static List<String> names(JsonNode object) {
        return object.properties().stream().map(Map.Entry::getKey).toList();
    }

    @Test
    void aCardsMemoryAddsUp() throws Exception {
        assertThat(values("max by (UUID) (DCGM_FI_DEV_FB_USED + DCGM_FI_DEV_FB_FREE + DCGM_FI_DEV_FB_RESERVED)"))
                .containsExactly("8188", "8188", "8188");
        assertThat(values("count(up == 1)")).containsExactly("3");
    }

    @Test
    void thereIsAnHourOfPastAtTheStart() throws Exception {
        assertThat(Double.parseDouble(values("min(count_over_time(DCGM_FI_DEV_GPU_UTIL[1h]))").getFirst()))
                .isGreaterThan(235);
        assertThat(Double.parseDouble(values("max(max_over_time(DCGM_FI_DEV_GPU_UTIL[1h]))").getFirst()))
                .isBetween(1.0, 100.0);
        assertThat(Double.parseDouble(values("min(rate(DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION[30m])) / 1000").getFirst()))
                .isGreaterThanOrEqualTo(0);
    }

    @Test
    void aNodeThatGoesSilentIsDownAndItsSeriesEnd() throws Exception {
        world.clock().speed(200);
        world.change(w -> w.hosts.get("pve1").silent = true);
        await().until(() -> values("up{instance=~\".+\"} == 0").size() == 1
                && values("DCGM_FI_DEV_GPU_TEMP").size() == 2);
    }

    @Test
    void aLostCardHasItsXidAndNothingElse() throws Exception {
        world.clock().speed(500);
        world.change(w -> {
            w.cards.get("pve2/0000:01:00").lost = true;
            w.cards.get("pve2/0000:01:00").lastXid = 79;
        });
        await().until(() -> values("DCGM_FI_DEV_XID_ERRORS == 79").size() == 1
                && values("DCGM_FI_DEV_GPU_TEMP").size() == 2);
    }

    @Test
    void errorsAreInPrometheusForm() throws Exception {
        HttpResponse<String> bad = query("sum(up");
        assertThat(bad.statusCode()).isEqualTo(400);
        assertThat(bad.body()).isEqualTo("{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"invalid parameter "
                + "\\\"query\\\": 1:7: parse error: unexpected end of input, expected \\\")\\\"\"}");
        assertThat(query("histogram_quantile(0.9, up)").body()).contains("unknown function with name");
        assertThat(query("1 == 1").statusCode()).isEqualTo(422);
        String range = "/api/v1/query_range?query=up&start=0&end=100000&step=1";
        assertThat(get(server.uri().resolve(range)).body()).contains("exceeded maximum resolution of 11,000 points");
    }

    @Test
    void theOtherEndpointsAnswer() throws Exception {
        assertThat(get(server.uri().resolve("/api/v1/label/Hostname/values")).body()).contains(NODE);
        assertThat(get(server.uri().resolve("/api/v1/targets")).body()).contains("\"health\":\"up\"");
        assertThat(get(server.uri().resolve("/api/v1/series?match%5B%5D=up")).body()).contains("\"__name__\":\"up\"");
        assertThat(get(server.uri().resolve("/-/healthy")).body()).isEqualTo("Prometheus Server is Healthy.\n");
        assertThat(get(server.uri().resolve("/api/v1/nothing")).statusCode()).isEqualTo(404);
    }
}
