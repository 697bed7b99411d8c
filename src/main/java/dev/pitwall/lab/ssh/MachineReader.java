package dev.pitwall.lab.ssh;

import dev.pitwall.lab.ssh.MachineState.Board;
import dev.pitwall.lab.ssh.MachineState.CardView;
import dev.pitwall.lab.ssh.MachineState.Cpu;
import dev.pitwall.lab.ssh.MachineState.Firmware;
import dev.pitwall.lab.ssh.MachineState.Kind;
import dev.pitwall.lab.ssh.MachineState.NvidiaDriver;
import dev.pitwall.lab.ssh.MachineState.SystemView;
import dev.pitwall.lab.ssh.MachineState.VmView;
import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabPci;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.Wiring;
import dev.pitwall.lab.world.RootDisk;
import dev.pitwall.lab.world.World;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Takes the picture of one machine of the world. */
public final class MachineReader {
    private static final String NO_DRIVER = "absent";
    private static final Duration JUMP_UPTIME = Duration.ofDays(41);

    private final World world;
    private final LabTexts texts;
    private final Keeping keeping;
    private final Instant jumpBoot;

    MachineReader(World world, LabTexts texts, Keeping keeping) {
        this.world = world;
        this.keeping = keeping;
        this.texts = texts;
        this.jumpBoot = world.clock().instant().minus(JUMP_UPTIME);
    }

    /** Reads machines of a world, and no other. */
    public static MachineReader of(World world, LabTexts texts) {
        return new MachineReader(world, texts, new Keeping(""));
    }

    /** @return empty if the world has no machine of that name */
    public Optional<MachineState> read(String name) {
        return world.read(w -> {
            LabNode node = w.nodes.get(name);
            LabHost host = w.hosts.get(name);
            if (node != null && node.vmid != 0) {
                return Optional.of(guest(w, node));
            }
            if (node != null && w.hosts.get(node.host) != null) {
                return Optional.of(metal(w, node, w.hosts.get(node.host)));
            }
            return Optional.ofNullable(host).map(h -> host(w, h));
        });
    }

    /** A machine that only forwards: it is reached, and has nothing to do with any card. */
    public MachineState jumpHost(String name) {
        return world.read(w -> new MachineState(name, Kind.JUMP, "debian", "", texts.value("jump-kernel"),
                texts.value("guest-cmdline").replace("KERNEL", texts.value("jump-kernel")), world.clock().instant(),
                jumpBoot, "10.0.0.2", new Cpu("GenuineIntel", "Intel(R) N100", 4), 4L << 30, new Board("", ""), "",
                new Firmware(true, false, true, false, false), false, List.of(),
                new NvidiaDriver(NO_DRIVER, "", Instant.EPOCH), false, "", "", "", List.of(), List.of(),
                Map.copyOf(keeping.files(w)), SystemView.of(keeping.system(w)), 0, RootDisk.ofPhysical(true)));
    }

    private MachineState host(World w, LabHost host) {
        List<PciView> pci = hostPci(w, host);
        Map<String, byte[]> overlay = new HashMap<>(host.files);
        List<VmView> vms = w.vms.values().stream().filter(vm -> vm.host.equals(host.name)).map(this::vm).toList();
        NvidiaDriver driver = hostDriver(host, pci);
        return new MachineState(host.name, host.proxmox ? Kind.PROXMOX_HOST : Kind.METAL_NODE,
                host.proxmox ? "proxmox" : "ubuntu", "", host.kernel, host.commandLine, w.clock().instant(),
                host.bootedAt, host.address, new Cpu(host.cpuVendor, host.cpuModel, host.cpuThreads),
                host.memoryBytes, new Board(host.boardVendor, host.boardName), uuid(host), firmware(host),
                        host.iommuActive,
                pci, driver, false, "", "", host.pveVersion, hostCards(w, host, pci), vms, overlay,
                SystemView.of(host.system).with(host.kernelLog, w.clock().instant()), host.busyThreads(w),
                RootDisk.ofPhysical(host.efi));
    }

    /** A board's UUID never changes, so it follows from which machine this is. */
    private static String uuid(LabHost host) {
        return UUID.nameUUIDFromBytes(("practice lab host " + host.name).getBytes(StandardCharsets.UTF_8)).toString();
    }

    /** The host holds a driver of its own only where one of its functions is bound to it. */
    private NvidiaDriver hostDriver(LabHost host, List<PciView> pci) {
        boolean bound = pci.stream().anyMatch(p -> p.driver().equals("nvidia"));
        return bound ? new NvidiaDriver("loaded", texts.value("host-nvidia-version"), host.bootedAt)
                : new NvidiaDriver(NO_DRIVER, "", Instant.EPOCH);
    }

