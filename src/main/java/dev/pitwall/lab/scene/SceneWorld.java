package dev.pitwall.lab.scene;

import dev.pitwall.lab.world.ContainerRuntime;
import dev.pitwall.lab.world.GuestDriver;
import dev.pitwall.lab.world.IommuBoot;
import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.LabContainer;
import dev.pitwall.lab.world.LabCluster;
import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabPci;
import dev.pitwall.lab.world.LabToken;
import dev.pitwall.lab.world.LabUser;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.Wiring;
import dev.pitwall.lab.world.World;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/** Builds a world from a scene. */
public final class SceneWorld {
    private static final Duration KEEP_ALIVE = Duration.ofMinutes(5);

    private final Scene scene;
    private final Instant now;

    private SceneWorld(Scene scene, Instant now) {
        this.scene = scene;
        this.now = now;
    }

    /** Fills an empty world with a checked scene. */
    public static void fill(World world, Scene scene) {
        world.change(w -> new SceneWorld(scene, w.clock().instant()).into(w));
    }

    private void into(World world) {
        FreshCredentials fresh = new FreshCredentials();
        world.scene = scene.name();
        world.cluster = scene.cluster();
        Scene.Operator operator = scene.kubernetes().operator();
        world.kubernetes = new LabCluster(scene.kubernetes().distribution(), operator.chart(), operator.namespace(),
                operator.driver());
        world.pods = scene.pods().count();
        world.podChangesPerSecond = scene.pods().changesPerSecond();
        scene.pciMappings().forEach(world.pciMappings::put);
        scene.users().forEach(user -> world.users.put(user.id(), new LabUser(user.id(), fresh.password(),
                user.secondFactor() ? Optional.of(fresh.totpSecret()) : Optional.empty(), user.rights())));
        scene.tokens().forEach(token -> world.tokens.put(token.id(),
                new LabToken(token.id(), fresh.tokenSecret(), token.privsep(), token.rights())));
        world.shellPassword = fresh.password();
        scene.hosts().forEach(host -> world.hosts.put(host.name(), host(world, host)));
        scene.vms().forEach(vm -> world.vms.put(vm.vmid(), vm(vm)));
        scene.containers().forEach(container -> world.containers.put(container.vmid(), container(container)));
        scene.nodes().forEach(node -> world.nodes.put(node.name(), node(world, node)));
        scene.servers().forEach(server -> world.servers.put(server.name(), server(server)));
        Wiring.renew(world);
        for (LabModelServer server : world.servers.values()) {
            long bytes = server.loaded.stream().mapToLong(LabModelServer.Loaded::cardBytes).sum();
            world.cards.get(server.card).memoryUsedMiB += bytes >> 20;
        }
    }

    private LabHost host(World world, Scene.Host from) {
        Scene.Board board = scene.boards().get(from.board());
        LabHost host = new LabHost(from.name(), !from.proxmox().isEmpty());
        host.pveVersion = from.proxmox();
        host.kernel = from.kernel();
        host.cpuModel = board.cpu();
        host.cpuVendor = board.cpuVendor();
        host.cpuThreads = board.cpuThreads();
        host.memoryBytes = (long) board.memoryGiB() << 30;
        host.boardVendor = board.vendor();
        host.boardName = board.product();
        host.address = from.address();
        host.bootedAt = now.minus(from.up());
        host.virtualization = from.firmware().virtualization();
        host.iommuInFirmware = from.firmware().iommu();
        host.above4g = from.firmware().above4g();
        host.secureBoot = from.firmware().secureBoot();
        host.efi = from.firmware().efi();
        host.commandLine = from.commandLine();
        from.files().forEach((path, text) -> host.files.put(path, text.getBytes(StandardCharsets.UTF_8)));
        board.pci().forEach(function -> host.pci.add(pci(function, "0000:" + function.at(), function.group())));
        for (Scene.Slot slot : from.cards()) {
            Scene.CardKind kind = scene.cardKinds().get(slot.kind());
            for (Scene.Pci function : kind.functions()) {
                LabPci pci = pci(function, slot.slot() + "." + function.at(), slot.group());
                pci.driver = Optional.ofNullable(slot.driver()).orElse(pci.driver);
                host.pci.add(pci);
            }
            LabCard card = card(from.name(), slot, kind);
            world.cards.put(card.id, card);
        }
        host.pci.sort(Comparator.comparing(function -> function.address));
        new IommuBoot(host).group();
        return host;
    }

    private static LabPci pci(Scene.Pci from, String address, Integer group) {
        LabPci pci = new LabPci(address);
        int blank = from.type().indexOf(' ');
        pci.classCode = (from.type().substring(0, blank) + "00").substring(0, 6);
        pci.className = from.type().substring(blank + 1);
        pci.vendorId = from.id().substring(0, 4);
        pci.deviceId = from.id().substring(5);
        pci.vendorName = from.vendor();
        pci.deviceName = from.device();
        if (!from.subsystem().isEmpty()) {
            pci.subsystemVendor = from.subsystem().substring(0, 4);
            pci.subsystemDevice = from.subsystem().substring(5);
            pci.subsystemName = from.subsystemName();
        }
        pci.revision = from.revision();
        pci.driver = from.driver();
        pci.defaultDriver = from.driver();
        pci.modules.addAll(from.modules());
        pci.iommuGroup = group == null ? -1 : group;
        pci.wiredGroup = pci.iommuGroup;
        pci.resetMethods = from.reset();
        pci.bootVga = from.bootVga();
        pci.barLines.addAll(from.bars());
        return pci;
    }

