package dev.pitwall.lab.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.SearchResult;
import dev.pitwall.lab.net.LabHttp;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Clock;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HelmRepositoryTest {
    private static LabHttp http;
    private static HelmRepository repository;
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    static void start() {
        http = new LabHttp();
        repository = new HelmRepository(http, Clock.systemUTC(), Charts.load());
    }

    @AfterAll
    static void stop() {
        repository.close();
        http.close();
    }

    @Test
    void indexNamesEveryArchiveWithItsDigest() throws Exception {
        JsonNode index = new YAMLMapper().readTree(get("/index.yaml", "GET").body());
        assertThat(index.path("entries").path("gpu-operator")).hasSize(5);
        for (JsonNode versions : index.path("entries")) {
            for (JsonNode entry : versions) {
                HttpResponse<byte[]> archive = get("/" + entry.at("/urls/0").asText(), "GET");
                assertThat(archive.statusCode()).isEqualTo(200);
                assertThat(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(archive.body())))
                        .isEqualTo(entry.path("digest").asText());
            }
        }
    }

    @Test
    void anythingElseIsNotThere() throws Exception {
        assertThat(get("/index.yml", "GET").statusCode()).isEqualTo(404);
        assertThat(get("/../index.yaml", "GET").statusCode()).isEqualTo(404);
        HttpResponse<byte[]> refused = get("/index.yaml", "PUT");
        assertThat(refused.statusCode()).isEqualTo(405);
        assertThat(refused.headers().firstValue("Allow")).contains("GET, HEAD");
    }

    @Test
    void realHelmAddsItAndFindsAndRendersItsCharts(@TempDir Path dir) {
        RealHelm.require();
        Path config = dir.resolve("repositories.yaml");
        Helm.repo().add().withRepositoryConfig(config).withName("lab").withUrl(repository.uri()).call();
        assertThat(Helm.search().repo().withRepositoryConfig(config).withKeyword("gpu-operator").call())
                .extracting(SearchResult::getChartVersion).contains("v26.7.0");
        assertThat(Helm.template("lab/gpu-operator").withRepositoryConfig(config).withVersion("v25.10.1")
                .withName("gpu-operator").withNamespace("gpu-operator").call())
                .contains("helm.sh/chart: gpu-operator-v25.10.1").contains("version: \"580.105.08\"");
        assertThat(Helm.template("lab/ollama").withRepositoryConfig(config).withName("o").call())
                .contains("image: \"ollama/ollama:0.32.15\"");
    }

    private HttpResponse<byte[]> get(String path, String method) throws Exception {
        return client.send(HttpRequest.newBuilder(URI.create(repository.uri() + path))
                .method(method, HttpRequest.BodyPublishers.noBody()).build(), HttpResponse.BodyHandlers.ofByteArray());
    }
}
