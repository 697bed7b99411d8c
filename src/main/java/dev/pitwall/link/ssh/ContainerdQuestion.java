package dev.pitwall.link.ssh;

import dev.pitwall.card.MachineReport.ContainerdSettings;
import dev.pitwall.card.TroubleException;
import dev.pitwall.read.ContainerdConfig;
import dev.pitwall.read.ContainerdReader;
import dev.pitwall.read.Text;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the configuration that Kubernetes' containerd runs with. RKE2, k3s and MicroK8s bring a containerd of their
 * own, which comes before one of the system (facts: cluster 5). Imported files, such as the drop-in of NVIDIA's toolkit,
 * come after the file that names them and win.
 */
final class ContainerdQuestion {
    private static final List<String> FILES = List.of(
            "/var/lib/rancher/rke2/agent/etc/containerd/config.toml",
            "/var/lib/rancher/k3s/agent/etc/containerd/config.toml",
            "/var/snap/microk8s/current/args/containerd.toml",
            "/etc/containerd/config.toml");

    private final ContainerdReader reader = new ContainerdReader();
    private final MachineCommands commands;

    ContainerdQuestion(MachineCommands commands) {
        this.commands = commands;
    }

    Optional<ContainerdSettings> ask() throws TroubleException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("ls", "-d"));
        arguments.addAll(FILES);
        Set<String> there = Set.copyOf(commands.output(arguments.toArray(String[]::new)).lines().map(String::strip).toList());
        for (String file : FILES) {
            Optional<String> text = there.contains(file) ? commands.answer("cat", file) : Optional.empty();
            if (text.isPresent()) {
                return Optional.of(withImports(read(text.get())));
            }
        }
        return Optional.empty();
    }

    private ContainerdConfig read(String text) {
        return reader.read(Text.of(text, Text.Ending.WHOLE));
    }

    private ContainerdSettings withImports(ContainerdConfig config) throws TroubleException, InterruptedException {
        ContainerdSettings settings = config.settings();
        for (String pattern : config.imports()) {
            for (String file : files(pattern)) {
                Optional<String> text = commands.answer("cat", file);
                settings = text.isPresent() ? merged(settings, read(text.get()).settings()) : settings;
            }
        }
        return settings;
    }

    private List<String> files(String pattern) throws TroubleException, InterruptedException {
        int slash = pattern.lastIndexOf('/');
        if (slash <= 0) {
            return List.of();
        }
        return commands.output("find", pattern.substring(0, slash), "-maxdepth", "1", "-name",
                pattern.substring(slash + 1)).lines().map(String::strip).filter(f -> !f.isEmpty()).sorted().toList();
    }

    private static ContainerdSettings merged(ContainerdSettings before, ContainerdSettings after) {
        Set<String> runtimes = new LinkedHashSet<>(before.runtimes());
        runtimes.addAll(after.runtimes());
        return new ContainerdSettings(after.defaultRuntime().or(before::defaultRuntime), List.copyOf(runtimes),
                after.cdiEnabled().or(before::cdiEnabled));
    }
}
