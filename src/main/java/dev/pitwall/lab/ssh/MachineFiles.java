package dev.pitwall.lab.ssh;

import dev.pitwall.lab.ssh.FileTrouble.Cause;
import dev.pitwall.lab.ssh.FileView.Follow;
import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.World;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;

/**
 * The files of one machine: what is computed from its state, under what was written to it. Contents that were written
 * are kept in the world, so that other servers see them; modes, links, empty folders and removals are kept here.
 */
public final class MachineFiles {
    private final String machine;
    private final World world;
    private final Supplier<MachineState> state;
    private final TreeBuilder computed;
    private final Map<String, Integer> modes = new HashMap<>();
    private final Map<String, Instant> changed = new HashMap<>();
    private final TreeMap<String, Entry> made = new TreeMap<>();
    private final Set<String> removed = new TreeSet<>();
    /** A jump host is no machine of the world; its files stay here. */
    private final Map<String, byte[]> outsideTheWorld = new ConcurrentSkipListMap<>();

    /** Makes the computed part of the tree. */
    @FunctionalInterface
    interface TreeBuilder {
        FileTree build(MachineState state);
    }

    MachineFiles(String machine, World world, Supplier<MachineState> state, TreeBuilder computed) {
        this.machine = machine;
        this.world = world;
        this.state = state;
        this.computed = computed;
    }

    /** The files as they are now. */
    public synchronized FileView view() {
        MachineState now = state.get();
        FileTree tree = computed.build(now);
        removed.forEach(tree::remove);
        made.forEach(tree::put);
        outsideTheWorld.forEach((path, bytes) -> tree.put(path, Entry.stored(modes.getOrDefault(path, 0644), bytes)));
        now.overlay().forEach((path, bytes) -> tree.put(path, Entry.stored(modes.getOrDefault(path, 0644), bytes)));
        return new FileView(tree, Map.copyOf(changed), now.bootedAt());
    }

    /** Replaces a file's whole content, or makes the file. */
    public void write(String path, byte[] content) throws FileTrouble {
        FileView view = view();
        String real = target(view, path);
        if (view.exists(real)) {
            switch (view.entry(real, Follow.NO)) {
                case Entry.Directory d -> throw new FileTrouble(Cause.IS_DIRECTORY, path);
                case Entry.Link l -> throw new FileTrouble(Cause.LOOP, path);
                case Entry.Regular r -> {
                    if (r.kernel()) {
                        throw new FileTrouble(Cause.DENIED, path);
                    }
                    modes.putIfAbsent(real, r.mode());
                }
            }
        }
        requireFolder(view, real, path);
        store(real, content);
    }

    public synchronized void makeDirectory(String path, int mode) throws FileTrouble {
        FileView view = view();
        String real = absent(view, path);
        requireFolder(view, real, path);
        made.put(real, new Entry.Directory(mode));
        removed.remove(real);
        touch(real);
    }

    public synchronized void makeLink(String path, String target) throws FileTrouble {
        FileView view = view();
        String real = absent(view, path);
        requireFolder(view, real, path);
        made.put(real, new Entry.Link(target));
        removed.remove(real);
        touch(real);
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
        forget(real);
    }

    /** Moves a file over another in one step, as {@code rename(2)} does. */
    public void rename(String from, String to) throws FileTrouble {
        FileView view = view();
        String source = view.resolve(from, Follow.NO);
        String goal = view.resolve(to, Follow.NO);
        Entry entry = view.entry(from, Follow.NO);
        requireDisk(source, from);
        requireFolder(view, goal, to);
        switch (entry) {
            case Entry.Regular r when r.kernel() -> throw new FileTrouble(Cause.NOT_PERMITTED, from);
            case Entry.Regular r -> {
                if (view.exists(goal) && view.entry(goal, Follow.NO) instanceof Entry.Directory) {
                    throw new FileTrouble(Cause.IS_DIRECTORY, to);
                }
                byte[] content = r.content().get();
                synchronized (this) {
                    modes.put(goal, r.mode());
                    made.remove(goal);
                }
                move(source, goal, content);
            }
            case Entry.Link l -> {
                forget(source);
                synchronized (this) {
                    made.put(goal, l);
                    removed.remove(goal);
                }
            }
            case Entry.Directory d -> {
                if (!view.names(source).isEmpty()) {
                    throw new FileTrouble(Cause.NOT_EMPTY, from);
                }
                forget(source);
                makeDirectory(to, d.mode());
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
            case Entry.Regular r -> {
                synchronized (this) {
                    modes.put(real, mode);
                }
                store(real, r.content().get());
            }
            case Entry.Directory d -> {
                synchronized (this) {
                    made.put(real, new Entry.Directory(mode));
                }
            }
            case Entry.Link l -> throw new FileTrouble(Cause.LOOP, path);
        }
    }

    private String target(FileView view, String path) throws FileTrouble {
        String real = view.resolve(path, Follow.YES);
        requireDisk(real, path);
        return real;
    }

    private String absent(FileView view, String path) throws FileTrouble {
        String real = view.resolve(path, Follow.NO);
        requireDisk(real, path);
        try {
            view.entry(real, Follow.NO);
        } catch (FileTrouble e) {
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

    /** Kernel file systems take no new files; what the kernel lets one write there is not part of this lab yet. */
    private static void requireDisk(String real, String path) throws FileTrouble {
        if (real.equals("/") || List.of("/proc", "/sys").stream()
                .anyMatch(root -> real.equals(root) || real.startsWith(root + "/"))) {
            throw new FileTrouble(Cause.DENIED, path);
        }
    }

    private void store(String real, byte[] content) {
        synchronized (this) {
            removed.remove(real);
            touch(real);
        }
        world.change(w -> overlay(w).put(real, content));
    }

    private void forget(String real) {
        synchronized (this) {
            made.remove(real);
            modes.remove(real);
            changed.remove(real);
            removed.add(real);
        }
        world.change(w -> overlay(w).remove(real));
    }

    private void move(String source, String goal, byte[] content) {
        synchronized (this) {
            modes.remove(source);
            made.remove(source);
            removed.add(source);
            removed.remove(goal);
            touch(goal);
        }
        world.change(w -> {
            Map<String, byte[]> files = overlay(w);
            files.remove(source);
            files.put(goal, content);
        });
    }

    private void touch(String path) {
        changed.put(path, world.clock().instant());
    }

    private Map<String, byte[]> overlay(World w) {
        LabNode node = w.nodes.get(machine);
        LabHost host = w.hosts.get(machine);
        if (node != null && (host == null || node.vmid != 0)) {
            return node.files;
        }
        return host == null ? outsideTheWorld : host.files;
    }
}
