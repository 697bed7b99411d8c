package dev.pitwall.lab.kube.operator.program;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.kubelet.ImageName;
import dev.pitwall.lab.kube.kubelet.Program;
import dev.pitwall.lab.kube.kubelet.Programs;
import dev.pitwall.lab.kube.machine.KernelCheck;

import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** What runs in NVIDIA's images, by image, command and container. */
public final class NvidiaPrograms implements Programs {
    private static final String VALIDATOR = "nvidia-validator";
    private final Ground ground;
    private final Registry registry = Registry.load();
    private final Program driver;
    private final Program discovery;
    private final Program exporter;
    private final Map<String, Program> validations;

    /** @param exporters who answers on port 9400 for the exporter of a node */
    public NvidiaPrograms(Ground ground, Function<String, Optional<URI>> exporters) {
        this.ground = ground;
        this.driver = new DriverContainer(ground, new KernelCheck(), Mirrors.load());
        this.discovery = new FeatureDiscovery(ground, CardLabels.load());
        this.exporter = new Exporter(ground, exporters);
        this.validations = Map.of("driver", new DriverValidation(ground), "toolkit", new ToolkitValidation(ground),
                "cuda", new WorkloadValidation(ground, WorkloadValidation.Kind.CUDA),
                "plugin", new CapacityValidation(ground));
    }

    @Override
    public Optional<Program> find(String image, JsonNode pod, JsonNode container) {
        return registry.holds(image).flatMap(holds -> program(holds, image, container));
    }

    private Optional<Program> program(String holds, String image, JsonNode container) {
        return switch (holds) {
            case "driver" -> Optional.of(driver);
            case "driver-manager" -> Optional.of(new DriverManager(ground));
            case "operator" -> inOperator(image, container);
            case "toolkit" -> Optional.of(new Toolkit(ground));
            case "plugin" -> Optional.of(inPlugin(container));
            case "sample" -> inSample(image, container);
            case "exporter" -> Optional.of(exporter);
            case "idle" -> Optional.of(new Idle(ground, container.path("name").asText()));
            default -> Optional.empty();
        };
    }

    /** The operator's image holds the validator since v25.10, one of its own did before (facts: cluster.md 1.1). */
    private Optional<Program> inOperator(String image, JsonNode container) {
        String words = words(container);
        if (words.contains(VALIDATOR)) {
            return Optional.of(registry.hasValidator(image) ? validation(container)
                    : new MissingCommand(ground, VALIDATOR));
        }
        if (words.contains("toolkit-ready")) {
            return Optional.of(new ToolkitWait(ground));
        }
        if (words.contains("all validations are successful")) {
            return Optional.of(new ValidatorMain(ground));
        }
        if (words.contains("vectorAdd")) {
            return Optional.of(new VectorAdd(ground));
        }
        if (words.contains("echo ")) {
            return Optional.of(new Says(ground, words.substring(words.indexOf("echo ") + "echo ".length()).strip()));
        }
        return words.startsWith("gpu-operator") ? Optional.of(new Idle(ground, "gpu-operator")) : Optional.empty();
    }

    /** The image runs its sample by itself. */
    private Optional<Program> inSample(String image, JsonNode container) {
        String words = words(container);
        boolean adds = ImageName.of(image).tag().startsWith("vectoradd")
                && (words.isEmpty() || words.contains("vectorAdd"));
        return adds ? Optional.of(new VectorAdd(ground)) : Optional.empty();
    }

    private Program validation(JsonNode container) {
        String component = variable(container, "COMPONENT");
        if (component.equals("plugin") && variable(container, "WITH_WORKLOAD").equals("true")) {
            return new WorkloadValidation(ground, WorkloadValidation.Kind.PLUGIN);
        }
        return validations.getOrDefault(component, new Idle(ground, "nvidia-node-status-exporter"));
    }

    private Program inPlugin(JsonNode container) {
        String words = words(container);
        return words.contains("config-manager") ? new ConfigManager(ground)
                : words.contains("gpu-feature-discovery") ? discovery
                : words.contains("mps-control-daemon") ? new Idle(ground, "mps-control-daemon")
                : new DevicePlugin(ground);
    }

    private static String words(JsonNode container) {
        StringBuilder words = new StringBuilder();
        container.path("command").forEach(word -> words.append(word.asText()).append(' '));
        container.path("args").forEach(word -> words.append(word.asText()).append(' '));
        return words.toString();
    }

    private static String variable(JsonNode container, String name) {
        for (JsonNode variable : container.path("env")) {
            if (variable.path("name").asText().equals(name)) {
                return variable.path("value").asText("");
            }
        }
        return "";
    }
}
