package dev.pitwall.lab.talos;

import java.util.List;
import java.util.Map;

/**
 * What an image is made of, as the Image Factory keeps it. Its id is the SHA-256 of its canonical YAML, so the order of
 * the extensions matters (facts: cluster.md 4.4).
 */
public final class Schematic {
    private final Map<String, Object> content;

    private Schematic(Map<String, Object> content) {
        this.content = content;
    }

    /** @param extensions official extensions by their full name, in the order they are to be hashed */
    public static Schematic of(List<String> extensions) {
        Map<String, Object> custom = extensions.isEmpty() ? Map.of()
                : Map.of("systemExtensions", Map.of("officialExtensions", List.copyOf(extensions)));
        return new Schematic(Map.of("customization", custom));
    }

    /**
     * Reads YAML or JSON.
     *
     * @throws FactoryRefusal 400 if it is none, or has a field that there is not
     */
    static Schematic parse(String text) throws FactoryRefusal {
        Schematic schematic = new Schematic(SchematicForm.read(text));
        if (schematic.content.containsKey("owner")) {
            throw FactoryRefusal.invalid("owner field is only supported in Enterprise edition");
        }
        return schematic;
    }

    /** The text that is hashed. */
    public String canonical() {
        return GoYaml.write(content);
    }

    /** 64 hex digits. */
    public String id() {
        return Digests.hex(canonical());
    }

    /** The official extensions it names, in its order. */
    public List<String> extensions() {
        return switch (content.get("customization")) {
            case Map<?, ?> custom when custom.get("systemExtensions") instanceof Map<?, ?> extensions
                    && extensions.get("officialExtensions") instanceof List<?> names ->
                    names.stream().map(String::valueOf).toList();
            case null, default -> List.of();
        };
    }
}
