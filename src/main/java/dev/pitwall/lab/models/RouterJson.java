package dev.pitwall.lab.models;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabModelServer.Answer;
import dev.pitwall.lab.world.LabModelServer.Download;
import dev.pitwall.lab.world.LabModelServer.Installed;
import dev.pitwall.lab.world.LabModelServer.Loaded;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The JSON of a llama-server router. No figure of memory stands anywhere in it (facts: models.md 5.3). Call its methods
 * inside the world's lock.
 */
final class RouterJson {
    private static final int CONTEXT = 4096;
    private static final int SLOTS = 4;
    /** The second stage of a model that sees: its projector. */
    private static final double TEXT_PART = 0.85;

    private final ObjectMapper json = new ObjectMapper();
    private final ModelLibrary library;

    RouterJson(ModelLibrary library) {
        this.library = library;
    }

    ObjectNode object() {
        return json.createObjectNode();
    }

    /**
     * Where a model is in its life.
     *
     * @param value    unloaded, loading, loaded, sleeping or downloading
     * @param progress empty where there is none
     * @param exit     of a load that failed
     */
    record Status(String value, Optional<ObjectNode> progress, Optional<Integer> exit) {
    }

    /** Every model of a server by name, those that are being downloaded included. */
    Map<String, Status> statuses(LabModelServer server, Instant now) {
        Map<String, Status> all = new LinkedHashMap<>();
        server.installed.forEach(model -> all.put(model.name(), status(server, model.name(), now)));
        server.downloads.forEach((name, download) -> all.put(name, new Status("downloading",
                Optional.of(download(download)), Optional.empty())));
        return all;
    }

    private Status status(LabModelServer server, String model, Instant now) {
        Optional<Loaded> running = server.loaded.stream().filter(l -> l.model.name().equals(model)).findFirst();
        if (running.isEmpty()) {
            return new Status("unloaded", Optional.empty(), Optional.ofNullable(server.failed.get(model)));
        }
        Loaded loaded = running.get();
        String value = loaded.asleep ? "sleeping" : loaded.isReady(now) ? "loaded" : "loading";
        return new Status(value, value.equals("loading") ? Optional.of(progress(loaded, now)) : Optional.empty(),
                Optional.empty());
    }

    private ObjectNode download(Download download) {
        ObjectNode node = object();
        node.putObject(download.url()).put("done", download.done()).put("total", download.total());
        return node;
    }

    /** Stages one after the other, each from 0 to 1, by the time that has passed. */
    private ObjectNode progress(Loaded loaded, Instant now) {
        double all = loaded.hangs() ? 0 : 1 - (double) Duration.between(now, loaded.readyAt).toMillis()
                / Math.max(1, Router.loadTime(loaded.model).toMillis());
        boolean sees = sees(loaded.model);
        boolean text = !sees || all < TEXT_PART;
        double part = !sees ? all : text ? all / TEXT_PART : (all - TEXT_PART) / (1 - TEXT_PART);
        ObjectNode node = object();
        ArrayNode stages = node.putArray("stages").add("text_model");
        if (sees) {
            stages.add("mmproj_model");
        }
        return node.put("current", text ? "text_model" : "mmproj_model")
                .put("value", Math.round(Math.clamp(part, 0, 1) * 100) / 100.0);
    }

    private boolean sees(Installed model) {
        return library.byDigest(model.digest()).filter(entry -> entry.capabilities().contains("vision")).isPresent();
    }

    /** {@code GET /models}. */
    ObjectNode list(LabModelServer server, Instant now) {
        ObjectNode answer = object().put("object", "list");
        ArrayNode data = answer.putArray("data");
        statuses(server, now).forEach((name, status) -> data.add(entry(server, name, status)));
        return answer;
    }

    private ObjectNode entry(LabModelServer server, String name, Status status) {
        Optional<Installed> model = server.installed.stream().filter(m -> m.name().equals(name)).findFirst();
        ObjectNode node = object().put("id", name);
        node.putArray("aliases");
        node.putArray("tags");
        node.put("object", "model").put("owned_by", "llamacpp").put("created", model.map(Installed::modifiedAt)
                .orElse(Instant.EPOCH).getEpochSecond());
        node.set("status", statusNode(name, status));
        ObjectNode architecture = node.putObject("architecture");
        ArrayNode in = architecture.putArray("input_modalities").add("text");
        if (model.filter(this::sees).isPresent()) {
            in.add("image");
        }
        architecture.putArray("output_modalities").add("text");
        boolean hub = Router.isFromHub(name);
        node.put("source", hub ? "cache" : "models_dir").put("can_remove", hub);
        if (status.value().equals("loaded")) {
            model.ifPresent(m -> node.set("meta", meta(m)));
        }
        return node;
    }

