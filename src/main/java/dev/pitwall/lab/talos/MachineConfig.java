package dev.pitwall.lab.talos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A machine configuration: the v1alpha1 document and those beside it. Immutable. */
public final class MachineConfig {
    private static final ObjectMapper YAML = YAMLMapper.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER).enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR).build();
    private static final JsonNode KEYS = tree(TalosData.text("config-keys.yaml"));

    /** What a node is installed with. */
    public record Installation(String cluster, String type, String kubelet, String schematic, String version,
                               List<String> modules, Map<String, String> labels) {
    }

    private final String text;
    private final JsonNode main;
    private final List<JsonNode> others;

    private MachineConfig(String text, JsonNode main, List<JsonNode> others) {
        this.text = text;
        this.main = main;
        this.others = others;
    }

    /** The YAML of a freshly installed node. */
    public static String installed(Installation with) {
        JsonNode root = tree(TalosData.text("machine-config.yaml").replace("{type}", with.type())
                .replace("{cluster}", with.cluster()).replace("{kubelet}", with.kubelet())
                .replace("{schematic}", with.schematic()).replace("{version}", with.version()));
        ObjectNode machine = (ObjectNode) root.path("machine");
        if (!with.modules().isEmpty()) {
            var modules = machine.putObject("kernel").putArray("modules");
            with.modules().forEach(name -> modules.addObject().put("name", name));
        }
        if (!with.labels().isEmpty()) {
            ObjectNode labels = machine.putObject("nodeLabels");
            with.labels().forEach(labels::put);
        }
        return written(root);
    }

    /** One that is in force, so it has been checked. */
    static MachineConfig inForce(String text) {
        try {
            return parse(text);
        } catch (ConfigRefusal e) {
            throw new IllegalStateException("a configuration in force cannot be read", e);
        }
    }

    /**
     * Reads what a client sends and checks it as a node of a release does.
     *
     * @throws ConfigRefusal with Talos's text
     */
    static MachineConfig checked(String text, TalosData.Release release) throws ConfigRefusal {
        MachineConfig config = parse(text);
        if (config.main.isMissingNode()) {
            throw new ConfigRefusal("the applied machine configuration doesn't contain v1alpha1 config, did you mean to"
                    + " patch the machine config instead?");
        }
        for (JsonNode document : config.others) {
            String kind = document.path("kind").asText();
            if (knownSince(kind).filter(release::isAtLeast).isEmpty()) {
                throw new ConfigRefusal("error decoding document " + document.path("apiVersion").asText() + "/" + kind
                        + "/" + document.path("name").asText() + ": \"" + kind + "\" \""
                        + document.path("apiVersion").asText() + "\": not registered");
            }
        }
        config.refuseUnknownKeys();
        config.validate();
        return config;
    }

    private static Optional<String> knownSince(String kind) {
        for (JsonNode known : KEYS.path("documents")) {
            if (known.path("kind").asText().equals(kind)) {
                return Optional.of(known.path("since").asText());
            }
        }
        return Optional.empty();
    }

    private static MachineConfig parse(String text) throws ConfigRefusal {
        JsonNode main = YAML.missingNode();
        List<JsonNode> others = new ArrayList<>();
        try (MappingIterator<JsonNode> documents = YAML.readerFor(JsonNode.class).readValues(text)) {
            while (documents.hasNextValue()) {
                JsonNode document = documents.nextValue();
                if (document.has("kind")) {
                    others.add(document);
                } else if (document.has("version") || document.has("machine")) {
                    main = document;
                } else if (!document.isNull() && !document.isMissingNode()) {
                    throw new ConfigRefusal("error decoding document: missing kind");
                }
            }
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
            throw new ConfigRefusal("decode error: yaml: line " + line + ": " + e.getOriginalMessage().lines()
                    .findFirst().orElse("did not find expected node content"));
        } catch (IOException e) {
            throw new ConfigRefusal("decode error: " + e.getMessage());
        }
        return new MachineConfig(text, main, List.copyOf(others));
    }

    private void refuseUnknownKeys() throws ConfigRefusal {
        ObjectNode unknown = YAML.createObjectNode();
        collect(main, KEYS.path("top"), unknown);
        for (String part : List.of("machine", "cluster")) {
            ObjectNode below = YAML.createObjectNode();
            collect(main.path(part), KEYS.path(part), below);
            if (!below.isEmpty()) {
                unknown.set(part, below);
            }
        }
        if (!unknown.isEmpty()) {
            throw new ConfigRefusal("unknown keys found during decoding:\n" + written(unknown));
        }
    }

    private static void collect(JsonNode given, JsonNode known, ObjectNode unknown) {
        given.properties().forEach(entry -> {
            boolean there = false;
            for (JsonNode key : known) {
                there |= key.asText().equals(entry.getKey());
            }
            if (!there) {
                unknown.set(entry.getKey(), entry.getValue());
            }
        });
    }

    private void validate() throws ConfigRefusal {
        List<String> errors = new ArrayList<>();
        if (!List.of("controlplane", "worker", "init").contains(type())) {
            errors.add("unknown machine type \"" + type() + "\"");
        }
        if (main.at("/cluster/controlPlane/endpoint").asText().isEmpty()) {
            errors.add("cluster controlplane endpoint is required");
        }
        taints().forEach((key, value) -> {
            if (!value.contains(":")) {
                errors.add("invalid machine node taints: 1 error occurred:\n\t* invalid taint effect: \"" + value + "\"");
            }
        });
        for (JsonNode module : main.at("/machine/kernel/modules")) {
            if (module.path("name").asText().isEmpty()) {
                errors.add("kernel module name is required");
            }
        }
        if (!errors.isEmpty()) {
            throw new ConfigRefusal(errors.size() + " error" + (errors.size() == 1 ? "" : "s") + " occurred:\n\t* "
                    + String.join("\n\t* ", errors) + "\n\n");
        }
    }

    String text() {
        return text;
    }

    /** {@code controlplane} or {@code worker}. */
    String type() {
        return main.at("/machine/type").asText();
    }

    /** Kernel modules it asks for, in order, each once. */
    List<String> modules() {
        List<String> names = new ArrayList<>();
        main.at("/machine/kernel/modules").forEach(module -> names.add(module.path("name").asText()));
        others.stream().filter(document -> document.path("kind").asText().equals("KernelModuleConfig"))
                .forEach(document -> names.add(document.path("name").asText()));
        return names.stream().distinct().toList();
    }

    Map<String, String> labels() {
        return map(main.at("/machine/nodeLabels"));
    }

    /** Value and effect by key, {@code present:NoSchedule}. */
    Map<String, String> taints() {
        return map(main.at("/machine/nodeTaints"));
    }

    private static Map<String, String> map(JsonNode node) {
        Map<String, String> values = new LinkedHashMap<>();
        node.properties().forEach(entry -> values.put(entry.getKey(), entry.getValue().asText()));
        return values;
    }

    /** True if going over to the other one needs no reboot. */
    boolean isImmediateTo(MachineConfig other) {
        return stripped(main).equals(stripped(other.main));
    }

    private static JsonNode stripped(JsonNode main) {
        ObjectNode copy = main.deepCopy();
        KEYS.at("/immediate/top").forEach(key -> copy.remove(key.asText()));
        if (copy.path("machine") instanceof ObjectNode machine) {
            KEYS.at("/immediate/machine").forEach(key -> machine.remove(key.asText()));
            machine.remove("features");
        }
        return copy;
    }

    private static JsonNode tree(String yaml) {
        try {
            return YAML.readTree(yaml);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("the lab's Talos data is not readable", e);
        }
    }

    private static String written(JsonNode node) {
        try {
            return YAML.writeValueAsString(node);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("a tree is always writable", e);
        }
    }
}
