package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.FileTrouble;
import dev.pitwall.lab.ssh.FileView;
import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;
import dev.pitwall.lab.world.ContainerRuntime;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Programs of the container runtime and of NVIDIA's toolkit. */
final class RuntimeCommands {
    private RuntimeCommands() {
    }

    static void install(Commands commands) {
        commands.add("nvidia-ctk", m -> m.system().has("nvidia-container-toolkit-base"), new NvidiaCtk())
                .add("nvidia-container-cli", m -> m.system().has("libnvidia-container-tools"), new ContainerCli())
                .add("containerd", m -> m.kind().isNode() && !m.containerRuntime().isEmpty(), new Containerd())
                .add("ctr", m -> m.kind().isNode() && !m.containerRuntime().isEmpty(), new Ctr())
                .add("crictl", m -> m.kind().isNode() && !m.containerRuntime().isEmpty(), new CriCtl());
    }

    private static String version(MachineState m) {
        return m.containerRuntime().substring(m.containerRuntime().lastIndexOf('/') + 1);
    }

    /** {@code nvidia-ctk runtime configure}, {@code nvidia-ctk cdi generate|list}. */
    static final class NvidiaCtk implements Command {
        @Override
        public int run(Call call) {
            if (call.has("--version") || call.has("-v")) {
                call.out().println("NVIDIA Container Toolkit CLI version 1.18.1");
                return Call.OK;
            }
            List<String> words = call.operands();
            String verb = String.join(" ", words.subList(0, Math.min(2, words.size())));
            try {
                return switch (verb) {
                    case "runtime configure" -> configure(call);
                    case "cdi generate" -> generate(call);
                    case "cdi list" -> list(call);
                    default -> {
                        call.err().println("No help topic for '" + verb + "'");
                        yield 3;
                    }
                };
            } catch (FileTrouble e) {
                call.err().println("ERRO[0000] unable to flush config: " + e.path() + ": " + e.why().words());
                return 1;
            }
        }

        /** Since 1.18 it writes a drop-in and lets the main file import it (facts: cluster.md 6). */
        private static int configure(Call call) throws FileTrouble {
            Options options = Options.of(call, "", "runtime=", "config=", "drop-in-config=", "set-as-default",
                    "nvidia-set-as-default", "cdi.enabled", "cdi.enabled=", "enable-cdi", "config-source=", "dry-run",
                    "nvidia-runtime-path=");
            if (options.refused()) {
                call.err().println("Incorrect Usage: flag provided but not defined");
                return 1;
            }
            String runtime = options.value("", "runtime").orElse("docker");
            if (!List.of("containerd", "docker", "crio").contains(runtime)) {
                call.err().println("ERRO[0000] unrecognized runtime '" + runtime + "'");
                return 1;
            }
            boolean asDefault = options.has("", "set-as-default") || options.has("", "nvidia-set-as-default");
            if (!runtime.equals("containerd")) {
                String file = runtime.equals("docker") ? "/etc/docker/daemon.json" : "/etc/crio/conf.d/99-nvidia.toml";
                write(call, options.value("", "config").orElse(file), runtime.equals("docker")
                        ? call.machine().texts().file("docker-nvidia.json")
                        : "[crio.runtime.runtimes.nvidia]\nruntime_path = \"/usr/bin/nvidia-container-runtime\"\n");
                return done(call, options.value("", "config").orElse(file), runtime.equals("docker") ? "docker"
                        : "crio");
            }
            String config = options.value("", "config").orElse(ContainerRuntime.CONTAINERD_CONFIG);
            String dropIn = options.value("", "drop-in-config").orElse(ContainerRuntime.DROP_IN);
            String binary = options.value("", "nvidia-runtime-path").orElse(ContainerRuntime.PACKAGE_BINARY);
            String content = ContainerRuntime.dropIn(binary, asDefault);
            if (options.has("", "dry-run")) {
                call.out().print(content);
                return Call.OK;
            }
            String before = call.files().exists(config) ? new String(call.files().read(config),
                    StandardCharsets.UTF_8) : "";
            write(call, dropIn, content);
            write(call, config, ContainerRuntime.withImports(before));
            return done(call, dropIn, "containerd");
        }

        private static int done(Call call, String file, String service) {
            call.err().println("INFO[0000] Wrote updated config to " + file + "\nINFO[0000] It is recommended that "
                    + service + " daemon be restarted.");
            return Call.OK;
        }

        private static void write(Call call, String path, String text) throws FileTrouble {
            String folder = FileView.absolute(path, "..");
            StringBuilder here = new StringBuilder();
            for (String part : folder.substring(1).split("/")) {
                here.append('/').append(part);
                if (!call.files().exists(here.toString())) {
                    call.machine().files().makeDirectory(here.toString(), 0755);
                }
            }
            call.machine().files().write(path, text.getBytes(StandardCharsets.UTF_8));
        }

