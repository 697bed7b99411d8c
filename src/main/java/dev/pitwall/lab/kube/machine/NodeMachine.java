package dev.pitwall.lab.kube.machine;

import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.World;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/**
 * The machine of one node, as a privileged container sees it. It changes the world only where something becomes
 * different: each change of the world calls every controller again.
 */
public final class NodeMachine {
    /** Where operands leave word for each other (facts: cluster.md 1.4). */
    public static final String VALIDATIONS = "/run/nvidia/validations/";
    /** What the driver container has built, gone at a reboot (facts: cluster.md 1.6). */
    public static final String DRIVER_STATE = "/run/nvidia/nvidia-driver.state";

    private final World world;
    private final String name;

    public NodeMachine(World world, String name) {
        this.world = world;
        this.name = name;
    }

    /** The driver as it stands. */
    public DriverFacts driver() {
        return look((w, node) -> new DriverFacts(node.driver, node.driverVersion, node.driverSource, node.kernel));
    }

    /** True if the machine runs and answers. */
    public boolean isUp() {
        return look((w, node) -> node.ready);
    }

    public String kubelet() {
        return look((w, node) -> node.kubelet);
    }

    /** For example {@code containerd://2.1.4-k3s2}. */
    public String containerRuntime() {
        return look((w, node) -> node.containerRuntime);
    }

    /** Product name in its SMBIOS: a QEMU guest's is its machine type. */
    public String product() {
        return look((w, node) -> {
            LabVm vm = w.vms.get(node.vmid);
            if (vm == null) {
                return w.hosts.get(node.host).boardName;
            }
            return vm.running.getOrDefault("machine", "").contains("q35") ? "Standard PC (Q35 + ICH9, 2009)"
                    : "Standard PC (i440FX + PIIX, 1996)";
        });
    }

    public boolean knowsHandler() {
        return look((w, node) -> node.toolkitReady);
    }

    public Instant bootedAt() {
        return look((w, node) -> node.bootedAt);
    }

    /** Cards on its bus, in the order of their addresses. */
    public List<CardFacts> cards() {
        return look((w, node) -> node.cards.stream().map(w.cards::get).map(card -> facts(w, card)).toList());
    }

    private static CardFacts facts(World world, LabCard card) {
        String id = Optional.ofNullable(world.hosts.get(card.host)).stream().flatMap(host -> host.pci.stream())
                .filter(pci -> pci.address.startsWith(card.slot + ".") && pci.classCode.startsWith("03"))
                .map(pci -> pci.vendorId + ":" + pci.deviceId).findFirst().orElse("10de:0000");
        return new CardFacts(card.product, card.uuid, card.vramMiB, id, card.guestAddress, card.lastXid, card.lost);
    }

    /** Secure Boot of the machine: of the firmware, or of the VM's EFI disk with enrolled keys. */
    public boolean secureBoot() {
        return look((w, node) -> {
            LabVm vm = w.vms.get(node.vmid);
            if (vm == null) {
                return w.hosts.get(node.host).secureBoot;
            }
            return vm.running.getOrDefault("bios", "").equals("ovmf")
                    && vm.running.getOrDefault("efidisk0", "").contains("pre-enrolled-keys=1");
        });
    }

    /** Release of the host's user-space driver packages; empty if it has none. */
    public Optional<String> hostLibraries() {
        return look((w, node) -> w.system(name).flatMap(system -> system.packages.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("nvidia-utils")
                        || entry.getKey().startsWith("libnvidia-compute"))
                .map(entry -> entry.getValue().version().replaceFirst("^\\d+:", "").replaceFirst("-.*", ""))
                .findFirst()));
    }

    /** A file that somebody has written there; empty if there is none. */
    public Optional<String> file(String path) {
        return look((w, node) -> Optional.ofNullable(files(w, node).get(real(path)))
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8)));
    }

    public boolean has(String path) {
        return look((w, node) -> files(w, node).containsKey(real(path)));
    }

    public void write(String path, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (!look((w, node) -> Arrays.equals(files(w, node).get(real(path)), bytes))) {
            change((w, node) -> files(w, node).put(real(path), bytes));
        }
    }

    /** Removes what is there of these. */
    public void remove(List<String> paths) {
        if (paths.stream().anyMatch(this::has)) {
            change((w, node) -> paths.forEach(path -> files(w, node).remove(real(path))));
        }
    }

    /** A line of the running kernel. */
    public void kernelLine(Instant now, String text) {
        change((w, node) -> w.system(name).ifPresent(system -> system.log(now, text)));
    }

    public <T> T look(BiFunction<World, LabNode, T> look) {
        return world.read(w -> look.apply(w, node(w)));
    }

    public void change(BiConsumer<World, LabNode> change) {
        world.change(w -> change.accept(w, node(w)));
    }

    private LabNode node(World w) {
        return Optional.ofNullable(w.nodes.get(name))
                .orElseThrow(() -> new IllegalStateException("no machine is node " + name));
    }

    /** {@code /var/run} is a link to {@code /run}. */
    private static String real(String path) {
        return path.startsWith("/var/run/") ? path.substring("/var".length()) : path;
    }

    /** A bare-metal node's files are its host's. */
    static Map<String, byte[]> files(World world, LabNode node) {
        return world.files(node.name).orElse(node.files);
    }
}
