package dev.pitwall.lab.kube.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.object.Finalizers;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabModelServer.Installed;
import dev.pitwall.lab.world.World;
import java.util.Locale;
import java.util.Optional;

/**
 * Kubemoot's Models: one whose weights are missing is pulled, and one that is deleted takes its weights with it before
 * its finalizer goes.
 */
final class KubemootModels {
    private static final String FINALIZER = "kubemoot.ai/model-finalizer";

    private final World world;
    private final ClusterHand hand;
    private final ModelCalls calls;

    KubemootModels(World world, ClusterHand hand, ModelCalls calls) {
        this.world = world;
        this.hand = hand;
        this.calls = calls;
    }

    /** True while something is pulled or deleted. */
    boolean isBusy() {
        return calls.isBusy();
    }

    /** @param past no call is made while the past is lived through: no server answers then */
    void act(boolean past) {
        for (StoredObject model : hand.store().list(Kubemoot.MODELS, "").objects()) {
            if (model.tree().path("metadata").has("deletionTimestamp")) {
                remove(model, past);
            } else {
                bring(model, past);
            }
        }
    }

    /** Resolved by name across all namespaces. */
    private Optional<String> endpoint(StoredObject model) {
        String wanted = model.tree().at("/spec/providerRef").asText();
        return hand.store().list(Kubemoot.PROVIDERS, "").objects().stream()
                .filter(provider -> provider.key().name().equals(wanted)).findFirst()
                .map(provider -> provider.tree().at("/spec/endpoint").asText());
    }

    private void bring(StoredObject model, boolean past) {
        if (!Finalizers.has(model.tree(), FINALIZER)) {
            hand.change(model.key(), object -> Finalizers.add(object, FINALIZER));
        }
        Optional<String> endpoint = endpoint(model);
        Optional<LabModelServer> server = endpoint.flatMap(url -> Kubemoot.server(world, url));
        if (server.isEmpty()) {
            state(model, endpoint.isEmpty() ? "Error" : "Pending", endpoint.isEmpty()
                    ? "ModelProvider \"" + model.tree().at("/spec/providerRef").asText() + "\" not found"
                    : "provider is not ready");
            return;
        }
        String name = full(model.tree().at("/spec/model").asText());
        Optional<Installed> there = world.read(w -> server.get().installed.stream()
                .filter(installed -> full(installed.name()).equals(name)).findFirst());
        if (there.isPresent()) {
            boolean loaded = world.read(w -> server.get().loaded.stream()
                    .anyMatch(one -> full(one.model.name()).equals(name)));
            known(model, endpoint.orElseThrow(), there.get(), loaded);
        } else if (!past) {
            pull(model, server.get().name, name);
        }
    }

    private void pull(StoredObject model, String server, String name) {
        switch (calls.pull(server, name)) {
            case ModelCalls.State.Goes goes -> hand.status(model.key(), object -> {
                ObjectNode status = object.withObjectProperty("status").put("state", "Pulling").put("ready", false);
                status.remove("message");
                if (goes.total() > 0) {
                    status.putObject("pull").put("completedBytes", goes.completed()).put("totalBytes", goes.total())
                            .put("percent", goes.completed() * 100 / goes.total());
                }
            });
            case ModelCalls.State.Failed failed -> state(model, "Error", failed.why());
            // What is on the server now says the rest; if it is not there, the next probe begins anew.
            case ModelCalls.State.Done done -> bring(model, true);
        }
    }

    private void known(StoredObject model, String endpoint, Installed installed, boolean loaded) {
        hand.status(model.key(), object -> {
            ObjectNode status = object.withObjectProperty("status").put("state", loaded ? "Loaded" : "Available")
                    .put("ready", true).put("endpoint", endpoint);
            status.remove("message");
            status.remove("pull");
            status.putObject("modelInfo")
                    .put("size", String.format(Locale.ROOT, "%.1fGB", installed.diskBytes() / 1e9))
                    .put("parameters", installed.parameterSize()).put("family", installed.family())
                    .put("quantization", installed.quantization()).put("contextLength", installed.contextTokens())
                    .put("format", "gguf").put("digest", installed.digest());
        });
    }

    private void state(StoredObject model, String state, String message) {
        hand.status(model.key(), object -> object.withObjectProperty("status").put("state", state).put("ready", false)
                .put("message", message));
    }

    private void remove(StoredObject model, boolean past) {
        Optional<LabModelServer> server = endpoint(model).flatMap(url -> Kubemoot.server(world, url));
        String name = full(model.tree().at("/spec/model").asText());
        boolean there = server.isPresent() && world.read(w -> server.get().installed.stream()
                .anyMatch(installed -> full(installed.name()).equals(name)));
        if (there && !past && calls.delete(server.get().name, name) instanceof ModelCalls.State.Goes) {
            return;
        }
        if (Finalizers.has(model.tree(), FINALIZER)) {
            hand.change(model.key(), object -> Finalizers.remove(object, FINALIZER));
        }
    }

    /** Ollama takes a name without a tag as {@code :latest}. */
    private static String full(String model) {
        return model.contains(":") ? model : model + ":latest";
    }
}