    private MachineState metal(World w, LabNode node, LabHost host) {
        MachineState base = host(w, host);
        Map<String, byte[]> overlay = new HashMap<>(host.files);
        overlay.putAll(node.files);
        List<PciView> pci = base.pci().stream().map(p -> p.isNvidiaDisplay()
                ? p.with(displayDriver(node, p.driver()), p.powerState()) : p).toList();
        List<CardView> cards = w.cards.values().stream().filter(c -> c.host.equals(host.name))
                .flatMap(c -> card(w, c, pci, c.slot).stream()).toList();
        return new MachineState(node.name, Kind.METAL_NODE, osId(node), node.osImage, node.kernel,
                base.commandLine(), base.now(), node.bootedAt, node.address, base.cpu(), base.memoryBytes(),
                base.board(), node.systemUuid, base.firmware(), base.iommuActive(), pci, driver(node),
                node.toolkitReady, node.containerRuntime, node.kubelet, "", cards, List.of(), overlay, base.system(),
                base.busyThreads(), base.disk());
    }

    private MachineState guest(World w, LabNode node) {
        LabHost host = w.hosts.get(node.host);
        Map<String, String> config = Optional.ofNullable(w.vms.get(node.vmid))
                .map(vm -> vm.running.isEmpty() ? vm.config : vm.running).map(Map::copyOf).orElse(Map.of());
        boolean efi = config.getOrDefault("bios", "seabios").equals("ovmf");
        List<PciView> pci = new ArrayList<>(texts.guestPci(config.getOrDefault("machine", "").contains("q35")));
        List<CardView> cards = new ArrayList<>();
        for (String id : node.cards) {
            LabCard card = w.cards.get(id);
            if (card != null && host != null) {
                List<PciView> functions = passed(hostPci(w, host), card, node);
                pci.addAll(functions);
                card(w, card, functions, guestSlot(card)).ifPresent(cards::add);
            }
        }
        pci.sort(Comparator.comparing(PciView::address));
        String vendor = host == null ? "GenuineIntel" : host.cpuVendor;
        String model = host == null ? "" : host.cpuModel;
        return new MachineState(node.name, Kind.GUEST, osId(node), node.osImage, node.kernel,
                node.system.commandLine.isEmpty() ? texts.value("guest-cmdline").replace("KERNEL", node.kernel)
                        : node.system.commandLine, w.clock().instant(), node.bootedAt, node.address, new Cpu(vendor,
                                model, node.cpus), node.memoryBytes,
                new Board(texts.value("guest-board-vendor"), ""), node.systemUuid,
                new Firmware(efi, secureBoot(config), false, false, true), false, pci, driver(node),
                node.toolkitReady, node.containerRuntime, node.kubelet, "", cards, List.of(), Map.copyOf(node.files),
                SystemView.of(node.system), Optional.ofNullable(w.vms.get(node.vmid)).map(LabVm::busyThreads).orElse(0.0),
                RootDisk.ofGuest(config));
    }

    /** An EFI disk with enrolled keys is what switches Secure Boot on in a guest. */
    private static boolean secureBoot(Map<String, String> config) {
        return config.getOrDefault("bios", "").equals("ovmf")
                && config.getOrDefault("efidisk0", "").contains("pre-enrolled-keys=1");
    }

    private static List<PciView> passed(List<PciView> hostPci, LabCard card, LabNode node) {
        String slot = guestSlot(card);
        return hostPci.stream().filter(p -> p.slot().equals(card.slot)).map(p -> {
            String function = p.address().substring(p.address().lastIndexOf('.'));
            String address = slot + function;
            return p.at(address, guestDriver(p, address, node), -1,
                    node.system.overrides.getOrDefault(address, "")).with(guestDriver(p, address, node), "D0");
        }).toList();
    }

    private static String guestDriver(PciView function, String address, LabNode node) {
        boolean audio = function.classCode().startsWith("0403");
        String bound = node.system.bound.getOrDefault(address, audio ? "snd_hda_intel" : "");
        return function.isNvidiaDisplay() ? displayDriver(node, bound) : bound;
    }

    /** The NVIDIA module has every display function that is free for it; without the module nobody has. */
    private static String displayDriver(LabNode node, String bound) {
        boolean loaded = node.driver.equals("loaded");
        return loaded && !bound.equals("vfio-pci") ? "nvidia" : bound.equals("nvidia") ? "" : bound;
    }

