package dev.pitwall.journey.survey;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Source;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.survey.DatacenterSurvey.Memory;
import dev.pitwall.journey.survey.DatacenterSurvey.Storage;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads a {@link DatacenterSurvey}: six to eight short calls. */
public final class DatacenterSurveyor {
    private static final long MIB = 1024 * 1024;

    private final InstantSource clock;

    public DatacenterSurveyor(InstantSource clock) {
        this.clock = clock;
    }

    /** @param node the card's host, whose API {@code api} is */
    public DatacenterSurvey read(Proxmox api, String node) throws TroubleException, InterruptedException {
        Reading reading = new Reading(api, node);
        Proxmox.Caller caller = api.caller();
        Grants grants = caller.root() ? Grants.ALL
                : reading.ask(Showing.PERMISSIONS.key(), "access/permissions").map(Grants::of)
                .orElse(new Grants(false, Map.of()));
        List<String> nodes = reading.ask(Showing.NODES.key(), "nodes").stream().flatMap(JsonNode::valueStream)
                .map(row -> row.path("node").asText()).sorted().toList();
        return new DatacenterSurvey(caller, grants, nodes, reading.ask(Showing.MAPPINGS.key(), "cluster/mapping/pci")
                .map(DatacenterSurveyor::mappings), reading.ask(Showing.NODE.key(), "nodes/" + node + "/status")
                .flatMap(DatacenterSurveyor::memory), reading.storages(), reading.freeId(), reading.shown);
    }

    private static SortedMap<String, List<String>> mappings(JsonNode list) {
        SortedMap<String, List<String>> mappings = new TreeMap<>();
        list.forEach(row -> mappings.put(row.path("id").asText(),
                row.path("map").valueStream().map(JsonNode::asText).toList()));
        return mappings;
    }

    /** {@code available} is there from 9 on; what is free without it is less, never more. */
    private static Optional<Memory> memory(JsonNode status) {
        JsonNode memory = status.path("memory");
        long total = memory.path("total").asLong();
        long available = memory.path("available").asLong(memory.path("free").asLong(-1));
        return total > 0 && available >= 0 ? Optional.of(new Memory(total / MIB, available / MIB)) : Optional.empty();
    }

    /** One reading: what was asked is kept with its answer. */
    private final class Reading {
        private final Proxmox api;
        private final String node;
        private final Map<String, Shown> shown = new HashMap<>();

        Reading(Proxmox api, String node) {
            this.api = api;
            this.node = node;
        }

        Optional<JsonNode> ask(String name, String path) throws TroubleException, InterruptedException {
            Optional<JsonNode> answer = api.ifThere(path);
            shown.put(name, new Shown(new Source(Source.Kind.PROXMOX, node, "GET /" + path), clock.instant(),
                    answer.map(JsonNode::toPrettyString).orElse(""), answer.isPresent()));
            return answer;
        }

        List<Storage> storages() throws TroubleException, InterruptedException {
            List<Storage> storages = new ArrayList<>();
            for (JsonNode row : ask(Showing.STORAGES.key(), "nodes/" + node + "/storage")
                    .map(list -> list.valueStream().toList()).orElse(List.of())) {
                if (row.path("active").asInt(0) == 1) {
                    storages.add(storage(row));
                }
            }
            return storages;
        }

        private Storage storage(JsonNode row) throws TroubleException, InterruptedException {
            String id = row.path("storage").asText();
            List<String> content = Arrays.stream(row.path("content").asText().split(",")).map(String::strip).toList();
            List<String> isos = content.contains("iso")
                    ? ask(Showing.ISOS.of(id), "nodes/" + node + "/storage/" + id + "/content").stream()
                    .flatMap(JsonNode::valueStream).filter(volume -> volume.path("content").asText().equals("iso"))
                    .map(volume -> volume.path("volid").asText()).sorted().toList() : List.of();
            return new Storage(id, content, row.path("avail").asLong(0), isos);
        }

        OptionalInt freeId() throws TroubleException, InterruptedException {
            int id = ask(Showing.NEXT_ID.key(), "cluster/nextid").map(answer -> answer.asInt(0)).orElse(0);
            return id > 0 ? OptionalInt.of(id) : OptionalInt.empty();
        }
    }
}
