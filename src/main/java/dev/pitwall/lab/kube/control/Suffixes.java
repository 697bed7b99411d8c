package dev.pitwall.lab.kube.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.NameSuffix;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.TreeSet;

/** Names that the controllers generate, and hashes of templates. */
public final class Suffixes {
    /** What may stand before the suffix of a generated name, which is at most 63 characters long with it. */
    public static final int LONGEST_BASE = 63 - NameSuffix.LENGTH;
    private static final int FNV_OFFSET = 0x811c9dc5;
    private static final int FNV_PRIME = 0x01000193;

    private final Random random;

    /** @param random seeded, so that a run repeats; used by the loop's thread only */
    public Suffixes(Random random) {
        this.random = random;
    }

    /** A name after a {@code generateName}. */
    public String name(String base) {
        return (base.length() > LONGEST_BASE ? base.substring(0, LONGEST_BASE) : base) + NameSuffix.of(random);
    }

    /** The hash of a template, another one for each time that a name with the one before was taken already. */
    public static String hash(JsonNode template, int collisions) {
        if (collisions == 0) {
            return hash(template);
        }
        ObjectNode both = Json.object();
        both.set("template", template);
        return hash(both.put("collisions", collisions));
    }

    /**
     * The hash of a template: FNV-1a of 32 bits, its decimal digits written in the safe letters, as the workload
     * controllers do. What is hashed here is the template's JSON with sorted fields, so the value is another than a real
     * cluster's.
     */
    public static String hash(JsonNode template) {
        int hash = FNV_OFFSET;
        StringBuilder text = new StringBuilder();
        write(template, text);
        for (byte b : text.toString().getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * FNV_PRIME;
        }
        StringBuilder safe = new StringBuilder();
        Integer.toUnsignedString(hash).chars().forEach(digit ->
                safe.append(NameSuffix.LETTERS.charAt(digit % NameSuffix.LETTERS.length())));
        return safe.toString();
    }

    private static void write(JsonNode node, StringBuilder to) {
        if (node.isObject()) {
            to.append('{');
            TreeSet<String> names = new TreeSet<>();
            node.fieldNames().forEachRemaining(names::add);
            for (String name : names) {
                to.append(name).append(':');
                write(node.get(name), to);
            }
            to.append('}');
        } else if (node.isArray()) {
            to.append('[');
            node.forEach(item -> write(item, to.append(',')));
            to.append(']');
        } else {
            to.append(node);
        }
    }
}
