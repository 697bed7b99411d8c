package dev.pitwall.doctor.fix;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.Risk;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Doses for the container engine that k3s or RKE2 brings to the machines of the finding's nodes. */
final class RuntimeDoses {
    private static final Duration RESTART_TAKES = Duration.ofSeconds(20);
    private static final Duration RESTART_LIMIT = Duration.ofMinutes(5);
    private static final Pattern DISTRIBUTION = Pattern.compile("\\+(rke2|k3s)");
    private static final Pattern CONTAINERD = Pattern.compile("containerd://v?(\\d+)\\.(\\d+).*");
    private static final Pattern DEFAULT = Pattern.compile("(?m)^default-runtime\\s*:.*$");
    private static final String WANTED = "default-runtime: nvidia";
    /** With it a template has all that the service would write by itself, the runtimes that it finds among it. */
    private static final String BASE = "{{ template \"base\" . }}";
    private static final Pattern HANDLER = Pattern.compile("(?m)^[^#]*runtimes\\.['\"]?nvidia['\"]?");
    private static final List<String> TEMPLATES = List.of("config.toml.tmpl", "config-v3.toml.tmpl");

    private final Patient patient;

    RuntimeDoses(Patient patient) {
        this.patient = patient;
    }

    /** Which of two distributions a node is of; each has its files and its service under its own name. */
    private static Optional<String> distribution(JsonNode node) {
        Matcher m = DISTRIBUTION.matcher(node.at("/status/nodeInfo/kubeletVersion").asText());
        return m.find() ? Optional.of(m.group(1)) : Optional.empty();
    }

    /** containerd reads CDI specifications from 1.7 on (facts: cluster.md 1.9). */
    static boolean readsCdi(JsonNode node) {
        Matcher m = CONTAINERD.matcher(node.at("/status/nodeInfo/containerRuntimeVersion").asText());
        return !m.matches() || Integer.parseInt(m.group(1)) > 1 || Integer.parseInt(m.group(2)) >= 7;
    }

    /** True if a node's service writes containerd's configuration by settings of its own, and by nothing of the toolkit's. */
    static boolean hasOwnSettings(JsonNode node) {
        return distribution(node).isPresent();
    }

    /**
     * {@code nvidia} as the default runtime in the settings of k3s and RKE2: what the toolkit writes of a default is not
     * read there (facts: cluster.md 5).
     */
    List<Change> defaultRuntime(List<JsonNode> nodes) throws TroubleException, InterruptedException {
        List<Change> changes = new ArrayList<>();
        for (JsonNode node : nodes) {
            Optional<String> distribution = distribution(node);
            Optional<Machine> machine = distribution.isEmpty() ? Optional.empty() : machine(node);
            if (machine.isPresent()) {
                String path = "/etc/rancher/" + distribution.get() + "/config.yaml";
                Content before = machine.get().read(path);
                Content after = Content.of(withDefault(before.text()));
                if (!before.equals(after)) {
                    changes.add(new FileChange(machine.get().name(), path, before, after, WANTED));
                    changes.addAll(restart(machine.get(), distribution.get()));
                }
            }
        }
        return changes;
    }

    private static String withDefault(String settings) {
        Matcher m = DEFAULT.matcher(settings);
        return m.find() ? m.replaceFirst(WANTED)
                : settings + (settings.isEmpty() || settings.endsWith("\n") ? "" : "\n") + WANTED + "\n";
    }

    /** Templates that keep the service from naming the runtimes that it finds go; the service then writes a file of its own. */
    List<Change> templatesAway() throws TroubleException, InterruptedException {
        List<Change> changes = new ArrayList<>();
        for (JsonNode node : patient.nodes()) {
            Optional<String> distribution = distribution(node);
            Optional<Machine> machine = distribution.isEmpty() ? Optional.empty() : machine(node);
            if (machine.isPresent()) {
                changes.addAll(templatesAway(machine.get(), distribution.get()));
            }
        }
        return changes;
    }

    private static List<Change> templatesAway(Machine machine, String distribution) throws TroubleException, InterruptedException {
        List<Change> changes = new ArrayList<>();
        for (String name : TEMPLATES) {
            String path = "/var/lib/rancher/" + distribution + "/agent/etc/containerd/" + name;
            Content before = machine.read(path);
            if (!before.absent() && !before.text().contains(BASE) && !HANDLER.matcher(before.text()).find()) {
                changes.add(new FileChange(machine.name(), path, before, Content.ABSENT, "removed; undo puts it back"));
            }
        }
        if (!changes.isEmpty()) {
            changes.addAll(restart(machine, distribution));
        }
        return changes;
    }

    private Optional<Machine> machine(JsonNode node) throws TroubleException, InterruptedException {
        Optional<String> name = patient.machines().shell(node.at("/metadata/name").asText());
        return name.isEmpty() ? Optional.empty() : Optional.of(patient.systems().machine(name.get()));
    }

    /** The service that runs, of the two that a machine may have; none if neither does. */
    private static List<Change> restart(Machine machine, String distribution) throws TroubleException, InterruptedException {
        List<String> units = distribution.equals("rke2") ? List.of("rke2-server", "rke2-agent") : List.of("k3s", "k3s-agent");
        List<String> words = machine.run("systemctl", "is-active", units.get(0), units.get(1)).output().lines()
                .map(String::strip).toList();
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < units.size(); i++) {
            if (i < words.size() && words.get(i).equals("active")) {
                changes.add(new CommandChange(machine.name(), List.of("systemctl", "restart", units.get(i)),
                        "containerd reads its configuration at the start", Risk.RESTARTS_PODS, RESTART_TAKES, RESTART_LIMIT));
            }
        }
        return changes;
    }
}
