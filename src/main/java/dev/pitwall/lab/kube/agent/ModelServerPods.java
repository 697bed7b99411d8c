package dev.pitwall.lab.kube.agent;

import dev.pitwall.lab.kube.container.LogSource;
import dev.pitwall.lab.kube.control.ClusterClock;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Program;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.models.ModelServers;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.Wiring;
import dev.pitwall.lab.world.World;
import java.net.URI;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A container that runs a model server is that model server of the world: it comes with the container, bound to the
 * node and to the card that the kubelet gave it (none: it works on the processor), and goes with it. What it had on its
 * disk stays with the claim that was mounted there. Its name is that of its Deployment. Servers that a scene already has
 * are taken over as they are; those of them that no container runs when the present begins are gone. Used by the control
 * loop's thread.
 */
public final class ModelServerPods implements Controller {
    private final World world;
    private final ObjectStore store;
    private final ClusterClock clock;
    private final Instant present;
    private final Function<String, Optional<URI>> addresses;
    private final AgentTexts texts = AgentTexts.load();
    /** Uid of the pod that is a server, by the server's name. */
    private final Map<String, String> pods = new HashMap<>();
    private boolean swept;

    /**
     * @param present   the moment at which the lab's present begins
     * @param addresses the socket of a server by its name
     */
    public ModelServerPods(World world, ObjectStore store, ClusterClock clock, Instant present,
                           Function<String, Optional<URI>> addresses) {
        this.world = world;
        this.store = store;
        this.clock = clock;
        this.present = present;
        this.addresses = addresses;
    }

    /** What runs in such a container. */
    public Program program(LabModelServer.Kind kind) {
        return new Server(kind);
    }

    @Override
    public Set<Resource> watches() {
        return Set.of();
    }

    @Override
    public Instant act(Instant now) {
        if (!swept && (!clock.isPast() || now.isAfter(present))) {
            swept = true;
            List<String> unborn = world.read(w -> w.servers.keySet().stream()
                    .filter(name -> !pods.containsKey(name)).toList());
            unborn.forEach(name -> ModelServers.vanish(world, name));
        }
        return swept ? Instant.MAX : now.isBefore(present) ? present : now.plusMillis(1);
    }

    /** A server's process. */
    private final class Server implements Program {
        private final LabModelServer.Kind kind;
        private final String disk;

        Server(LabModelServer.Kind kind) {
            this.kind = kind;
            this.disk = switch (kind) {
                case OLLAMA -> "/root/.ollama";
                case LLAMA_SERVER -> "/models";
            };
        }

        @Override
        public Doing look(Run run, Instant now) {
            String name = run.notes().computeIfAbsent("server", key -> name(run));
            if (!run.pod().uid().equals(pods.get(name))) {
                comeUp(run, name);
                pods.put(name, run.pod().uid());
            }
            return Doing.readyAt(run.startedAt().plusSeconds(texts.seconds("serverStart")), now);
        }

        /** Its workload's name; with the namespace behind it where another namespace has a server of that name. */
        private String name(Run run) {
            String workload = ServerPod.workload(run.pod());
            String namespace = run.pod().key().namespace();
            return world.read(w -> Optional.ofNullable(w.servers.get(workload))
                    .filter(server -> !server.namespace.equals(namespace))
                    .map(taken -> workload + "." + namespace).orElse(workload));
        }

        private void comeUp(Run run, String name) {
            ModelServers.Appearance wanted = new ModelServers.Appearance(name, run.pod().key().namespace(), run.node(),
                    ServerPod.card(world, run).orElse(""), version(run), kind);
            boolean there = world.read(w -> Optional.ofNullable(w.servers.get(name))
                    .filter(server -> server.kind == kind).isPresent());
            if (!there) {
                ModelServers.appear(world, wanted);
                world.change(w -> restore(w.servers.get(name), w, run));
                return;
            }
            world.change(w -> {
                LabModelServer server = w.servers.get(name);
                server.node = wanted.node();
                server.card = wanted.card();
                server.version = wanted.version();
                Wiring.renew(w);
            });
        }

        private void restore(LabModelServer server, World w, Run run) {
            ServerPod.claim(store, run, disk).map(w.modelDisks::get).ifPresent(server.installed::addAll);
        }

        /** As the image's tag says it; a llama-server's is the build in the end of its tag. */
        private String version(Run run) {
            String tag = ServerPod.tag(run);
            return kind == LabModelServer.Kind.LLAMA_SERVER ? tag.substring(tag.lastIndexOf('-') + 1)
                    : tag.replaceFirst("-rocm$", "");
        }

        @Override
        public void ended(Run run, Instant now) {
            String name = run.notes().getOrDefault("server", "");
            if (!run.pod().uid().equals(pods.get(name))) {
                return;
            }
            pods.remove(name);
            if (clock.isPast()) {
                // A scene says what is loaded at its present, whatever happened before.
                return;
            }
            Optional<String> claim = ServerPod.claim(store, run, disk);
            world.change(w -> claim.ifPresent(uid -> Optional.ofNullable(w.servers.get(name))
                    .ifPresent(server -> w.modelDisks.put(uid, List.copyOf(server.installed)))));
            ModelServers.vanish(world, name);
        }

        @Override
        public List<LogSource.Line> log(Run run, Instant until) {
            Map<String, String> values = new HashMap<>(Map.of("version", version(run), "gpu", "cpu", "library", "cpu",
                    "product", ""));
            world.read(w -> ServerPod.card(w, run).map(w.cards::get)).ifPresent(card -> values.putAll(
                    Map.of("gpu", card.uuid, "library", "CUDA", "product", card.product)));
            return texts.log(kind.word(), run.startedAt(), until, values);
        }

        @Override
        public Optional<URI> backend(Run run, int port) {
            return port == kind.port() ? Optional.ofNullable(run.notes().get("server")).flatMap(addresses)
                    : Optional.empty();
        }
    }
}
