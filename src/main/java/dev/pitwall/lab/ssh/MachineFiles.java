package dev.pitwall.lab.ssh;

import dev.pitwall.lab.ssh.FileTrouble.Cause;
import dev.pitwall.lab.ssh.FileView.Follow;
import dev.pitwall.lab.world.LabSystem;
import dev.pitwall.lab.world.World;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The files of one machine: what is computed from its state, under what was written to it. All that was written is kept
 * in the world, so that other servers see it and a boot finds it.
 */
public final class MachineFiles {
    private static final List<String> KERNEL_ROOTS = List.of("/proc", "/sys");
    private static final int USUAL_MODE = 0644;

    private final World world;
    private final Keeping keeping;
    private final Supplier<MachineState> state;
    private final TreeBuilder computed;
    private final KernelAttributes kernel;

    /** Makes the computed part of the tree. */
    @FunctionalInterface
    interface TreeBuilder {
        FileTree build(MachineState state);
    }

    /** What the kernel does when one of its own files is written. */
    @FunctionalInterface
    interface KernelAttributes {
        /**
         * @param path    without links
         * @param content as it was written
         * @throws FileTrouble in the kernel's words, if it takes no such value
         */
        void write(String path, String content) throws FileTrouble;
    }

    MachineFiles(World world, Keeping keeping, Supplier<MachineState> state, TreeBuilder computed,
                 KernelAttributes kernel) {
        this.world = world;
        this.keeping = keeping;
        this.state = state;
        this.computed = computed;
        this.kernel = kernel;
    }

    /** The files as they are now. */
    public FileView view() {
        MachineState now = state.get();
        MachineState.SystemView system = now.system();
        FileTree tree = computed.build(now);
        system.removed().forEach(tree::remove);
        system.folders().forEach((path, mode) -> tree.put(path, new Entry.Directory(mode)));
        system.links().forEach((path, target) -> tree.put(path, new Entry.Link(target)));
        now.overlay().forEach((path, bytes) -> tree.put(path,
                Entry.stored(system.modes().getOrDefault(path, USUAL_MODE), bytes)));
        return new FileView(tree, system.changed(), now.bootedAt());
    }

    /** True for a file that the kernel makes up: writing it is a request to the kernel. */
    public boolean isKernelFile(String path) {
        try {
            return view().entry(path, Follow.YES) instanceof Entry.Regular r && r.kernel();
        } catch (FileTrouble e) {
            return false;
        }
    }

    /** Replaces a file's whole content, or makes the file. A kernel's own file takes it as a request. */
    public void write(String path, byte[] content) throws FileTrouble {
        FileView view = view();
        String real = view.resolve(path, Follow.YES);
        if (view.exists(real)) {
            switch (view.entry(real, Follow.NO)) {
                case Entry.Directory d -> throw new FileTrouble(Cause.IS_DIRECTORY, path);
                case Entry.Link l -> throw new FileTrouble(Cause.LOOP, path);
                case Entry.Regular r when r.kernel() -> {
                    toKernel(r, real, path, content);
                    return;
                }
                case Entry.Regular r -> note(s -> s.modes.putIfAbsent(real, r.mode()));
            }
        }
        requireDisk(real, path);
        requireFolder(view, real, path);
        store(real, content);
    }

    private void toKernel(Entry.Regular file, String real, String path, byte[] content) throws FileTrouble {
        if ((file.mode() & 0222) == 0) {
            throw new FileTrouble(Cause.DENIED, path);
        }
        if (content.length > 0 && !real.startsWith("/dev/")) {
            kernel.write(real, new String(content, StandardCharsets.UTF_8).strip());
        }
    }

    public void makeDirectory(String path, int mode) throws FileTrouble {
        FileView view = view();
        String real = absent(view, path);
        requireFolder(view, real, path);
        made(real, s -> s.folders.put(real, mode));
    }

    public void makeLink(String path, String target) throws FileTrouble {
        FileView view = view();
        String real = absent(view, path);
        requireFolder(view, real, path);
        made(real, s -> s.links.put(real, target));
    }

    /** Removes a file, a link or an empty folder. */
    public void remove(String path) throws FileTrouble {
        FileView view = view();
        String real = view.resolve(path, Follow.NO);
        switch (view.entry(path, Follow.NO)) {
            case Entry.Directory d -> {
                if (!view.names(real).isEmpty()) {
                    throw new FileTrouble(Cause.NOT_EMPTY, path);
                }
            }
            case Entry.Regular r when r.kernel() -> throw new FileTrouble(Cause.NOT_PERMITTED, path);
            case Entry.Regular r -> { }
            case Entry.Link l -> { }
        }
        requireDisk(real, path);
        change((files, s) -> forget(files, s, real));
    }

    /** Moves a file, a link or a whole folder, over a file that is there, in one step as {@code rename(2)} does. */
    public void rename(String from, String to) throws FileTrouble {
        FileView view = view();
        String source = view.resolve(from, Follow.NO);
        String goal = view.resolve(to, Follow.NO);
        Entry entry = view.entry(from, Follow.NO);
        requireDisk(source, from);
        requireDisk(goal, to);
        requireFolder(view, goal, to);
        if (source.equals(goal)) {
            return;
        }
        refuseWrongGoal(view, entry, source, goal, to);
        List<String> below = new ArrayList<>();
        collect(view, source, below);
        List<Moved> moved = new ArrayList<>();
        for (String path : below) {
            moved.add(new Moved(path, goal + path.substring(source.length()), view.entry(path, Follow.NO)));
        }
        change((files, s) -> {
            Instant now = world.clock().instant();
            moved.reversed().forEach(m -> forget(files, s, m.from()));
            moved.forEach(m -> put(files, s, m, now));
        });
    }

