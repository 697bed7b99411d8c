package dev.pitwall.link.models;

import dev.pitwall.card.ServerReport;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.link.ScriptedServer;
import dev.pitwall.link.ScriptedServer.Reply;
import dev.pitwall.link.Troubles;
import dev.pitwall.link.http.HttpAddress;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.http.TestLimits;
import dev.pitwall.link.http.UrlProbe;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Service;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.Probe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.net.URI;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Finds out which model server answers, over a real socket. */
class ModelServerProbeTest {
    private ScriptedServer server;
    private Limits limits = TestLimits.PATIENT;
    private Probe<ServerReport> probe;

    @AfterEach
    void close() {
        if (probe != null) {
            probe.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private Probe<ServerReport> serve(Map<String, Reply> replies) {
        server = ScriptedServer.plain(request ->
                replies.getOrDefault(request.path(), Reply.of(404, "Not Found", "text/plain", "404 page not found")));
        return open(server.uri());
    }

    private Probe<ServerReport> open(URI uri) {
        return probe = new UrlProbe<>(new HttpAddress(Service.MODELS, "ollama-a", uri,
                limits, new NetworkTrouble(new Words())),
                http -> new ModelServerProbe("ollama-a", http));
    }

    @Test
    void ollamaIsReadWithWhatIsLoadedAndInstalled() throws Exception {
        ServerReport report = serve(Map.of(
                "/api/version", Reply.json("{\"version\":\"0.32.15\"}"),
                "/api/ps", Reply.json("""
                        {"models":[{"name":"qwen3:8b","model":"qwen3:8b","size":6000000000,"size_vram":5900000000,
                        "expires_at":"2318-06-01T00:00:00Z","context_length":4096,"details":{}}]}"""),
                "/api/tags", Reply.json("""
                        {"models":[{"name":"qwen3:8b","size":5200000000,"modified_at":"2026-01-01T00:00:00Z",
                        "details":{"quantization_level":"Q4_K_M"}}]}"""))).read();
        assertThat(report.software()).isEqualTo("ollama");
        assertThat(report.version()).contains("0.32.15");
        assertThat(report.loaded().getFirst().vramBytes()).hasValue(5_900_000_000L);
        assertThat(report.loaded().getFirst().contextTokens()).hasValue(4096);
        assertThat(report.installed().getFirst().quantization()).contains("Q4_K_M");
    }

    @Test
    void anOllamaWithNothingLoadedIsFine() throws Exception {
        ServerReport report = serve(Map.of("/api/version", Reply.json("{\"version\":\"0.9.0\"}"),
                "/api/ps", Reply.json("{\"models\":[]}"), "/api/tags", Reply.json("{\"models\":[]}"))).read();
        assertThat(report.loaded()).isEmpty();
        assertThat(report.installed()).isEmpty();
    }

    @Test
    void aRouterTellsWhichModelsAreLoaded() throws Exception {
        ServerReport report = serve(Map.of(
                "/props", Reply.json("{\"role\":\"router\",\"max_instances\":4,\"models_autoload\":true,\"build_info\":\"b10488-00dd0816\"}"),
                "/models", Reply.json("""
                        {"object":"list","data":[{"id":"a","object":"model","status":{"value":"loaded"}},
                        {"id":"b","object":"model","status":{"value":"unloaded"}}]}"""))).read();
        assertThat(report.software()).isEqualTo("llama-server");
        assertThat(report.loaded()).extracting(ServerReport.LoadedModel::name).containsExactly("a");
        assertThat(report.loaded().getFirst().vramBytes()).isEmpty();
        assertThat(report.installed()).extracting(ServerReport.InstalledModel::name).containsExactly("a", "b");
    }

    @Test
    void aServerOfOneModelHasItLoaded() throws Exception {
        ServerReport report = serve(Map.of(
                "/props", Reply.json("""
                        {"default_generation_settings":{"n_ctx":4096},"total_slots":1,"model_path":"/m/a.gguf","build_info":"b1"}"""),
                "/v1/models", Reply.json("""
                        {"object":"list","data":[{"id":"a.gguf","object":"model","owned_by":"llamacpp",
                        "meta":{"n_ctx_train":131072,"size":4900000000,"n_params":8000000000}}]}"""))).read();
        assertThat(report.loaded()).extracting(ServerReport.LoadedModel::name).containsExactly("a.gguf");
    }

    @Test
    void aLlamaServerThatLoadsIsToldToWaitFor() {
        Trouble trouble = Troubles.of(serve(Map.of("/props", Reply.of(503, "Service Unavailable", "application/json",
                "{\"error\":{\"code\":503,\"message\":\"Loading model\",\"type\":\"unavailable_error\"}}")))::read);
        assertThat(trouble.kind()).isEqualTo(Kind.REMOTE);
        assertThat(trouble.what()).contains("still loading");
    }

    @Test
    void anotherServiceIsRecognised() {
        assertThat(Troubles.of(serve(Map.of())::read).kind()).isEqualTo(Kind.PROTOCOL);
        Reply page = Reply.html("<html>Open WebUI</html>");
        assertThat(Troubles.of(serve(Map.of("/api/version", page, "/props", page))::read).kind()).isEqualTo(Kind.PROTOCOL);
    }

    @Test
    void aKeyThatIsWantedIsSaid() {
        assertThat(Troubles.of(serve(Map.of("/props", Reply.of(401, "Unauthorized", "application/json", "{}")))::read)
                .kind()).isEqualTo(Kind.CREDENTIALS);
    }

    @Test
    void aServerThatStallsEndsAtTheTimeLimit() {
        limits = TestLimits.BRIEF;
        assertThat(Troubles.of(serve(Map.of("/api/version", Reply.stalling()))::read).kind()).isEqualTo(Kind.TIMEOUT);
    }

    @Test
    void aClosedPortSaysWhatToCheck() {
        Trouble trouble = Troubles.of(open(URI.create("http://127.0.0.1:" + ScriptedServer.closedPort()))::read);
        assertThat(trouble.kind()).isEqualTo(Kind.CONNECT);
        assertThat(trouble.next()).contains("OLLAMA_HOST");
    }
}
