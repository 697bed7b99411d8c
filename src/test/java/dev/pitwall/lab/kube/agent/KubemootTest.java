package dev.pitwall.lab.kube.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.models.ModelServers;
import dev.pitwall.lab.net.LabHttp;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KubemootTest {
    private AgentLab lab;
    private Kubemoot kubemoot;
    private LabHttp http;
    private ModelServers servers;
    private ModelCalls calls;

    @BeforeEach
    void start() throws Exception {
        lab = new AgentLab("talos");
        http = new LabHttp();
        servers = new ModelServers(lab.world, http);
        calls = new ModelCalls(servers::backend);
        kubemoot = new Kubemoot(lab.world, lab.hand, lab.pods, lab.clock, calls);
        lab.with(kubemoot);
        lab.readyPod("kubemoot", "kubemoot-operator-1", "{app.kubernetes.io/name: kubemoot-operator}");
        provider("ollama-4090", "http://ollama-4090.ollama:11434");
    }

    @AfterEach
    void stop() {
        calls.close();
        servers.close();
        http.close();
    }

    private void provider(String name, String endpoint) {
        lab.create(Kubemoot.PROVIDERS, "kubemoot", name, "{spec: {type: ollama, endpoint: '" + endpoint + "'}}");
    }

    private void model(String name, String provider, String model) {
        lab.create(Kubemoot.MODELS, "kubemoot", name, "{spec: {providerRef: " + provider + ", model: '" + model + "'}}");
    }

    private void scheduler() {
        lab.create(Kubemoot.CONFIGS, "", "default", "{spec: {defaults: {scheduler: {enabled: true}}}}");
    }

    private JsonNode status(Resource resource, String name) {
        return lab.get(resource, resource.equals(Kubemoot.CONFIGS) ? "" : "kubemoot", name).path("status");
    }

    @Test
    void providerThatAnswersIsReadyAndItsCapacityIsKnownOnlyWithTheScheduler() {
        lab.live(1);
        assertThat(status(Kubemoot.PROVIDERS, "ollama-4090").path("phase").asText()).isEqualTo("Ready");
        assertThat(status(Kubemoot.PROVIDERS, "ollama-4090").has("capacity")).isFalse();
        scheduler();
        lab.live(1);
        JsonNode capacity = status(Kubemoot.PROVIDERS, "ollama-4090").path("capacity");
        assertThat(capacity.path("nodeName").asText()).isEqualTo("talos-gpu-4090");
        assertThat(capacity.path("vramTotalMiB").asLong()).isGreaterThan(20_000);
        assertThat(capacity.path("availableModels")).hasSize(4);
        assertThat(capacity.path("loadedModels").findValuesAsText("name")).contains("qwen3:14b");
        assertThat(status(Kubemoot.CONFIGS, "default").path("ready").asBoolean()).isTrue();
    }

    @Test
    void providerThatDoesNotAnswerHasFailed() {
        provider("gone", "http://gone.ollama:11434");
        lab.live(1);
        assertThat(status(Kubemoot.PROVIDERS, "gone").path("phase").asText()).isEqualTo("Failed");
        assertThat(status(Kubemoot.PROVIDERS, "gone").path("message").asText()).contains("no such host");
    }

    @Test
    void modelFollowsWhatIsOnItsProvider() {
        model("a", "ollama-4090", "qwen3:14b");
        model("b", "ollama-4090", "mistral:7b");
        model("c", "nobody", "mistral:7b");
        lab.live(1);
        assertThat(status(Kubemoot.MODELS, "a").path("state").asText()).isEqualTo("Loaded");
        assertThat(status(Kubemoot.MODELS, "b").path("state").asText()).isEqualTo("Available");
        assertThat(status(Kubemoot.MODELS, "b").at("/modelInfo/family").asText()).isEqualTo("llama");
        assertThat(status(Kubemoot.MODELS, "c").path("state").asText()).isEqualTo("Error");
        assertThat(lab.get(Kubemoot.MODELS, "kubemoot", "a").at("/metadata/finalizers/0").asText())
                .isEqualTo("kubemoot.ai/model-finalizer");
    }

    @Test
    void deletedModelTakesItsWeightsWithIt() {
        model("b", "ollama-4090", "mistral:7b");
        lab.live(1);
        ObjectKey key = new ObjectKey(Kubemoot.MODELS, "kubemoot", "b");
        lab.hand.delete(key, 0);
        assertThat(lab.store.find(key)).isPresent();
        await().until(() -> {
            lab.pods.act(AgentLab.NOW);
            kubemoot.act(AgentLab.NOW.plusSeconds(3600));
            return lab.store.find(key).isEmpty();
        });
        boolean there = lab.world.read(w -> w.servers.get("ollama-4090").installed.stream()
                .anyMatch(model -> model.name().equals("mistral:7b")));
        assertThat(there).isFalse();
    }
}
