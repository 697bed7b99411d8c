package dev.pitwall.lab.kube.operator.program;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.machine.NodeMachine;
import dev.pitwall.lab.kube.machine.NodeRuntime;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The toolkit container: it puts the nvidia runtime on the node's disk, names it in containerd's configuration and has
 * containerd start anew through its socket. (facts: cluster.md 1.5, 5)
 */
final class Toolkit extends ScriptedProgram {
    private static final String DEFAULT_SOCKET = "/run/containerd/containerd.sock";
    private static final String MANAGEMENT_SPEC = "/var/run/cdi/management.nvidia.com-gpu.yaml";
    private static final List<String> AS_DEFAULT = List.of("NVIDIA_RUNTIME_SET_AS_DEFAULT",
            "CONTAINERD_SET_AS_DEFAULT", "DOCKER_SET_AS_DEFAULT");

    Toolkit(Ground ground) {
        super(ground);
    }

    @Override
    String script(Run run) {
        return "nvidia-container-toolkit-ctr";
    }

    @Override
    Map<String, String> values(Run run) {
        Map<String, String> values = new HashMap<>(super.values(run));
        values.put("socket", socket(run));
        values.put("toolkit", folder(run));
        values.put("config", run.environment("CONTAINERD_CONFIG").orElse("/etc/containerd/config.toml"));
        return values;
    }

    private static String socket(Run run) {
        return run.environment("CONTAINERD_SOCKET").orElse(DEFAULT_SOCKET);
    }

    private static String folder(Run run) {
        return run.environment("ROOT").orElse("/usr/local/nvidia") + "/toolkit";
    }

    @Override
    public Doing look(Run run, Instant now) {
        if (run.notes().containsKey("ready")) {
            return Doing.ready();
        }
        Instant signals = at(run, "toolkitSignals");
        if (now.isBefore(signals)) {
            return waits(signals);
        }
        NodeMachine machine = ground.machine(run);
        if (confined(run)) {
            return blocked(run, machine, now);
        }
        NodeRuntime runtime = new NodeRuntime(machine);
        if (run.notes().putIfAbsent("installed", now.toString()) == null) {
            runtime.install(folder(run), asDefault(run));
            describe(run, machine);
        }
        boolean restarts = !run.environment("CONTAINERD_RESTART_MODE").orElse("signal").equals("none");
        if (restarts && !socket(run).equals(runtime.socket())) {
            return unreachable(run, now);
        }
        if (restarts) {
            Journal.say(run, signals, text("signalling", run));
            Journal.say(run, signals, text("signalled", run));
            runtime.restart();
        } else {
            Journal.say(run, signals, text("notRestarting", run));
        }
        Journal.say(run, signals, text("waitingForSignal", run));
        run.notes().put("ready", "true");
        return Doing.ready();
    }

    private void describe(Run run, NodeMachine machine) {
        if (run.environment("CDI_ENABLED").orElse("false").equals("true")) {
            StringBuilder devices = new StringBuilder("cdiVersion: 0.5.0\nkind: management.nvidia.com/gpu\ndevices:\n"
                    + "- name: all\n  containerEdits:\n    deviceNodes:\n");
            for (int i = 0; i < machine.cards().size(); i++) {
                devices.append("    - path: /dev/nvidia").append(i).append('\n');
            }
            machine.write(MANAGEMENT_SPEC, devices.append("    - path: /dev/nvidiactl\n").toString());
        }
    }

    private Doing unreachable(Run run, Instant now) {
        if (run.notes().putIfAbsent("tried", now.toString()) == null) {
            Journal.say(run, now, text("socketTried", run));
        }
        Instant end = at(run, "toolkitGivesUp");
        return now.isBefore(end) ? waits(end) : fails(run, now, 1, List.of(text("socketMissing", run)));
    }

    /** The first of the chain that is set wins. (facts: cluster.md 1.5) */
    private static boolean asDefault(Run run) {
        return AS_DEFAULT.stream().flatMap(name -> run.environment(name).stream()).findFirst()
                .filter("true"::equals).isPresent();
    }

    /** It goes on though it could write nothing: containerd is never configured. (mission: gpu-operator-on-rke2) */
    private Doing blocked(Run run, NodeMachine machine, Instant now) {
        Journal.say(run, now, text("writeDenied", run));
        machine.kernelLine(now, "audit: type=1400 audit(" + now.getEpochSecond() + ".000:61): apparmor=\"DENIED\" "
                + "operation=\"mknod\" class=\"file\" profile=\"" + profile(run).orElse("") + "\" name=\"" + folder(run)
                + "/nvidia-container-runtime\" comm=\"nvidia-ctk-inst\" requested_mask=\"c\" denied_mask=\"c\"");
        run.notes().put("ready", "true");
        return Doing.ready();
    }

    /** A profile of its own confines it; containerd's default one does not apply to privileged containers. */
    private static boolean confined(Run run) {
        return profile(run).isPresent();
    }

    private static Optional<String> profile(Run run) {
        JsonNode pod = run.pod().object().tree();
        String annotated = pod.at("/metadata/annotations").path("container.apparmor.security.beta.kubernetes.io/"
                + run.containerName()).asText("");
        if (annotated.startsWith("localhost/")) {
            return Optional.of(annotated.substring("localhost/".length()));
        }
        JsonNode own = run.container().at("/securityContext/appArmorProfile");
        JsonNode profile = own.isObject() ? own : pod.at("/spec/securityContext/appArmorProfile");
        return profile.path("type").asText("").equals("Localhost")
                ? Optional.of(profile.path("localhostProfile").asText("")) : Optional.empty();
    }

    /** Told to end with its pod, it takes back what it has done to containerd; killed, it cannot. */
    @Override
    public void ended(Run run, Instant now) {
        NodeMachine machine = ground.machine(run);
        if (run.pod().deletion().isPresent() && machine.isUp() && run.notes().containsKey("installed")) {
            new NodeRuntime(machine).uninstall(folder(run));
        }
    }
}