    private static String guestSlot(LabCard card) {
        String address = card.guestAddress.isEmpty() ? card.slot : card.guestAddress;
        return address.contains(".") ? address.substring(0, address.lastIndexOf('.')) : address;
    }

    private static List<PciView> hostPci(World w, LabHost host) {
        return host.pci.stream().filter(p -> !p.removed).map(p -> view(p, lost(w, host, p)))
                .map(p -> p.with(p.driver(), power(w, host, p))).toList();
    }

    /** vfio-pci lets a card that no VM uses sleep, unless it was told not to (facts: proxmox.md 2.5). */
    private static String power(World w, LabHost host, PciView p) {
        boolean idle = p.driver().equals("vfio-pci") && p.powerState().equals("D0") && !p.gone()
                && w.vms.values().stream().noneMatch(vm -> vm.host.equals(host.name) && !vm.running.isEmpty()
                && Wiring.held(w, vm, vm.running).stream().anyMatch(card -> card.slot.equals(p.slot())));
        boolean awake = host.system.moduleOptions.getOrDefault("vfio_pci", Map.of())
                .getOrDefault("disable_idle_d3", "0").matches("[1yY].*");
        return idle && !awake ? "D3hot" : p.powerState();
    }

    private static boolean lost(World w, LabHost host, LabPci pci) {
        LabCard card = w.cards.get(host.name + "/" + pci.address.substring(0, pci.address.lastIndexOf('.')));
        return card != null && card.lost;
    }

    private static PciView view(LabPci p, boolean gone) {
        return new PciView(p.address, p.classCode, p.className, p.vendorId, p.deviceId, p.vendorName, p.deviceName,
                p.subsystemVendor, p.subsystemDevice, p.subsystemName, gone ? "ff" : p.revision, p.driver, p.modules,
                p.iommuGroup, p.powerState, p.resetMethods, p.bootVga, p.barLines, gone || p.revision.equals("ff"),
                p.driverOverride);
    }

    private List<CardView> hostCards(World w, LabHost host, List<PciView> pci) {
        return w.cards.values().stream().filter(c -> c.host.equals(host.name))
                .flatMap(c -> card(w, c, pci, c.slot).stream())
                .filter(c -> c.function().driver().equals("nvidia")).toList();
    }

    private Optional<CardView> card(World w, LabCard c, List<PciView> pci, String slot) {
        return pci.stream().filter(p -> p.slot().equals(slot) && p.classCode().startsWith("03")).findFirst()
                .map(p -> new CardView(c.product, c.uuid, p, c.vramMiB, c.memoryUsedMiB, c.memoryReservedMiB,
                        c.temperatureC, c.powerW, c.powerLimitW, c.utilizationPercent, c.smClockMHz,
                        c.memoryClockMHz, c.lastXid, c.lost, processes(w, c)));
    }

    /**
     * One runner process a loaded model, as llama-server children of Ollama show in nvidia-smi: one that runs on the
     * processor alone is not on the card, and one that sleeps keeps its process and has given its memory back.
     */
    private List<CardView.Process> processes(World w, LabCard card) {
        List<CardView.Process> processes = new ArrayList<>();
        for (LabModelServer server : w.servers.values()) {
            if (!server.card.equals(card.id) || !server.up) {
                continue;
            }
            for (LabModelServer.Loaded loaded : server.loaded) {
                if (loaded.cardShare == 0) {
                    continue;
                }
                int pid = 20_000 + Math.floorMod((server.name + loaded.model.name()).hashCode(), 40_000);
                processes.add(new CardView.Process(pid, texts.value("runner-process"),
                        loaded.cardBytes() >> 20));
            }
        }
        return processes;
    }

    private static NvidiaDriver driver(LabNode node) {
        return new NvidiaDriver(node.driver, node.driverVersion, node.driverSince);
    }

    static String osId(LabNode node) {
        return node.osImage.toLowerCase(Locale.ROOT).startsWith("debian") ? "debian" : "ubuntu";
    }

    private static Firmware firmware(LabHost host) {
        return new Firmware(host.efi, host.secureBoot, host.virtualization, host.iommuInFirmware, host.above4g);
    }

    private VmView vm(LabVm vm) {
        return new VmView(vm.vmid, vm.pid(), vm.status, vm.lock, vm.startedAt, Map.copyOf(vm.config), Map.copyOf(vm.running));
    }
}
