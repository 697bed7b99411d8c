package dev.pitwall.journey.talos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.journey.change.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What a Talos image is made of, as the Image Factory keeps it: extensions, kernel arguments and the like. Its id is the
 * SHA-256 of its canonical YAML, so that the same content always has the same id; the order of the extensions counts,
 * and this class keeps them sorted (facts: cluster.md 4.4). What it does not know, it keeps as it is. Immutable.
 */
public final class Schematic {
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final List<String> TOP = List.of("overlay", "customization");
    private static final List<String> OVERLAY = List.of("image", "name", "options");
    private static final List<String> CUSTOMIZATION = List.of("embeddedMachineConfiguration", "extraKernelArgs", "meta",
            "systemExtensions", "bootloader", "secureboot", "diskImage");

    private final ObjectNode content;

    private Schematic(ObjectNode content) {
        this.content = content;
    }

    /** Without anything. */
    public static Schematic empty() {
        return of(JsonNodeFactory.instance.objectNode());
    }

    /** @param content as the factory has it; fields in any order */
    public static Schematic of(JsonNode content) {
        ObjectNode sorted = ordered(content, TOP);
        if (sorted.path("overlay").isObject()) {
            sorted.set("overlay", ordered(sorted.path("overlay"), OVERLAY));
        }
        // A struct of Go's: it is there, empty or not.
        sorted.set("customization", ordered(sorted.path("customization"), CUSTOMIZATION));
        return new Schematic(sorted);
    }

    /** @return empty if the text is no YAML or JSON of an object */
    public static Optional<Schematic> parse(String text) {
        try {
            return Optional.of(YAML.readTree(text)).filter(JsonNode::isObject).map(Schematic::of);
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    private static ObjectNode ordered(JsonNode object, List<String> order) {
        ObjectNode sorted = JsonNodeFactory.instance.objectNode();
        order.stream().filter(object::has).forEach(key -> put(sorted, key, object.get(key)));
        object.properties().stream().filter(field -> !order.contains(field.getKey()))
                .forEach(field -> put(sorted, field.getKey(), field.getValue()));
        return sorted;
    }

    /** The factory leaves out what is empty. */
    private static void put(ObjectNode object, String key, JsonNode value) {
        JsonNode kept = pruned(value);
        if (!isNothing(kept)) {
            object.set(key, kept);
        }
    }

    private static JsonNode pruned(JsonNode value) {
        if (!value.isObject()) {
            return value.deepCopy();
        }
        ObjectNode kept = JsonNodeFactory.instance.objectNode();
        value.properties().forEach(field -> put(kept, field.getKey(), field.getValue()));
        return kept;
    }

    private static boolean isNothing(JsonNode value) {
        return value.isNull() || value.isContainerNode() && value.isEmpty();
    }

    /** The text that is hashed, and that is posted. */
    public String canonical() {
        return CanonicalYaml.of(content);
    }

    /** 64 hex digits. It can be used once the factory has been given this schematic. */
    public String id() {
        return Sha256.hex(canonical().getBytes(StandardCharsets.UTF_8));
    }

    /** Official extensions by their full names, for example {@code siderolabs/qemu-guest-agent}. */
    public List<String> extensions() {
        List<String> names = new ArrayList<>();
        content.at("/customization/systemExtensions/officialExtensions").forEach(name -> names.add(name.asText()));
        return List.copyOf(names);
    }

    /** Arguments that are added to the kernel's command line. */
    public List<String> kernelArguments() {
        List<String> arguments = new ArrayList<>();
        content.at("/customization/extraKernelArgs").forEach(argument -> arguments.add(argument.asText()));
        return List.copyOf(arguments);
    }

    /** The same with these official extensions and no others, sorted. */
    public Schematic with(Collection<String> extensions) {
        ObjectNode changed = content.deepCopy();
        ObjectNode custom = (ObjectNode) changed.get("customization");
        ObjectNode system = custom.path("systemExtensions").isObject() ? (ObjectNode) custom.get("systemExtensions")
                : custom.putObject("systemExtensions");
        ArrayNode names = system.putArray("officialExtensions");
        extensions.stream().distinct().sorted().forEach(names::add);
        return of(changed);
    }

    /** True if it carries a machine configuration, which has the cluster's secrets in it. */
    public boolean holdsSecrets() {
        return content.at("/customization/embeddedMachineConfiguration").isTextual();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Schematic schematic && schematic.canonical().equals(canonical());
    }

    @Override
    public int hashCode() {
        return canonical().hashCode();
    }

    @Override
    public String toString() {
        return holdsSecrets() ? id() : canonical();
    }
}
