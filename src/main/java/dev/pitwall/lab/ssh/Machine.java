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
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One machine as the commands on it see it. All of it is read afresh from the world at each call. */
public final class Machine {
    private final String name;
    private final World world;
    private final LabTexts texts;
    private final Keeping keeping;
    private final Supplier<MachineState> picture;
    /** What is on a machine of no kind of its own before anything is written; empty for the usual kinds. */
    private final Optional<Consumer<FileTree>> image;
    private final KernelModules modules;
    private final PackageCatalog catalog;
    private final ModuleControl control;
    private final PciControls pci;
    private final MachineFiles files;
    private final Units units;
    private volatile Optional<HostApi> hostApi = Optional.empty();

    Machine(String name, World world, LabTexts texts) {
        this(name, world, texts, new Keeping(name));
    }

    private Machine(String name, World world, LabTexts texts, Keeping keeping) {
        this(name, world, texts, keeping, pictures(name, world, texts, keeping), Optional.empty());
        world.change(w -> new FirstState(texts, catalog).of(w, name, keeping));
    }

    private Machine(String name, World world, LabTexts texts, Keeping keeping, Supplier<MachineState> picture,
                    Optional<Consumer<FileTree>> image) {
        this.name = name;
        this.world = world;
        this.texts = texts;
        this.keeping = keeping;
        this.picture = picture;
        this.image = image;
        this.modules = new KernelModules(texts);
        this.catalog = texts.packages();
        this.control = new ModuleControl(this, new NvidiaModuleLoad());
        this.pci = new PciControls(this);
        this.files = new MachineFiles(world, keeping, this::state, this::tree, pci::write);
        this.units = new Units(this);
    }

    private static Supplier<MachineState> pictures(String name, World world, LabTexts texts, Keeping keeping) {
        MachineReader reader = new MachineReader(world, texts, keeping);
        return () -> reader.read(name).orElseGet(() -> reader.jumpHost(name));
    }

    /**
     * A machine that is no part of the world, as a container is: what is written on it stays in its layer.
     *
     * @param picture its state, from the files and the system that its layer keeps
     * @param image   puts on it what is there before anything is written
     */
    public static Machine apart(String name, World world, LabTexts texts, Layer layer,
                                BiFunction<Map<String, byte[]>, MachineState.SystemView, MachineState> picture,
                                Consumer<FileTree> image) {
        return new Machine(name, world, texts, Keeping.apart(layer), new LayerPicture(layer, picture),
                Optional.of(image));
    }

    /** Copies of a layer are made only when it has changed: a shell asks for the state at each of its commands. */
    private static final class LayerPicture implements Supplier<MachineState> {
        private final Layer layer;
        private final BiFunction<Map<String, byte[]>, MachineState.SystemView, MachineState> picture;
        private Map<String, byte[]> files = Map.of();
        private MachineState.SystemView system = MachineState.SystemView.of(new LabSystem());
        private int known = -1;

        LayerPicture(Layer layer, BiFunction<Map<String, byte[]>, MachineState.SystemView, MachineState> picture) {
            this.layer = layer;
            this.picture = picture;
        }

        @Override
        public synchronized MachineState get() {
            if (layer.changes() != known) {
                layer.with(now -> {
                    files = Map.copyOf(now.written());
                    system = MachineState.SystemView.of(now.system());
                    known = now.changes();
                    return now;
                });
            }
            return picture.apply(files, system);
        }
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
        return picture.get();
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
        keeping.change(world, w -> change.accept(w, keeping.system(w)));
    }

    /** Changes the files on its disk as its own programs do, under the world's lock. */
    public void disk(BiConsumer<Map<String, byte[]>, LabSystem> change) {
        keeping.change(world, w -> change.accept(keeping.files(w), keeping.system(w)));
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
        new ProcFiles(now, loaded, texts).add(tree);
        image.ifPresentOrElse(own -> own.accept(tree), () -> {
            new DiskFiles(now, texts).add(tree);
            new SysFiles(now, loaded, tree).add();
        });
        return tree;
    }
}
