package dev.pitwall.lab.ssh.software;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.world.LabSystem.NvidiaModule;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Every package that a machine of the lab can have, from {@code packages.yaml}. Families of packages that differ in a
 * branch or a flavour are written once there.
 */
public final class PackageCatalog {
    private static final String KERNEL = "${kernel}";

    /**
     * A package.
     *
     * @param os      systems that have it
     * @param source  id of the package source it comes from
     * @param sizeKiB what is downloaded
     * @param files   text by path; empty for a program
     * @param module  the NVIDIA module it brings, or builds where {@code dkms} says so
     * @param kernel  version of the kernel it brings; empty for none
     * @param group   packages of one group exclude each other; empty for none
     */
    public record Entry(String name, List<String> os, String source, String version, String summary, long sizeKiB,
                        List<String> depends, Map<String, String> files, Optional<NvidiaModule> module, String kernel,
                        String group) {
        Entry on(String running) {
            return new Entry(name.replace(KERNEL, running), os, source, version.replace(KERNEL, running), summary,
                    sizeKiB, depends.stream().map(d -> d.replace(KERNEL, running)).toList(), files, module, kernel,
                    group);
        }
    }

    /**
     * Where packages come from.
     *
     * @param marks words of a sources file that name it
     * @param key   path of the key that a sources file must name by {@code signed-by}; empty for one that is there
     */
    public record Source(String id, List<String> marks, String key, String shown) {
    }

    private final List<Entry> entries = new ArrayList<>();
    private final List<Source> sources = new ArrayList<>();
    private final Map<String, String> newestKernel = new LinkedHashMap<>();
    private final long kibPerSecond;
    private final long dkmsSeconds;

    private PackageCatalog(JsonNode root) {
        kibPerSecond = root.path("kibPerSecond").asLong();
        dkmsSeconds = root.path("dkmsSeconds").asLong();
        root.path("newestKernel").properties().forEach(p -> newestKernel.put(p.getKey(), p.getValue().asText()));
        root.path("sources").forEach(s -> sources.add(new Source(s.path("id").asText(), strings(s.path("marks")),
                s.path("key").asText(), s.path("shown").asText())));
        root.path("packages").forEach(node -> expand(root, node));
    }

    public static PackageCatalog read(byte[] yaml) {
        try {
            return new PackageCatalog(new YAMLMapper().readTree(yaml));
        } catch (IOException e) {
            throw new UncheckedIOException("packages.yaml cannot be read", e);
        }
    }

    private void expand(JsonNode root, JsonNode node) {
        List<Map<String, String>> bindings = List.of(Map.of());
        for (JsonNode variable : node.path("each")) {
            JsonNode values = root.path("variables").path(variable.asText());
            List<Map<String, String>> next = new ArrayList<>();
            for (Map<String, String> binding : bindings) {
                for (JsonNode value : values) {
                    Map<String, String> more = new LinkedHashMap<>(binding);
                    value.properties().forEach(p -> more.put(p.getKey(), p.getValue().asText()));
                    next.add(more);
                }
            }
            bindings = next;
        }
        bindings.forEach(binding -> entries.add(entry(node, binding)));
    }

    private static Entry entry(JsonNode n, Map<String, String> binding) {
        Map<String, String> files = new LinkedHashMap<>();
        n.path("files").properties().forEach(p -> files.put(filled(p.getKey(), binding),
                filled(p.getValue().asText(), binding)));
        JsonNode module = n.path("module");
        Optional<NvidiaModule> brings = module.isMissingNode() ? Optional.empty() : Optional.of(new NvidiaModule(
                filled(module.path("version").asText(), binding),
                filled(module.path("open").asText(), binding).equals("true"),
                module.path("signer").asText(), module.path("dkms").asBoolean()));
        return new Entry(filled(n.path("name").asText(), binding), strings(n.path("os")),
                n.path("source").asText("archive"), filled(n.path("version").asText(), binding),
                filled(n.path("summary").asText(), binding), n.path("sizeKiB").asLong(),
                strings(n.path("depends")).stream().map(d -> filled(d, binding)).toList(), files, brings,
                n.path("kernel").asText(), filled(n.path("group").asText(), binding));
    }

    private static String filled(String text, Map<String, String> binding) {
        String out = text;
        for (Map.Entry<String, String> b : binding.entrySet()) {
            out = out.replace("${" + b.getKey() + "}", b.getValue());
        }
        return out;
    }

    private static List<String> strings(JsonNode node) {
        List<String> list = new ArrayList<>();
        node.forEach(v -> list.add(v.asText()));
        return list;
    }

    /** @param kernel the running kernel; packages of the newest one are there too */
    public Optional<Entry> find(String os, String name, String kernel) {
        return all(os, kernel).stream().filter(e -> e.name().equals(name)).findFirst();
    }

    /** All packages of a system, those of each kernel for the running and for the newest one. */
    public List<Entry> all(String os, String kernel) {
        List<Entry> all = new ArrayList<>();
        for (Entry e : entries) {
            if (!e.os().contains(os)) {
                continue;
            }
            all.add(e.on(kernel));
            if (e.name().contains(KERNEL) && !newestKernel(os).isEmpty() && !newestKernel(os).equals(kernel)) {
                all.add(e.on(newestKernel(os)));
            }
        }
        return all;
    }

    /** The kernel that an upgrade brings; empty for none. */
    public String newestKernel(String os) {
        return newestKernel.getOrDefault(os, "");
    }

    public List<Source> sources() {
        return sources;
    }

    /** How long a download takes, in lab seconds. */
    public long downloadSeconds(long kib) {
        return Math.max(1, kib / kibPerSecond);
    }

    /** How long DKMS builds the NVIDIA modules for one kernel, in lab seconds. */
    public long dkmsSeconds() {
        return dkmsSeconds;
    }
}
