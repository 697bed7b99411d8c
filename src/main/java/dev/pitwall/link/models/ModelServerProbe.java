package dev.pitwall.link.models;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.ServerReport;
import dev.pitwall.card.ServerReport.InstalledModel;
import dev.pitwall.card.ServerReport.LoadedModel;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.http.HttpAnswer;
import dev.pitwall.link.http.HttpReader;
import dev.pitwall.link.trust.Words;
import dev.pitwall.read.LlamaServerAnswer;
import dev.pitwall.read.LlamaServerReader;
import dev.pitwall.read.OllamaAnswer;
import dev.pitwall.read.OllamaReader;
import dev.pitwall.site.Probe;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads one model server and finds out by itself which it is: Ollama answers {@code /api/version}, llama-server
 * {@code /props}.
 */
public final class ModelServerProbe implements Probe<ServerReport> {
    private static final String OLLAMA = "ollama";
    private static final String LLAMA_SERVER = "llama-server";

    private final String name;
    private final HttpReader http;
    private final Words words;
    private final OllamaReader ollama = new OllamaReader();
    private final LlamaServerReader llama = new LlamaServerReader();

    /**
     * @param name in the site
     * @param http reaches the server, straight or through the API server's proxy; closed with the probe. Its time
     *             limit should be short: a poll can stall while a model loads, and that is no reason to wait long
     */
    public ModelServerProbe(String name, HttpReader http) {
        this.name = name;
        this.http = http;
        this.words = http.troubles().words();
    }

    @Override
    public ServerReport read() throws TroubleException, InterruptedException {
        HttpAnswer version = http.get("api/version");
        if (version.ok() && !version.page()) {
            JsonNode answer = http.json(version);
            if (answer.path("version").isTextual()) {
                return ollama(answer.path("version").asText());
            }
        }
        return llamaServer(version);
    }

    private ServerReport ollama(String version) throws TroubleException, InterruptedException {
        OllamaAnswer loaded = ollama.read(json(http.get("api/ps")));
        OllamaAnswer installed = ollama.read(json(http.get("api/tags")));
        return new ServerReport(name, OLLAMA, Optional.of(version),
                loaded.models().stream().map(OllamaAnswer.Model::loaded).toList(),
                installed.models().stream().map(OllamaAnswer.Model::installed).toList());
    }

    /** @param first the answer that was not Ollama's */
    private ServerReport llamaServer(HttpAnswer first) throws TroubleException, InterruptedException {
        HttpAnswer answer = http.get("props");
        if (answer.status() == 503) {
            throw words.failure(Kind.REMOTE, http.place(), "models.loading");
        }
        if (answer.page() || answer.redirect() || answer.status() == 404) {
            throw words.failure(Kind.PROTOCOL, http.place(), "models.foreign", "said",
                    (first.status() + " " + first.reason()).strip());
        }
        JsonNode props = json(answer);
        if (!props.has("role") && !props.has("default_generation_settings") && !props.has("build_info")) {
            throw words.failure(Kind.PROTOCOL, http.place(), "models.foreign", "said", "other JSON");
        }
        LlamaServerAnswer server = llama.read(props);
        boolean router = server.router().orElse(false);
        LlamaServerAnswer models = llama.read(json(http.get(router ? "models" : "v1/models")));
        return new ServerReport(name, LLAMA_SERVER, server.build(), loaded(models, router), installed(models));
    }

    /** A single-model server has its model in memory by the time it answers; a router says so model by model. */
    private static List<LoadedModel> loaded(LlamaServerAnswer models, boolean router) {
        return models.models().stream()
                .filter(model -> !router || model.state().filter("loaded"::equals).isPresent())
                .map(model -> new LoadedModel(model.id(), OptionalLong.empty(), OptionalLong.empty(), Optional.empty(),
                        model.contextTokens())).toList();
    }

    private static List<InstalledModel> installed(LlamaServerAnswer models) {
        return models.models().stream()
                .map(model -> new InstalledModel(model.id(), model.fileBytes(), Optional.empty())).toList();
    }

    private JsonNode json(HttpAnswer answer) throws TroubleException {
        if (answer.status() == 401 || answer.status() == 403) {
            throw words.failure(Kind.CREDENTIALS, http.place(), "models.login", "status",
                    Integer.toString(answer.status()));
        }
        if (!answer.ok()) {
            throw words.failure(Kind.REMOTE, http.place(), "models.error", "said",
                    (answer.status() + " " + answer.reason()).strip());
        }
        return http.json(answer);
    }

    @Override
    public void close() {
        http.close();
    }
}