        private static int generate(Call call) throws FileTrouble {
            Options options = Options.of(call, "", "output=", "format=", "mode=", "device-name-strategy=");
            MachineState m = call.machine().state();
            if (!m.driver().loaded()) {
                call.err().println("ERRO[0000] failed to generate CDI spec: failed to create device CDI specs: failed to "
                        + "initialize NVML: ERROR_DRIVER_NOT_LOADED");
                return 1;
            }
            StringBuilder spec = new StringBuilder("---\ncdiVersion: 0.5.0\nkind: nvidia.com/gpu\ndevices:\n");
            List<String> names = new ArrayList<>();
            for (int i = 0; i < m.cards().size(); i++) {
                names.addAll(List.of(Integer.toString(i), m.cards().get(i).uuid()));
            }
            names.add("all");
            for (String name : names) {
                spec.append("    - name: \"").append(name).append("\"\n      containerEdits:\n        deviceNodes:\n");
                for (int i = 0; i < m.cards().size(); i++) {
                    if (name.equals("all") || name.equals(Integer.toString(i))
                            || name.equals(m.cards().get(i).uuid())) {
                        spec.append("            - path: /dev/nvidia").append(i).append('\n');
                    }
                }
            }
            spec.append("containerEdits:\n    deviceNodes:\n        - path: /dev/nvidiactl\n        - path: /dev/nvidia-uvm\n");
            call.err().println("INFO[0000] Generated CDI spec with version 0.5.0");
            if (options.value("", "output").isPresent()) {
                write(call, call.path(options.value("", "output").get()), spec.toString());
            } else {
                call.out().print(spec);
            }
            return Call.OK;
        }

        private static int list(Call call) throws FileTrouble {
            List<String> found = new ArrayList<>();
            for (String folder : List.of("/etc/cdi", "/var/run/cdi")) {
                for (String name : call.files().exists(folder) ? call.files().names(folder) : List.<String>of()) {
                    String text = new String(call.files().read(folder + "/" + name), StandardCharsets.UTF_8);
                    String kind = text.lines().filter(l -> l.startsWith("kind:")).findFirst().orElse("kind:")
                            .substring(5).strip();
                    text.lines().map(String::strip).filter(l -> l.startsWith("- name:")).map(l -> l.substring(7).strip()
                            .replace("\"", "")).forEach(device -> found.add(kind + "=" + device));
                }
            }
            call.err().println("INFO[0000] Found " + found.size() + " CDI devices");
            found.forEach(call.out()::println);
            return Call.OK;
        }
    }

    static final class ContainerCli implements Command {
        @Override
        public int run(Call call) {
            MachineState m = call.machine().state();
            if (!call.operands().contains("info")) {
                call.out().println("cli-version: 1.18.1\nlib-version: 1.18.1");
                return Call.OK;
            }
            if (!m.driver().loaded()) {
                call.err().println("nvidia-container-cli: initialization error: nvml error: driver not loaded");
                return 1;
            }
            call.out().println("NVRM version:   " + m.driver().version());
            for (int i = 0; i < m.cards().size(); i++) {
                call.out().println("\nDevice Index:   " + i + "\nDevice Minor:   " + i + "\nModel:          "
                        + m.cards().get(i).product() + "\nGPU UUID:       " + m.cards().get(i).uuid()
                                + "\nBus Location:   "
                        + NvidiaSmiFields.busId(m.cards().get(i)));
            }
            return Call.OK;
        }
    }

    static final class Containerd implements Command {
        @Override
        public int run(Call call) throws FileTrouble {
            MachineState m = call.machine().state();
            String verb = String.join(" ", call.operands());
            if (verb.equals("config dump")) {
                call.out().print(effective(call, m));
                return Call.OK;
            }
            if (verb.equals("config default")) {
                call.out().print(call.machine().texts().file("containerd-plain.toml"));
                return Call.OK;
            }
            if (call.has("--version") || call.has("-v")) {
                call.out().println("containerd github.com/containerd/containerd"
                        + (version(m).startsWith("2") ? "/v2" : "") + " v" + version(m));
                return Call.OK;
            }
            call.err().println("containerd: error: this lab's containerd runs as a service already");
            return 1;
        }

        /** What the files say now, as {@code dump} merges them; a running containerd may still have older ones. */
        private static String effective(Call call, MachineState m) throws FileTrouble {
            ContainerRuntime.Engine engine = ContainerRuntime.engine(m.kubelet());
            String main = new String(call.files().read(engine.config()), StandardCharsets.UTF_8);
            return engine.generates() || !call.machine().disk().containsKey(engine.config()) ? main
                    : ContainerRuntime.effective(call.machine().disk());
        }
    }

    static final class Ctr implements Command {
        @Override
        public int run(Call call) {
            String version = version(call.machine().state());
            if (call.operands().contains("version") || call.has("--version")) {
                call.out().println("Client:\n  Version:  v" + version + "\n\nServer:\n  Version:  v" + version);
                return Call.OK;
            }
            call.err().println("ctr: this lab's containerd answers version only");
            return 1;
        }
    }

    /** {@code crictl info} shows the runtimes of the running containerd; containers are the cluster's to show. */
    static final class CriCtl implements Command {
        @Override
        public int run(Call call) {
            MachineState m = call.machine().state();
            String verb = call.operands().stream().filter(o -> !o.contains("/")).findFirst().orElse("");
            String runtimes = "\"runc\": {\"runtimeType\": \"io.containerd.runc.v2\"}" + (m.toolkitReady()
                    ? ", \"nvidia\": {\"runtimeType\": \"io.containerd.runc.v2\"}" : "");
            switch (verb) {
                case "info" -> call.out().println("{\n  \"config\": {\"containerd\": {\"defaultRuntimeName\": \"runc\", "
                        + "\"runtimes\": {" + runtimes + "}}, \"enableCDI\": "
                        + !version(m).startsWith("1.6") + "},\n  \"status\": {\"conditions\": [{\"status\": true, "
                        + "\"type\": \"RuntimeReady\"}, {\"status\": true, \"type\": \"NetworkReady\"}]}\n}");
                case "version" -> call.out().println("Version:  0.1.0\nRuntimeName:  containerd\nRuntimeVersion:  v"
                        + version(m) + "\nRuntimeApiVersion:  v1");
                default -> {
                    call.err().println("No help topic for '" + verb + "'");
                    return 3;
                }
            }
            return Call.OK;
        }
    }
}
