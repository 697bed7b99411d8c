package dev.pitwall.lab.ssh;

import dev.pitwall.lab.ssh.kernel.BootSequence;
import dev.pitwall.lab.ssh.kernel.KernelModules;
import dev.pitwall.lab.ssh.kernel.ModprobeConfig;
import dev.pitwall.lab.ssh.kernel.ModuleControl;
import dev.pitwall.lab.ssh.kernel.NvidiaModuleLoad;
import dev.pitwall.lab.ssh.kernel.PciControls;
import dev.pitwall.lab.ssh.software.PackageCatalog;
import dev.pitwall.lab.ssh.software.Units;
import dev.pitwall.lab.world.HostApi;
import dev.pitwall.lab.world.LabSystem;
import dev.pitwall.lab.world.World;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/** One machine as the commands on it see it. All of it is read afresh from the world at each call. */
public final class Machine {
    private final String name;
    private final World world;
    private final LabTexts texts;
    private final Keeping keeping;
    private final MachineReader reader;
    private final KernelModules modules;
    private final PackageCatalog catalog;
    private final ModuleControl control;
    private final PciControls pci;
    private final MachineFiles files;
    private final Units units;
    private volatile Optional<HostApi> hostApi = Optional.empty();

    Machine(String name, World world, LabTexts texts) {
        this.name = name;
        this.world = world;
        this.texts = texts;
        this.keeping = new Keeping(name);
        this.reader = new MachineReader(world, texts, keeping);
        this.modules = new KernelModules(texts);
        this.catalog = texts.packages();
        this.control = new ModuleControl(this, new NvidiaModuleLoad());
        this.pci = new PciControls(this);
        this.files = new MachineFiles(world, keeping, this::state, this::tree, pci::write);
        this.units = new Units(this);
        world.change(w -> new FirstState(texts, catalog).of(w, name, keeping));
    }

    /** What a boot of any machine does; to be added once to a world's boot steps. */
    static BootSequence boots() {
        return new BootSequence(new NvidiaModuleLoad());
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

    /** Looks at what this machine's system keeps, under the world's lock. */
    public <T> T look(BiFunction<World, LabSystem, T> look) {
        return world.read(w -> look.apply(w, keeping.system(w)));
    }

    /** Changes what this machine's system keeps, under the world's lock. */
    public void change(BiConsumer<World, LabSystem> change) {
        world.change(w -> change.accept(w, keeping.system(w)));
    }

    /** Changes the files on its disk as its own programs do, under the world's lock. */
    public void disk(BiConsumer<Map<String, byte[]>, LabSystem> change) {
        world.change(w -> change.accept(keeping.files(w), keeping.system(w)));
    }

    /** The files on its disk that are not computed, by path. */
    public Map<String, byte[]> disk() {
        return world.read(w -> new TreeMap<>(keeping.files(w)));
    }

    public List<KernelLog.Line> kernelLog() {
        return KernelLog.of(state(), texts);
    }

    public List<KernelModules.Module> loadedModules() {
        return modules.loaded(state());
    }

    public KernelModules moduleTable() {
        return modules;
    }

    /** Loads and unloads modules. */
    public ModuleControl modules() {
        return control;
    }

    public PciControls pciControls() {
        return pci;
    }

    public PackageCatalog catalog() {
        return catalog;
    }

    /** Lets the machine's own programs call its Proxmox API. */
    void connect(HostApi api) {
        hostApi = Optional.of(api);
    }

    /** The Proxmox API of this machine; empty where none was connected. */
    public Optional<HostApi> hostApi() {
        return hostApi;
    }

    public Units units() {
        return units;
    }

    /** What modprobe reads now: the disk's files, not those of the image the machine booted from. */
    public ModprobeConfig modprobeConfig() {
        return ModprobeConfig.of(disk(), state().commandLine());
    }

    private FileTree tree(MachineState now) {
        FileTree tree = new FileTree();
        List<KernelModules.Module> loaded = modules.loaded(now);
        new DiskFiles(now, texts).add(tree);
        new ProcFiles(now, loaded, texts).add(tree);
        new SysFiles(now, loaded, tree).add();
        return tree;
    }
}
