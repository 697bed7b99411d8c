package dev.pitwall.doctor.live;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.evidence.Document;
import dev.pitwall.doctor.sign.Cited;
import dev.pitwall.doctor.sign.Hint;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.Systems;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A VM with a card by its host's API: its configuration, what is pending, and why its last start failed, if it did. */
final class VmPart implements LiveEvidence.Part {
    private final Systems systems;
    private final String host;
    private final int vmid;
    private final About about;
    private final Optional<About> node;

    VmPart(Systems systems, String host, int vmid, About about, Optional<About> node) {
        this.systems = systems;
        this.host = host;
        this.vmid = vmid;
        this.about = about;
        this.node = node;
    }

    @Override
    public void gather(Gathered found) throws InterruptedException {
        found.trying(() -> {
            Proxmox api = systems.proxmox(host);
            JsonNode config = api.get(path() + "/config", Map.of("current", "1"));
            found.add(text("qm config " + vmid, Hint.VM_CONFIG, lines(config.properties())));
            firstMedium(config).ifPresent(found::add);
            pending(api).ifPresent(lines -> found.add(text("qm pending " + vmid, Hint.VM_CONFIG, lines)));
            found.trying(() -> failedStart(api).ifPresent(log -> found.add(log)));
        });
    }

    private Document text(String command, Hint hint, String text) {
        return Document.text(command + " on " + host, hint, about, text);
    }

    private String path() {
        return "nodes/" + host + "/qemu/" + vmid;
    }

    /** A medium that comes before the disk is what the node in it may run from, and is told of the node. */
    private Optional<Document> firstMedium(JsonNode config) {
        String order = config.path("boot").asText("");
        String drive = order.replaceFirst("^order=", "").replaceFirst(";.*$", "");
        String medium = drive.isEmpty() ? "" : config.path(drive).asText("");
        return node.filter(n -> medium.contains("media=cdrom") && !medium.startsWith("none")).map(n -> new Document(
                "qm config " + vmid + " on " + host, Hint.UNKNOWN, n, new Document.Told(List.of(new Sign("boots-medium", n,
                Map.of("drive", drive), Optional.of(new Cited("qm config " + vmid + " on " + host, 0, "boot: " + order)))))));
    }

    private static String lines(Set<Map.Entry<String, JsonNode>> config) {
        return config.stream()
                .filter(field -> !field.getKey().equals("digest"))
                .map(field -> field.getKey() + ": " + field.getValue().asText() + "\n").collect(Collectors.joining());
    }

    /** As {@code qm pending} prints it; empty where nothing is. */
    private Optional<String> pending(Proxmox api) throws TroubleException, InterruptedException {
        JsonNode rows = api.get(path() + "/pending");
        boolean any = rows.valueStream().anyMatch(row -> row.has("pending") || row.has("delete"));
        return any ? Optional.of(rows.valueStream().map(VmPart::lines).collect(Collectors.joining())) : Optional.empty();
    }

    private static String lines(JsonNode row) {
        String key = row.path("key").asText();
        return (row.has("value") ? "cur " + key + ": " + row.path("value").asText() + "\n" : "")
                + (row.has("pending") ? "new " + key + ": " + row.path("pending").asText() + "\n" : "")
                + (row.has("delete") ? "del " + key + "\n" : "");
    }

    /** Of a VM that runs, an earlier start that failed says nothing any more. */
    private Optional<Document> failedStart(Proxmox api) throws TroubleException, InterruptedException {
        if (api.get(path() + "/status/current").path("status").asText().equals("running")) {
            return Optional.empty();
        }
        JsonNode tasks = api.get("nodes/" + host + "/tasks", Map.of("vmid", Integer.toString(vmid), "typefilter", "qmstart",
                "limit", "1"));
        JsonNode last = tasks.path(0);
        if (last.path("status").asText("OK").equals("OK")) {
            return Optional.empty();
        }
        JsonNode log = api.get("nodes/" + host + "/tasks/" + last.path("upid").asText() + "/log", Map.of("limit", "500"));
        String lines = log.valueStream().map(row -> row.path("t").asText() + "\n").collect(Collectors.joining());
        return Optional.of(text("qm start " + vmid, Hint.COMMAND_OUTPUT, lines));
    }
}
