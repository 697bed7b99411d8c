package dev.pitwall.lab.kube.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.helm.Charts;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.kubelet.Program;
import dev.pitwall.lab.kube.kubelet.Programs;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.World;
import java.net.URI;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** What runs in the containers of model servers, notebooks, builds and Prometheus, and in the hooks of the operator's chart. */
public final class AgentPrograms implements Programs {
    private static final String OPERATOR = "nvcr.io/nvidia/gpu-operator:";

    private final AgentTexts texts = AgentTexts.load();
    private final ModelServerPods servers;
    private final Program jupyter;
    private final Program build;
    private final Program prometheus;
    private final ClusterHand hand;
    private final Charts charts = Charts.load();

    /**
     * @param hand       writes what hooks of charts write
     * @param prometheus the socket of the lab's Prometheus; empty while there is none
     */
    public AgentPrograms(World world, ClusterHand hand, ModelServerPods servers, Supplier<Optional<URI>> prometheus) {
        this.servers = servers;
        this.hand = hand.as("system:serviceaccount:gpu-operator:gpu-operator-upgrade-crd-hook-sa");
        this.jupyter = new Jupyter(world, texts);
        this.prometheus = new Prometheus(texts, prometheus);
        this.build = new Task(texts, "build", texts.seconds("build"));
    }

    @Override
    public Optional<Program> find(String image, JsonNode pod, JsonNode container) {
        String command = container.at("/command/0").asText("");
        if (image.startsWith(OPERATOR)) {
            return DefinitionsHook.task(container.path("name").asText())
                    .map(task -> new DefinitionsHook(hand, charts, texts, task));
        }
        return texts.images().entrySet().stream().filter(entry -> image.startsWith(entry.getKey()))
                .max(Comparator.comparing(entry -> entry.getKey().length())).map(Map.Entry::getValue)
                .filter(name -> command.isEmpty() || !name.equals("ollama") || command.endsWith("ollama"))
                .map(this::program);
    }

    private Program program(String name) {
        return switch (name) {
            case "ollama" -> servers.program(LabModelServer.Kind.OLLAMA);
            case "llama-server" -> servers.program(LabModelServer.Kind.LLAMA_SERVER);
            case "jupyter" -> jupyter;
            case "build" -> build;
            case "prometheus" -> prometheus;
            default -> throw new IllegalStateException("no program " + name);
        };
    }
}
