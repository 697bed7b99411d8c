package dev.pitwall.lab.kube.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.kubelet.Program;
import dev.pitwall.lab.kube.kubelet.Programs;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.World;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/** What runs in the containers of model servers, notebooks and builds, and in the hooks of the operator's chart. */
public final class AgentPrograms implements Programs {
    private final AgentTexts texts = AgentTexts.load();
    private final ModelServerPods servers;
    private final Program jupyter;
    private final Program build;
    private final Program definitions;

    public AgentPrograms(World world, ModelServerPods servers) {
        this.servers = servers;
        this.jupyter = new Jupyter(world, texts);
        this.build = new Task(texts, "build", texts.seconds("build"));
        this.definitions = new Task(texts, "manage-crds", texts.seconds("crdsApplied"));
    }

    @Override
    public Optional<Program> find(String image, JsonNode pod, JsonNode container) {
        String command = container.at("/command/0").asText("");
        if (command.endsWith("/manage-crds")) {
            return Optional.of(definitions);
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
            default -> throw new IllegalStateException("no program " + name);
        };
    }
}
