package dev.pitwall.link.kube;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;

/** The names Pitwall looks for in a cluster, from {@code workloads.yaml}. */
record Workloads(List<String> operands, List<String> sharedNamespaces, Endpoints modelServers, Endpoints prometheus,
                 Endpoints exporters, List<String> gpuLabels, List<String> nodeLabels) {

    /** @param ports TCP ports by which a service without such a name is known */
    record Endpoints(List<String> names, List<Integer> ports) {
        boolean port(int port) {
            return ports.contains(port);
        }
    }

    /** Reads the file when first asked for, and once: parsing it takes too long for a thread that draws. */
    static Supplier<Workloads> whenNeeded() {
        AtomicReference<Workloads> loaded = new AtomicReference<>();
        return () -> {
            if (loaded.get() == null) {
                loaded.compareAndSet(null, load());
            }
            return loaded.get();
        };
    }

    static Workloads load() {
        try (InputStream file = Workloads.class.getResourceAsStream("workloads.yaml")) {
            return new ObjectMapper(new YAMLFactory()).readValue(file, Workloads.class);
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    /** True if a name is in a list; an entry that ends in {@code *} stands for every name that begins so. */
    static boolean matches(List<String> list, String name) {
        for (String entry : list) {
            boolean fits = entry.endsWith("*") ? name.startsWith(entry.substring(0, entry.length() - 1))
                    : name.equals(entry);
            if (fits) {
                return true;
            }
        }
        return false;
    }

    boolean operand(Map<String, String> labels, String name) {
        return labelled(operands, labels) || matches(operands, name);
    }

    /** True if label {@code app} or {@code app.kubernetes.io/name} is in the list. */
    static boolean labelled(List<String> list, Map<String, String> labels) {
        return matches(list, labels.getOrDefault("app", ""))
                || matches(list, labels.getOrDefault("app.kubernetes.io/name", ""));
    }

    /** True if it carries the name of something that is reached as a service. */
    boolean served(Map<String, String> labels) {
        return labelled(modelServers.names(), labels) || labelled(prometheus.names(), labels)
                || labelled(exporters.names(), labels);
    }

    boolean servedPort(int port) {
        return modelServers.port(port) || prometheus.port(port) || exporters.port(port);
    }
}