    private static LabCard card(String host, Scene.Slot slot, Scene.CardKind kind) {
        LabCard card = new LabCard(host + "/" + slot.slot(), host, slot.slot());
        card.product = kind.product();
        card.uuid = slot.uuid();
        card.vramMiB = kind.vramMiB();
        card.powerLimitW = kind.powerLimitW();
        card.envelope = kind.envelope();
        card.temperatureC = kind.envelope().idleC();
        card.powerW = kind.envelope().idleW();
        card.smClockMHz = kind.envelope().idleSmMHz();
        card.memoryClockMHz = kind.envelope().idleMemoryMHz();
        card.memoryReservedMiB = kind.envelope().reservedMiB();
        return card;
    }

    private LabVm vm(Scene.Vm from) {
        LabVm vm = new LabVm(from.vmid(), from.host());
        Map<String, String> kind = scene.vmKinds().get(from.kind()).config();
        vm.config.put("name", from.name());
        vm.config.put("smbios1", "uuid=" + from.uuid());
        kind.forEach((key, value) -> vm.config.put(key, filled(value, from)));
        from.config().forEach((key, value) -> vm.config.put(key, filled(value, from)));
        if (from.up() != null) {
            vm.status = "running";
            vm.startedAt = now.minus(from.up());
            vm.running.putAll(vm.config);
        }
        return vm;
    }

    private static LabContainer container(Scene.Container from) {
        LabContainer container = new LabContainer(from.vmid(), from.host());
        container.runs = from.runs();
        container.config.putAll(from.config());
        return container;
    }

    private static String filled(String value, Scene.Vm vm) {
        return value.replace("{vmid}", String.valueOf(vm.vmid())).replace("{name}", vm.name())
                .replace("{uuid}", vm.uuid()).replace("{mac}", mac(vm.uuid()));
    }

    /** Proxmox's own prefix, then what follows from the UUID, so that it is the same in every run. */
    private static String mac(String uuid) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(uuid.getBytes(StandardCharsets.US_ASCII));
            return String.format("BC:24:11:%02X:%02X:%02X", digest[0], digest[1], digest[2]);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing in this JDK", e);
        }
    }

    private LabNode node(World world, Scene.Node from) {
        Scene.NodeKind kind = scene.nodeKinds().get(from.kind());
        LabNode node = new LabNode(from.name());
        node.role = kind.role();
        node.osImage = kind.os();
        node.kernel = kind.kernel();
        node.containerRuntime = kind.containerRuntime();
        node.kubelet = kind.kubelet();
        node.address = from.address();
        node.labels.putAll(kind.labels());
        node.labels.putAll(from.labels());
        node.taints.addAll(kind.taints());
        node.driver = kind.driver();
        node.driverVersion = kind.driverVersion();
        node.driverSource = kind.driver().equals("absent") ? GuestDriver.Source.NONE
                : scene.kubernetes().operator().driver();
        node.talos = Optional.ofNullable(kind.talos()).map(talos -> TalosInstall.of(world, scene.cluster(), kind, talos));
        if (from.vm() != null) {
            LabVm vm = world.vms.get(from.vm());
            node.vmid = vm.vmid;
            node.host = vm.host;
            node.systemUuid = Wiring.property(vm.config.get("smbios1"), "uuid").orElse("");
            node.cpus = Integer.parseInt(vm.config.getOrDefault("cores", "1"))
                    * Integer.parseInt(vm.config.getOrDefault("sockets", "1"));
            node.memoryBytes = Long.parseLong(vm.config.getOrDefault("memory", "512")) << 20;
            node.bootedAt = vm.startedAt;
        } else {
            LabHost host = world.hosts.get(from.host());
            node.host = host.name;
            node.systemUuid = from.uuid();
            node.cpus = host.cpuThreads;
            node.memoryBytes = host.memoryBytes;
            node.bootedAt = host.bootedAt;
        }
        node.shell = kind.shell();
        node.driverSince = node.bootedAt;
        if (kind.driver().equals("loaded")) {
            world.nodes.put(node.name, node);
            ContainerRuntime.configured(world, node);
        }
        return node;
    }

    private LabModelServer server(Scene.Server from) {
        LabModelServer server = new LabModelServer(from.name());
        server.namespace = from.namespace();
        server.card = from.card();
        server.node = from.node();
        server.version = from.version();
        server.kind = from.kind();
        server.mostLoaded = from.most();
        server.sleepAfter = from.sleep();
        for (String name : from.models()) {
            Scene.ModelKind model = scene.models().get(name);
            LabModelServer.Installed installed = new LabModelServer.Installed(name, model.digest(), model.diskBytes(),
                    model.vramBytes(), model.family(), model.parameters(), model.quantization(),
                    model.contextTokens(), now.minus(model.ago()));
            server.installed.add(installed);
            if (from.loaded().contains(name)) {
                LabModelServer.Loaded loaded = new LabModelServer.Loaded(installed);
                loaded.readyAt = now.minus(KEEP_ALIVE);
                loaded.usedAt = now;
                loaded.expiresAt = from.kind() == LabModelServer.Kind.OLLAMA ? now.plus(KEEP_ALIVE) : Instant.MAX;
                server.loaded.add(loaded);
            }
        }
        return server;
    }
}
