package dev.pitwall.lab.models;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabModelServer.Derived;
import dev.pitwall.lab.world.LabModelServer.Installed;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Makes a model from another: the same weights under another name, with parameters. Inside the world's lock. */
final class Derivation {
    private Derivation() {
    }

    static void put(LabModelServer server, String name, Installed from, JsonNode parameters, Instant now) {
        Optional<Derived> before = Optional.ofNullable(server.derived.get(from.name()));
        Map<String, String> values = new TreeMap<>(before.map(Derived::parameters).orElse(Map.of()));
        parameters.properties().forEach(entry -> values.put(entry.getKey(), entry.getValue().asText()));
        server.installed.removeIf(m -> m.name().equals(name));
        server.installed.add(new Installed(name, from.digest(), from.diskBytes(), from.vramBytes(), from.family(),
                from.parameterSize(), from.quantization(), from.contextTokens(), now));
        server.derived.put(name, new Derived(before.map(Derived::from).orElse(from.name()), values));
    }
}
