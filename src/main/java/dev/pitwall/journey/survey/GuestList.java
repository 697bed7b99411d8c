package dev.pitwall.journey.survey;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.survey.HostSurvey.Guest;
import dev.pitwall.site.Together;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Reads the VMs and containers of a node with their configurations. */
final class GuestList {
    private final Proxmox proxmox;
    private final String node;
    private final Looking looking;

    GuestList(Proxmox proxmox, String node, Looking looking) {
        this.proxmox = proxmox;
        this.node = node;
        this.looking = looking;
    }

    List<Guest> read() throws TroubleException, InterruptedException {
        Map<String, String> ha = highAvailability();
        BackupJobs backups = BackupJobs.read(proxmox, node, looking);
        List<Callable<Guest>> questions = new ArrayList<>();
        for (String type : List.of("qemu", "lxc")) {
            String path = "nodes/" + node + "/" + type;
            Showing what = type.equals("qemu") ? Showing.GUESTS : Showing.CONTAINERS;
            for (JsonNode row : looking.keep(what.key(), node, path, proxmox.get(path))) {
                questions.add(() -> guest(type, row, ha, backups));
            }
        }
        return Together.all(questions).stream().sorted(Comparator.comparingInt(Guest::id)).toList();
    }

    private Guest guest(String type, JsonNode row, Map<String, String> ha, BackupJobs backups)
            throws TroubleException, InterruptedException {
        int id = row.path("vmid").asInt();
        Optional<JsonNode> data = proxmox.ifThere("nodes/" + node + "/" + type + "/" + id + "/config");
        Map<String, String> config = data.map(found -> settings(found)).orElse(Map.of());
        String name = row.path("name").asText(config.getOrDefault("name", config.getOrDefault("hostname", "")));
        String sid = (type.equals("qemu") ? "vm:" : "ct:") + id;
        return new Guest(id, name, type, row.path("status").asText(), config.getOrDefault("onboot", "0").equals("1"),
                config, Optional.ofNullable(ha.get(sid)), backups.of(node, id), data.map(found -> found.path("lock").asText())
                .filter(lock -> !lock.isEmpty()));
    }

    /** The state each HA resource is kept in, by its id. */
    private Map<String, String> highAvailability() throws TroubleException, InterruptedException {
        String path = "cluster/ha/resources";
        Map<String, String> states = new HashMap<>();
        looking.keep(Showing.HA.key(), node, path, proxmox.ifThere(path)).orElseGet(MissingNode::getInstance)
                .forEach(r -> states.put(r.path("sid").asText(), r.path("state").asText("started")));
        return states;
    }

    /**
     * The settings of a configuration, without its digest and lock. Raw {@code lxc.…} lines, which come as a list of
     * pairs, are lines {@code key: value} under {@code lxc}.
     */
    static Map<String, String> settings(JsonNode config) {
        Map<String, String> settings = new HashMap<>();
        config.properties().forEach(e -> {
            if (!e.getKey().equals("digest") && !e.getKey().equals("lock")) {
                settings.put(e.getKey(), e.getValue().isArray() ? pairs(e.getValue()) : e.getValue().asText());
            }
        });
        return settings;
    }

    private static String pairs(JsonNode list) {
        StringBuilder lines = new StringBuilder();
        list.forEach(pair -> lines.append(pair.path(0).asText()).append(": ").append(pair.path(1).asText())
                .append('\n'));
        return lines.toString();
    }
}
