package dev.pitwall.lab.kube.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterClock;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.object.Conditions;
import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.kube.store.Timestamp;
import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.World;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The Kubemoot operator, while its pod is ready: providers are probed, their capacity is discovered if the scheduler is
 * enabled, and models follow what is on their provider. [facts: models.md 1.2, 1.3]
 */
public final class Kubemoot implements Controller {
    static final Resource CONFIGS = new Resource("kubemoot.ai", "kubemootconfigs");
    static final Resource PROVIDERS = new Resource("kubemoot.ai", "modelproviders");
    static final Resource MODELS = new Resource("kubemoot.ai", "models");
    private static final Map<String, String> POD = Map.of("app.kubernetes.io/name", "kubemoot-operator");

    private final World world;
    private final ClusterHand hand;
    private final Pods pods;
    private final ClusterClock clock;
    private final AgentTexts texts = AgentTexts.load();
    private final KubemootModels models;
    private Instant probed = Instant.EPOCH;
    private boolean changed = true;

    /**
     * @param pods  comes before this one in the loop
     * @param pulls carries out what a Model asks of its server
     */
    public Kubemoot(World world, ClusterHand hand, Pods pods, ClusterClock clock, ModelCalls pulls) {
        this.world = world;
        this.hand = hand.as("system:serviceaccount:kubemoot:kubemoot-operator");
        this.pods = pods;
        this.clock = clock;
        this.models = new KubemootModels(world, this.hand, pulls);
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(CONFIGS, PROVIDERS, MODELS);
    }

    @Override
    public void observe(Change change) {
        // Its own writes of a status are no news.
        changed |= switch (change) {
            case Change.Added added -> true;
            case Change.Deleted deleted -> true;
            case Change.Modified modified -> !sameButStatus(modified);
        };
    }

    private static boolean sameButStatus(Change.Modified modified) {
        ObjectNode before = modified.before().copy();
        ObjectNode now = modified.now().copy();
        before.remove("status");
        now.remove("status");
        ((ObjectNode) before.path("metadata")).remove("resourceVersion");
        ((ObjectNode) now.path("metadata")).remove("resourceVersion");
        return before.equals(now);
    }

    @Override
    public Instant act(Instant now) {
        // The period is a short one as soon as the present has begun.
        Instant next = probed.plus(period());
        boolean nothing = !changed && now.isBefore(next);
        if (nothing && !models.isBusy() || !pods.isReady("kubemoot", POD)) {
            // Without its pod it comes back when something changes, or looks again after a while.
            return next.isAfter(now) ? next : now.plus(period());
        }
        if (!nothing) {
            changed = false;
            probed = now;
            configs(now);
            hand.store().list(PROVIDERS, "").objects().forEach(provider -> provider(provider, now));
        }
        models.act(clock.isPast());
        return models.isBusy() ? now.plusSeconds(1) : probed.plus(period());
    }

    /** Probes in the past change nothing that anybody could see. */
    private Duration period() {
        if (clock.isPast()) {
            return Duration.ofHours(6);
        }
        return Duration.ofSeconds(scheduler().path("enabled").asBoolean()
                ? scheduler().path("probeIntervalSeconds").asLong(texts.seconds("providerProbe"))
                : texts.seconds("capacityOff"));
    }

    private JsonNode scheduler() {
        return hand.find(new ObjectKey(CONFIGS, "", "default")).map(StoredObject::tree).orElseGet(Json::object)
                .at("/spec/defaults/scheduler");
    }

    private void configs(Instant now) {
        hand.store().list(CONFIGS, "").objects().stream()
                .filter(config -> !config.tree().at("/status/ready").asBoolean())
                .forEach(config -> hand.status(config.key(), object -> object.withObjectProperty("status")
                        .put("ready", true).put("lastUpdated", Timestamp.of(now))));
    }

    private void provider(StoredObject provider, Instant now) {
        JsonNode spec = provider.tree().path("spec");
        Optional<LabModelServer> server = server(world, spec.path("endpoint").asText());
        boolean discover = scheduler().path("enabled").asBoolean();
        hand.status(provider.key(), object -> {
            ObjectNode status = object.withObjectProperty("status");
            boolean reached = server.isPresent();
            String trouble = reached ? "" : trouble(spec.path("endpoint").asText());
            status.put("ready", reached).put("phase", reached ? "Ready" : "Failed");
            if (reached) {
                status.remove("message");
                status.withObjectProperty("providerInfo").put("version", server.get().version)
                        .put("lastChecked", Timestamp.of(now));
            } else {
                status.put("message", trouble);
            }
            if (reached && discover) {
                status.set("capacity", world.read(w -> capacity(w, server.get(), now)));
            } else if (!discover) {
                status.remove("capacity");
            }
            Conditions.set(object, new Conditions.Condition("Ready", reached ? "True" : "False",
                    reached ? "ProviderReachable" : "ProviderUnreachable", trouble), now).put("message", trouble);
        });
    }

    /** The server behind an endpoint in the cluster, {@code http://NAME.NAMESPACE:11434}, if it answers. */
    static Optional<LabModelServer> server(World world, String endpoint) {
        return world.read(w -> known(w, endpoint).filter(server -> server.up));
    }

    private static Optional<LabModelServer> known(World w, String endpoint) {
        URI uri = URI.create(endpoint);
        String[] host = Optional.ofNullable(uri.getHost()).orElse("").split("\\.");
        return Optional.ofNullable(w.servers.get(host[0])).filter(server -> host.length > 1
                && server.namespace.equals(host[1]) && server.kind == LabModelServer.Kind.OLLAMA
                && server.kind.port() == uri.getPort());
    }

    private String trouble(String endpoint) {
        String host = Optional.ofNullable(URI.create(endpoint).getHost()).orElse("");
        String[] names = host.split("\\.");
        boolean service = names.length > 1
                && hand.find(new ObjectKey(Resource.SERVICES, names[1], names[0])).isPresent();
        return service ? "connection refused" : "lookup " + host + ": no such host";
    }

    private static ObjectNode capacity(World w, LabModelServer server, Instant now) {
        ObjectNode capacity = Json.object().put("nodeName", server.node)
                .put("lastProbed", Timestamp.of(now));
        LabNode node = w.nodes.get(server.node);
        // All cards of a node become one number, as Kubemoot counts them.
        long total = node.cards.stream().map(w.cards::get).mapToLong(card -> card.vramMiB).sum();
        long used = server.loaded.stream().filter(loaded -> !loaded.readyAt.isAfter(now))
                .mapToLong(loaded -> loaded.model.vramBytes()).sum() >> 20;
        node.cards.stream().findFirst().map(w.cards::get).map((LabCard card) -> card.product)
                .ifPresent(product -> capacity.put("gpuModel", product));
        capacity.put("vramTotalMiB", total).put("vramUsedMiB", used);
        ArrayNode loaded = capacity.putArray("loadedModels");
        server.loaded.stream().filter(model -> !model.readyAt.isAfter(now)).forEach(model -> loaded.addObject()
                .put("name", model.model.name()).put("size", model.model.vramBytes())
                .put("sizeVram", server.card.isEmpty() ? 0 : model.model.vramBytes()));
        ArrayNode available = capacity.putArray("availableModels");
        server.installed.forEach(model -> available.addObject().put("name", model.name())
                .put("sizeBytes", model.diskBytes()));
        return capacity;
    }
}
