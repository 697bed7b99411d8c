package dev.pitwall.doctor.live;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Helm;
import dev.pitwall.journey.ImageFactory;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.Talos;
import dev.pitwall.site.Supply;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The systems of a site for one look: what several ask is asked once. The Doctor and the steps of every card read a host, a
 * node and a cluster in much the same way, and a site has many cards. Nobody may write through it. Thread-safe.
 */
final class ReadOnce implements Systems {
    private final Systems systems;
    private final Memo memo = new Memo();

    /** @param systems stay open when this is closed */
    ReadOnce(Systems systems) {
        this.systems = systems;
    }

    @Override
    public Machine machine(String name) throws TroubleException {
        return new OnceMachine(systems.machine(name), memo);
    }

    @Override
    public String identity(String name) {
        return systems.identity(name);
    }

    @Override
    public List<String> nodeShells() {
        return systems.nodeShells();
    }

    @Override
    public Proxmox proxmox(String node) throws TroubleException, InterruptedException {
        Proxmox api = systems.proxmox(node);
        return new OnceProxmox(api, memo);
    }

    @Override
    public Optional<Cluster> cluster() throws TroubleException, InterruptedException {
        return systems.cluster().map(cluster -> new OnceCluster(cluster, memo));
    }

    @Override
    public Optional<Helm> helm() throws TroubleException, InterruptedException {
        return systems.helm().map(helm -> new OnceHelm(helm, memo));
    }

    @Override
    public Optional<Talos> talos() throws TroubleException, InterruptedException {
        return systems.talos().map(talos -> new OnceTalos(talos, memo));
    }

    @Override
    public Optional<ImageFactory> imageFactory() throws TroubleException {
        return systems.imageFactory();
    }

    @Override
    public String address(Supply supply) {
        return systems.address(supply);
    }

    @Override
    public void close() {
        // Whoever opened the systems closes them.
    }

    static IllegalStateException writes() {
        return new IllegalStateException("a look writes nothing");
    }

    /** Reads of an API; its guest agent's commands are reads too, and each has an answer of its own. */
    private record OnceProxmox(Proxmox api, Memo memo) implements Proxmox {

        @Override
        public JsonNode get(String path, Map<String, String> query) throws TroubleException, InterruptedException {
            // The agent is asked again and again until its command has ended.
            return path.contains("/agent/") ? api.get(path, query)
                    : memo.ask(List.of("get", api, path, query), () -> api.get(path, query));
        }

        @Override
        public Optional<JsonNode> ifThere(String path) throws TroubleException, InterruptedException {
            return memo.ask(List.of("if there", api, path), () -> api.ifThere(path));
        }

        @Override
        public Optional<String> send(Call call) throws TroubleException, InterruptedException {
            throw writes();
        }

        @Override
        public JsonNode answer(Call call) throws TroubleException, InterruptedException {
            if (!call.path().contains("/agent/")) {
                throw writes();
            }
            return api.answer(call);
        }

        @Override
        public TaskEnd await(String upid, Duration limit, Consumer<String> lines)
                throws TroubleException, InterruptedException {
            return api.await(upid, limit, lines);
        }

        @Override
        public Caller caller() throws TroubleException, InterruptedException {
            return memo.ask(List.of("caller", api), api::caller);
        }

        @Override
        public void close() {
            // Its systems close it.
        }
    }
}
