package dev.pitwall.lab.kube.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.world.GuestDriver;
import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.World;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;

/** Does what {@code causes.yaml} says of one trap, and takes it back. */
final class CauseHand {
    private static final Duration LATER = Duration.ofSeconds(10);
    private final TinyCluster cluster;
    private final ObjectNode cause;
    private final Deque<Runnable> undo = new ArrayDeque<>();

    CauseHand(TinyCluster cluster, JsonNode cause) {
        this.cluster = cluster;
        this.cause = (ObjectNode) filled(cause);
    }

    void make() {
        cause.path("edits").forEach(this::edit);
        world(cause.path("world"));
        cluster.live(LATER);
        cause.path("later").forEach(this::edit);
        restart(cause.path("restart"));
    }

    void takeBack() {
        while (!undo.isEmpty()) {
            undo.pop().run();
        }
        cause.at("/repair/edits").forEach(this::edit);
        cluster.live(LATER);
        restart(cause.path("restart"));
        restart(cause.at("/repair/restart"));
    }

    private void edit(JsonNode edit) {
        ObjectKey key = TinyCluster.key(edit.path("apiVersion").asText(), edit.path("kind").asText(),
                edit.path("namespace").asText(""), edit.path("name").asText());
        Optional<ObjectNode> before = cluster.find(key).map(object -> object.tree());
        if (edit.path("delete").asBoolean()) {
            cluster.hand.delete(key, 0);
        } else if (edit.has("create")) {
            cluster.hand.create(key, ((ObjectNode) edit.path("create")).deepCopy());
            undo.push(() -> cluster.hand.delete(key, 0));
        } else {
            cluster.hand.change(key, object -> {
                if (edit.has("patch")) {
                    merge(object, (ObjectNode) edit.path("patch"));
                } else {
                    ((ArrayNode) object.at(edit.path("list").asText())).add(edit.path("add").deepCopy());
                }
            });
            undo.push(() -> cluster.hand.change(key, object -> {
                for (String part : new String[] {"spec", "data"}) {
                    if (before.orElseThrow().has(part)) {
                        object.set(part, before.get().path(part));
                    }
                }
                if (edit.at("/patch/metadata").isObject()) {
                    object.set("metadata", before.get().path("metadata").deepCopy());
                    object.withObjectProperty("metadata").remove("resourceVersion");
                }
            }));
        }
    }

    private static void merge(ObjectNode target, ObjectNode patch) {
        patch.properties().forEach(field -> {
            if (field.getValue().isNull()) {
                target.remove(field.getKey());
            } else if (field.getValue() instanceof ObjectNode inner) {
                merge(target.get(field.getKey()) instanceof ObjectNode there ? there
                        : target.putObject(field.getKey()), inner);
            } else {
                target.set(field.getKey(), field.getValue().deepCopy());
            }
        });
    }

    private void world(JsonNode change) {
        cluster.world.change(w -> {
            LabNode node = w.nodes.get(TinyCluster.NODE);
            LabCard card = w.cards.get(node.cards.getFirst());
            String kernel = node.kernel;
            String runtime = node.containerRuntime;
            String product = card.product;
            String version = node.driverVersion;
            Map<String, String> running = Map.copyOf(w.vms.get(node.vmid).running);
            undo.push(() -> cluster.world.change(back -> {
                node.kernel = kernel;
                node.containerRuntime = runtime;
                card.product = product;
                card.lost = false;
                card.lastXid = 0;
                back.vms.get(node.vmid).running.clear();
                back.vms.get(node.vmid).running.putAll(running);
                if (change.has("driver")) {
                    driver(back, node, change.path("driver").asText().startsWith("container") ? "container " + version
                            : "absent");
                }
            }));
            node.kernel = change.path("kernel").asText(kernel);
            node.containerRuntime = change.path("containerRuntime").asText(runtime);
            card.product = change.path("product").asText(product);
            card.lost = change.path("lost").asBoolean(false);
            card.lastXid = change.path("xid").asInt(0);
            if (change.path("secureBoot").asBoolean(false)) {
                w.vms.get(node.vmid).running.put("bios", "ovmf");
                w.vms.get(node.vmid).running.put("efidisk0", "local-lvm:disk,efitype=4m,pre-enrolled-keys=1");
            }
            if (change.has("driver")) {
                driver(w, node, change.path("driver").asText());
            }
            if (change.path("boot").asBoolean(false)) {
                node.bootedAt = cluster.now();
                node.files.keySet().removeIf(path -> path.startsWith("/run/"));
            }
            change.path("files").properties().forEach(file -> {
                if (file.getValue().isNull()) {
                    node.files.remove(file.getKey());
                } else {
                    node.files.put(file.getKey(), file.getValue().asText().getBytes(StandardCharsets.UTF_8));
                }
            });
        });
    }

    private void driver(World world, LabNode node, String text) {
        String[] words = text.split(" ");
        switch (words[0]) {
            case "host" -> GuestDriver.load(world, node, words[1], GuestDriver.Source.HOST, cluster.now());
            case "container" -> GuestDriver.load(world, node, words[1], GuestDriver.Source.CONTAINER, cluster.now());
            default -> {
                GuestDriver.unload(world, node, cluster.now());
                node.files.keySet().removeIf(path -> path.startsWith("/run/nvidia/"));
            }
        }
    }

    private void restart(JsonNode apps) {
        for (JsonNode app : apps) {
            cluster.pods.onNode(TinyCluster.NODE).stream().filter(pod -> TinyCluster.app(pod).equals(app.asText()))
                    .forEach(pod -> cluster.hand.delete(pod.key(), 1));
        }
    }

    private static JsonNode filled(JsonNode node) {
        return switch (node) {
            case ObjectNode object -> {
                ObjectNode copy = Json.object();
                object.properties().forEach(field -> copy.set(field.getKey(), filled(field.getValue())));
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = array.arrayNode();
                array.forEach(item -> copy.add(filled(item)));
                yield copy;
            }
            case TextNode text -> TextNode.valueOf(text.textValue().replace("{node}", TinyCluster.NODE)
                    .replace("{taint}", "true").replace("{other}", "present"));
            default -> node;
        };
    }

    JsonNode shows() {
        return cause.path("shows");
    }
}
