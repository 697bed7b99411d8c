package dev.pitwall.doctor.live;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Talos;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The machine API of Talos nodes, of which the same is read once. */
record OnceTalos(Talos talos, Memo memo) implements Talos {

    @Override
    public String name() {
        return talos.name();
    }

    @Override
    public List<String> nodes() {
        return talos.nodes();
    }

    @Override
    public Version version(String node) throws TroubleException, InterruptedException {
        return memo.ask(List.of("talos version", node), () -> talos.version(node));
    }

    @Override
    public List<Service> services(String node) throws TroubleException, InterruptedException {
        return memo.ask(List.of("services", node), () -> talos.services(node));
    }

    @Override
    public String kernelLog(String node) throws TroubleException, InterruptedException {
        return memo.ask(List.of("kernel log", node), () -> talos.kernelLog(node));
    }

    @Override
    public Optional<String> read(String node, String path) throws TroubleException, InterruptedException {
        return memo.ask(List.of("talos read", node, path), () -> talos.read(node, path));
    }

    @Override
    public List<Resource> list(String node, ResourceType type) throws TroubleException, InterruptedException {
        return memo.ask(List.of("talos list", node, type), () -> talos.list(node, type));
    }

    @Override
    public JsonNode config(String node, JsonNode wanted) throws TroubleException, InterruptedException {
        return memo.ask(List.of("config", node, wanted), () -> talos.config(node, wanted));
    }

    @Override
    public String setConfig(String node, JsonNode before, JsonNode after, Cluster.Earnest earnest) {
        throw ReadOnce.writes();
    }

    @Override
    public Installed upgrade(String node, String image, Consumer<String> lines) {
        throw ReadOnce.writes();
    }

    @Override
    public void reboot(String node) {
        throw ReadOnce.writes();
    }

    @Override
    public void close() {
        // Its systems close it.
    }
}