    private ObjectNode statusNode(String name, Status status) {
        ObjectNode node = object().put("value", status.value());
        if (!status.value().equals("downloading")) {
            ArrayNode args = node.putArray("args");
            List.of("llama-server", "--ctx-size", String.valueOf(CONTEXT), "--host", "127.0.0.1", "--alias", name)
                    .forEach(args::add);
            node.put("preset", "[" + name + "]\nctx-size = " + CONTEXT + "\n");
        }
        status.progress().ifPresent(progress -> node.set("progress", progress));
        status.exit().ifPresent(code -> node.put("failed", true).put("exit_code", code));
        return node;
    }

    ObjectNode meta(Installed model) {
        ObjectNode meta = object().put("vocab_type", 2);
        library.byDigest(model.digest()).ifPresent(entry -> meta
                .put("n_vocab", entry.metadata().path(entry.architecture() + ".vocab_size").asInt())
                .put("n_embd", entry.embeddingLength()).put("n_params", entry.parameterCount()));
        return meta.put("n_ctx_train", model.contextTokens()).put("size", model.diskBytes());
    }

    /** {@code GET /props} of the router itself. */
    ObjectNode props(LabModelServer server) {
        ObjectNode node = object().put("role", "router").put("max_instances", server.mostLoaded)
                .put("models_autoload", true).put("model_alias", "llama-server").put("model_path", "none");
        ObjectNode settings = node.putObject("default_generation_settings");
        settings.putObject("params");
        settings.put("n_ctx", 0);
        node.putObject("ui_settings");
        return node.put("build_info", server.version).put("cors_proxy_enabled", false);
    }

    /** {@code GET /props?model=} of one model's process. */
    ObjectNode props(LabModelServer server, Loaded loaded) {
        ObjectNode node = object();
        ObjectNode settings = node.putObject("default_generation_settings");
        settings.putObject("params").put("n_predict", -1).put("temperature", 0.8);
        settings.put("n_ctx", CONTEXT);
        node.put("total_slots", SLOTS).put("model_alias", loaded.model.name())
                .put("model_ftype", loaded.model.quantization());
        node.putObject("modalities").put("vision", sees(loaded.model)).put("video", false).put("audio", false);
        node.put("endpoint_slots", true).put("endpoint_props", false).put("endpoint_metrics", false).put("ui", true);
        return node.put("build_info", server.version).put("is_sleeping", loaded.asleep);
    }

    /** {@code GET /slots?model=}: the first ones are busy, with what each has decoded so far. */
    ArrayNode slots(Loaded loaded, Instant now) {
        ArrayNode slots = json.createArrayNode();
        for (int id = 0; id < SLOTS; id++) {
            Optional<Answer> answer = id < loaded.answers.size() ? Optional.of(loaded.answers.get(id)) : Optional.empty();
            ObjectNode slot = slots.addObject().put("id", id).put("id_task", answer.map(Answer::task).orElse(-1L))
                    .put("n_ctx", CONTEXT).put("speculative", false).put("is_processing", id < loaded.busy);
            long decoded = answer.map(a -> a.decoded(now)).orElse(0L);
            slot.putArray("next_token").addObject().put("has_next_token", answer.isPresent()).put("has_new_line", false)
                    .put("n_remain", answer.map(a -> a.tokens() - decoded).orElse(-1L)).put("n_decoded", decoded);
        }
        return slots;
    }

    ObjectNode error(RouterRefusal why) {
        ObjectNode node = object();
        node.putObject("error").put("code", why.code()).put("message", why.getMessage()).put("type", why.type());
        return node;
    }

    /** {@code model_status}: an event of builds that the documentation describes; later ones say {@code status_change}. */
    static String eventName(String build) {
        int number = Integer.parseInt(build.replaceFirst("^b", "").replaceFirst("[^0-9].*", "").replaceFirst("^$", "0"));
        return number >= STATUS_CHANGE ? "status_change" : "model_status";
    }

    private static final int STATUS_CHANGE = 10_488;

    ObjectNode event(String model, String event, ObjectNode data) {
        ObjectNode node = object().put("model", model).put("event", event);
        node.set("data", data);
        return node;
    }
}