    private record Moved(String from, String to, Entry entry) {
    }

    private static void put(Map<String, byte[]> files, LabSystem s, Moved m, Instant now) {
        forget(files, s, m.to());
        s.removed.remove(m.to());
        s.changed.put(m.to(), now);
        switch (m.entry()) {
            case Entry.Directory d -> s.folders.put(m.to(), d.mode());
            case Entry.Link l -> s.links.put(m.to(), l.target());
            case Entry.Regular r -> {
                files.put(m.to(), r.content().get());
                s.modes.put(m.to(), r.mode());
            }
        }
    }

    private static void refuseWrongGoal(FileView view, Entry entry, String source, String goal, String to)
            throws FileTrouble {
        if (entry instanceof Entry.Regular r && r.kernel()) {
            throw new FileTrouble(Cause.NOT_PERMITTED, source);
        }
        boolean folder = entry instanceof Entry.Directory;
        if (folder && goal.startsWith(source + "/")) {
            throw new FileTrouble(Cause.INVALID, to);
        }
        if (!view.exists(goal)) {
            return;
        }
        boolean overFolder = view.entry(goal, Follow.NO) instanceof Entry.Directory;
        if (overFolder && !folder) {
            throw new FileTrouble(Cause.IS_DIRECTORY, to);
        }
        if (folder && !overFolder) {
            throw new FileTrouble(Cause.NOT_A_DIRECTORY, to);
        }
        if (folder && !view.names(goal).isEmpty()) {
            throw new FileTrouble(Cause.NOT_EMPTY, to);
        }
    }

    private static void collect(FileView view, String path, List<String> into) throws FileTrouble {
        into.add(path);
        if (view.entry(path, Follow.NO) instanceof Entry.Directory) {
            for (String name : view.names(path)) {
                collect(view, path + "/" + name, into);
            }
        }
    }

    /** @param mode the low twelve bits, as {@code chmod} takes them */
    public void chmod(String path, int mode) throws FileTrouble {
        FileView view = view();
        String real = view.resolve(path, Follow.YES);
        Entry entry = view.entry(path, Follow.YES);
        requireDisk(real, path);
        switch (entry) {
            case Entry.Regular r when r.kernel() -> throw new FileTrouble(Cause.NOT_PERMITTED, path);
            case Entry.Regular r -> change((files, s) -> {
                s.modes.put(real, mode);
                files.putIfAbsent(real, r.content().get());
            });
            case Entry.Directory d -> note(s -> s.folders.put(real, mode));
            case Entry.Link l -> throw new FileTrouble(Cause.LOOP, path);
        }
    }

    /** Sets when a file was changed, as {@code touch} and SFTP clients do. */
    public void touched(String path, Instant moment) throws FileTrouble {
        FileView view = view();
        String real = view.resolve(path, Follow.YES);
        view.entry(path, Follow.YES);
        note(s -> s.changed.put(real, moment));
    }

    private String absent(FileView view, String path) throws FileTrouble {
        String real = view.resolve(path, Follow.NO);
        try {
            view.entry(real, Follow.NO);
        } catch (FileTrouble e) {
            requireDisk(real, path);
            return real;
        }
        throw new FileTrouble(Cause.EXISTS, path);
    }

    private static void requireFolder(FileView view, String real, String path) throws FileTrouble {
        String parent = FileTree.parent(real);
        switch (view.exists(parent) ? view.entry(parent, Follow.YES) : null) {
            case null -> throw new FileTrouble(Cause.NOT_FOUND, path);
            case Entry.Directory d -> { }
            case Entry.Regular r -> throw new FileTrouble(Cause.NOT_A_DIRECTORY, path);
            case Entry.Link l -> throw new FileTrouble(Cause.NOT_A_DIRECTORY, path);
        }
    }

    /** Kernel file systems take no new files. */
    private void requireDisk(String real, String path) throws FileTrouble {
        if (real.equals("/") || KERNEL_ROOTS.stream()
                .anyMatch(root -> real.equals(root) || real.startsWith(root + "/"))) {
            throw new FileTrouble(Cause.DENIED, path);
        }
        if (keeping.isReadOnly(real)) {
            throw new FileTrouble(Cause.READ_ONLY, path);
        }
    }

    private void store(String real, byte[] content) {
        change((files, s) -> {
            s.removed.remove(real);
            s.changed.put(real, world.clock().instant());
            files.put(real, content);
        });
    }

    private void made(String real, Consumer<LabSystem> what) {
        note(s -> {
            s.removed.remove(real);
            s.changed.put(real, world.clock().instant());
            what.accept(s);
        });
    }

    private static void forget(Map<String, byte[]> files, LabSystem s, String real) {
        files.remove(real);
        s.folders.remove(real);
        s.links.remove(real);
        s.modes.remove(real);
        s.changed.remove(real);
        s.removed.add(real);
    }

    private void note(Consumer<LabSystem> what) {
        change((files, s) -> what.accept(s));
    }

    private void change(BiConsumer<Map<String, byte[]>, LabSystem> what) {
        keeping.change(world, w -> what.accept(keeping.files(w), keeping.system(w)));
    }
}
