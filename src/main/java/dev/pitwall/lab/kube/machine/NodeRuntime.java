package dev.pitwall.lab.kube.machine;

import dev.pitwall.lab.world.ContainerRuntime;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.World;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A node's container runtime, as the toolkit container and the containers it starts see it. */
public final class NodeRuntime {
    private static final String PROGRAM = "/nvidia-container-runtime";
    private static final List<String> SAY_DEFAULT = List.of(ContainerRuntime.CONTAINERD_CONFIG, ContainerRuntime.DROP_IN);

    private final NodeMachine machine;

    public NodeRuntime(NodeMachine machine) {
        this.machine = machine;
    }

    public String socket() {
        return ContainerRuntime.engine(machine.kubelet()).socket();
    }

    /** CDI device names are understood from containerd 1.7 on. (mission: gpu-operator-on-rke2) */
    public boolean knowsCdi() {
        String[] parts = machine.containerRuntime().replaceFirst("^containerd://v?", "").split("[.-]");
        int major = number(parts, 0);
        return major > 1 || major == 1 && number(parts, 1) >= 7;
    }

    private static int number(String[] parts, int at) {
        return parts.length > at && parts[at].matches("\\d{1,6}") ? Integer.parseInt(parts[at]) : 0;
    }

    /** Containers without a runtime class run under {@code nvidia} too. */
    public boolean nvidiaIsDefault() {
        return machine.knowsHandler() && (generates() ? ContainerRuntime.makesDefault(machine.look(NodeRuntime::read))
                : SAY_DEFAULT.stream().flatMap(path -> machine.file(path).stream())
                        .anyMatch(text -> text.contains("default_runtime_name = \"nvidia\"")));
    }

    private boolean generates() {
        return ContainerRuntime.engine(machine.kubelet()).generates();
    }

    /**
     * Puts the runtime's program on the disk and, where containerd's configuration is nobody else's, a drop-in file
     * beside it. k3s and RKE2 find the program by themselves (facts: cluster.md 5).
     */
    public void install(String toolkit, boolean asDefault) {
        machine.write(toolkit + PROGRAM, "\u007fELF");
        if (!generates()) {
            machine.write(ContainerRuntime.DROP_IN, ContainerRuntime.dropIn(toolkit + PROGRAM, asDefault));
            machine.write(ContainerRuntime.CONTAINERD_CONFIG, ContainerRuntime.withImports(
                    machine.file(ContainerRuntime.CONTAINERD_CONFIG).orElse("")));
        }
    }

    /** containerd starts anew, and reads what is there by then. */
    public void restart() {
        boolean reads = machine.look((world, node) -> differs(world, node));
        if (reads) {
            machine.change(ContainerRuntime::start);
        }
    }

    /** A start that would make nothing different is not worth a change of the world. */
    private static boolean differs(World world, LabNode node) {
        Map<String, byte[]> files = NodeMachine.files(world, node);
        ContainerRuntime.Engine engine = ContainerRuntime.engine(node);
        boolean found = files.containsKey(ContainerRuntime.OPERATOR_BINARY)
                || files.containsKey(ContainerRuntime.PACKAGE_BINARY);
        boolean asItWas = engine.generates() ? node.toolkitReady == found && !files.containsKey(engine.config())
                && !files.containsKey(engine.template(node.containerRuntime.contains("://2")))
                && read(world, node).equals(new String(files.getOrDefault(engine.settings(), new byte[0]), StandardCharsets.UTF_8))
                : node.toolkitReady && read(world, node).equals(ContainerRuntime.effective(files));
        return !asItWas;
    }

    private static String read(World world, LabNode node) {
        return world.system(node.name).map(system -> system.runtimeConfig).orElse("");
    }

    /** The toolkit container takes back what it did, as it does when it is told to end. */
    public void uninstall(String toolkit) {
        machine.remove(List.of(toolkit + PROGRAM, ContainerRuntime.DROP_IN));
        restart();
    }
}
