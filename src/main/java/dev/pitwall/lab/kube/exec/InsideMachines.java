package dev.pitwall.lab.kube.exec;

import dev.pitwall.lab.ssh.Entry;
import dev.pitwall.lab.ssh.FileTree;
import dev.pitwall.lab.ssh.LabTexts;
import dev.pitwall.lab.ssh.Layer;
import dev.pitwall.lab.ssh.Machine;
import dev.pitwall.lab.ssh.MachineReader;
import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.MachineState.CardView;
import dev.pitwall.lab.ssh.MachineState.NvidiaDriver;
import dev.pitwall.lab.ssh.MachineState.SystemView;
import dev.pitwall.lab.ssh.command.LabCommands;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;
import dev.pitwall.lab.world.LabSystem;
import dev.pitwall.lab.world.World;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes containers into machines that the lab's shell runs on. Safe for any number of threads. */
public final class InsideMachines {
    private static final String SMI = "nvidia-smi";
    private static final String LIBRARY = "libnvidia-compute";
    private static final Set<String> SHELLS = Set.of("ash", "dash");

    private final World world;
    private final ImageTools tools;
    private final Commands all = LabCommands.all();
    private Optional<Ground> ground = Optional.empty();

    /** What is read from the lab's texts, when the first container is looked into. */
    private record Ground(LabTexts texts, MachineReader nodes) {
    }

    public InsideMachines(World world, ImageTools tools) {
        this.world = world;
        this.tools = tools;
    }

    /** The lab's time. */
    InstantSource clock() {
        return world.clock();
    }

    private synchronized Ground ground() {
        if (ground.isEmpty()) {
            LabTexts texts = new LabTexts();
            ground = Optional.of(new Ground(texts, MachineReader.of(world, texts)));
        }
        return ground.get();
    }

    /** @param image repository with its registry, a colon, and its tag */
    public Toolbox tools(String image) {
        return tools.of(image);
    }

    /**
     * @param layer what was written in the container
     * @param clock its time
     */
    public Machine machine(Inside inside, Layer layer, InstantSource clock) {
        Ground read = ground();
        MachineState node = read.nodes().read(inside.node()).orElseThrow(() ->
                new IllegalStateException("no machine is node " + inside.node()));
        List<CardView> cards = node.cards().stream().filter(card -> inside.cards().has(card.uuid()))
                .map(card -> inside.cards().host() ? card : alone(card)).toList();
        NvidiaDriver driver = inside.cards().any() ? node.driver() : new NvidiaDriver("absent", "", Instant.EPOCH);
        return Machine.apart(inside.hostname(), world, read.texts(), layer, (files, system) -> new MachineState(
                inside.hostname(), node.kind(), node.osId(), node.osImage(), node.kernel(), node.commandLine(),
                clock.instant(), node.bootedAt(), inside.address(), node.cpu(), node.memoryBytes(), node.board(),
                node.productUuid(), node.firmware(), node.iommuActive(), node.pci(), driver, false, "", "", "", cards,
                List.of(), files, libraries(system, inside), node.busyThreads(), node.disk()),
                tree -> image(tree, inside, tools(inside.image())));
    }

    /** Processes of other containers have no number in this one, so that nvidia-smi does not list them. */
    private static CardView alone(CardView card) {
        return new CardView(card.product(), card.uuid(), card.function(), card.vramMiB(), card.usedMiB(),
                card.reservedMiB(), card.temperatureC(), card.powerW(), card.powerLimitW(), card.utilizationPercent(),
                card.smClockMHz(), card.memoryClockMHz(), card.lastXid(), card.lost(), List.of());
    }

    /** The driver's libraries came from outside; their release is what the kernel module is compared with. */
    private static SystemView libraries(SystemView system, Inside inside) {
        return inside.cards().library().isEmpty() ? system : new SystemView(system.folders(), system.links(),
                system.modes(), system.changed(), system.removed(), system.options(), system.inserted(),
                system.withdrawn(), system.lines(), Map.of(LIBRARY, new LabSystem.InstalledPackage(
                inside.cards().library(), false, true)), system.nvidiaModules(), system.ownerKeys(),
                system.runtimeConfig());
    }

    private static void image(FileTree tree, Inside inside, Toolbox box) {
        List.of("/dev", "/etc", "/home", "/mnt", "/opt", "/root", "/run", "/srv", "/usr", "/var/log")
                .forEach(tree::directory);
        tree.put("/tmp", new Entry.Directory(01777));
        if (box.merged()) {
            tree.link("/bin", "usr/bin").link("/sbin", "usr/sbin").directory("/usr/bin").directory("/usr/sbin");
        }
        box.programs().forEach(program -> tree.program(box.folder() + program));
        box.unserved().forEach(program -> tree.program(box.folder() + program));
        if (inside.cards().any()) {
            tree.program("/usr/bin/" + SMI);
        }
        for (String device : List.of("null", "zero", "random", "urandom", "full", "tty", "stdin", "stdout", "stderr")) {
            tree.put("/dev/" + device, Entry.kernel(0666, 0, () -> ""));
        }
        tree.file("/etc/hostname", inside.hostname() + "\n")
                .file("/etc/hosts", "# Kubernetes-managed hosts file.\n127.0.0.1\tlocalhost\n"
                        + (inside.address().isEmpty() ? "" : inside.address() + "\t" + inside.hostname() + "\n"))
                .file("/etc/passwd", "root:x:0:0:root:/root:/bin/sh\n").file("/etc/group", "root:x:0:\n");
        if (!box.release().isEmpty()) {
            tree.file("/etc/os-release", box.release());
        }
        inside.folders().forEach(tree::directory);
        inside.mounted().forEach((path, text) -> tree.put(path, Entry.stored(0644,
                text.getBytes(StandardCharsets.UTF_8))));
    }

    /** What can be run in a container: what its image has, and the driver's programs where it was given a card. */
    public Commands commands(Inside inside, Machine machine) {
        Toolbox box = tools(inside.image());
        Commands commands = new Commands();
        Map<String, Command> own = ContainerPrograms.of(inside);
        MachineState state = machine.state();
        box.unserved().forEach(name -> commands.add(name, ContainerPrograms::unserved));
        box.programs().forEach(name -> Optional.ofNullable(own.get(name)).or(() -> all.find(SHELLS.contains(name) ? "sh" : name, state)).ifPresent(command -> commands.add(name, command)));
        if (inside.cards().any()) {
            all.find(SMI, state).ifPresent(command -> commands.add(SMI, command));
        }
        return commands;
    }
}
