package dev.pitwall.doctor.live;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Helm;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.SystemsAround;
import dev.pitwall.journey.Talos;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The systems of a site for one look: what several ask is asked once. The Doctor and the steps of every card read a host, a
 * node and a cluster in much the same way, and a site has many cards. Nobody may write through it. Thread-safe.
 */
final class ReadOnce extends SystemsAround {
    private final Memo memo = new Memo();

    ReadOnce(Systems systems) {
        super(systems);
    }

    @Override
    protected Machine around(Machine machine) {
        return new OnceMachine(machine, memo);
    }

    @Override
    protected Proxmox around(Proxmox api, String node) {
        return new OnceProxmox(api, memo);
    }

    @Override
    protected Cluster around(Cluster cluster) {
        return new OnceCluster(cluster, memo);
    }

    @Override
    protected Helm around(Helm helm) {
        return new OnceHelm(helm, memo);
    }

    @Override
    protected Talos around(Talos talos) {
        return new OnceTalos(talos, memo);
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
