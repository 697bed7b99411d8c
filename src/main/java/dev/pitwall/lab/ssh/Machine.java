package dev.pitwall.lab.ssh;

import dev.pitwall.lab.world.World;

import java.util.List;

/** One machine as the commands on it see it. All of it is read afresh from the world at each call. */
public final class Machine {
    private final String name;
    private final World world;
    private final LabTexts texts;
    private final MachineReader reader;
    private final KernelModules modules;
    private final BootImage boot;
    private final MachineFiles files;

    Machine(String name, World world, LabTexts texts) {
        this.name = name;
        this.world = world;
        this.texts = texts;
        this.reader = new MachineReader(world, texts);
        this.modules = new KernelModules(texts);
        this.boot = new BootImage(state());
        this.files = new MachineFiles(name, world, this::state, this::tree);
    }

    public String name() {
        return name;
    }

    /** The world this machine is part of; a command that changes it does so through {@link World#change}. */
    public World world() {
        return world;
    }

    public MachineState state() {
        return reader.read(name).orElseGet(() -> reader.jumpHost(name));
    }

    public MachineFiles files() {
        return files;
    }

    public LabTexts texts() {
        return texts;
    }

    /** The initramfs and what the running kernel took from it. */
    public BootImage boot() {
        return boot;
    }

    public List<KernelLog.Line> kernelLog() {
        return KernelLog.of(state(), texts);
    }

    public List<KernelModules.Module> loadedModules() {
        MachineState now = state();
        return modules.loaded(now, boot.running(now));
    }

    public KernelModules moduleTable() {
        return modules;
    }

    private FileTree tree(MachineState now) {
        FileTree tree = new FileTree();
        ModuleOptions options = boot.running(now);
        List<KernelModules.Module> loaded = modules.loaded(now, options);
        new DiskFiles(now, texts).add(tree);
        new ProcFiles(now, loaded, texts).add(tree);
        new SysFiles(now, options, loaded, tree).add();
        return tree;
    }
}
