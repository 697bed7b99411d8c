package dev.pitwall.read;

import dev.pitwall.card.MachineReport;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * containerd's configuration.
 *
 * @param version         as written; containerd takes a file without it as version 1
 * @param disabledPlugins with {@code cri} among them, Kubernetes cannot use this containerd
 * @param address         socket, where the file sets it
 * @param cdiSpecDirs     empty where the file leaves it to containerd's default
 */
public record ContainerdConfig(OptionalInt version, List<String> imports,
                               Optional<List<String>> disabledPlugins,
                               Optional<String> root, Optional<String> state, Optional<String> address,
                               Optional<String> defaultRuntime, List<Runtime> runtimes, Optional<Boolean> cdiEnabled,
                               List<String> cdiSpecDirs, List<String> notes) implements Understood {
    public ContainerdConfig {
        imports = List.copyOf(imports);
        disabledPlugins = disabledPlugins.map(List::copyOf);
        runtimes = List.copyOf(runtimes);
        cdiSpecDirs = List.copyOf(cdiSpecDirs);
        notes = List.copyOf(notes);
    }

    /**
     * @param type   for example {@code io.containerd.runc.v2}
     * @param binary {@code BinaryName}: what is run instead of runc; empty means runc, whatever the handler is called
     */
    public record Runtime(String name, Optional<String> type, Optional<String> binary, Optional<Boolean> systemdCgroup) {
    }

    /** True if the CRI plugin is switched off; empty where the file has no list of switched-off plugins. */
    public Optional<Boolean> criDisabled() {
        return disabledPlugins.map(d -> d.contains("cri") || d.contains("io.containerd.grpc.v1.cri"));
    }

    /** What the rest of Pitwall needs of it. */
    public MachineReport.ContainerdSettings settings() {
        return new MachineReport.ContainerdSettings(defaultRuntime, runtimes.stream().map(Runtime::name).toList(), cdiEnabled);
    }

    @Override
    public Kind kind() {
        return Kind.CONTAINERD_CONFIG;
    }
}
