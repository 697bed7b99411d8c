package dev.pitwall.lab.ssh;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The computed files of a machine by absolute path. Parents come into being with their children. */
public final class FileTree {
    private static final SortedMap<String, Entry> NONE = Collections.emptySortedMap();

    /** What is in each folder that has anything in it, by name: a machine's tree is made anew for each look at it. */
    private final Map<String, SortedMap<String, Entry>> folders = new HashMap<>();
    private Entry root = Entry.Directory.USUAL;

    public FileTree directory(String path) {
        put(path, Entry.Directory.USUAL);
        return this;
    }

    public FileTree link(String path, String target) {
        put(path, new Entry.Link(target));
        return this;
    }

    /** A file of the disk, mode 0644. */
    public FileTree file(String path, String content) {
        put(path, Entry.stored(0644, content));
        return this;
    }

    /** A program: only that it is there matters. */
    public FileTree program(String path) {
        put(path, Entry.stored(0755, "\u007fELF\u0002\u0001\u0001"));
        return this;
    }

    /** A file of /proc. */
    public FileTree proc(String path, Supplier<String> content) {
        put(path, Entry.kernel(0444, 0, content));
        return this;
    }

    /** An attribute of /sys; a final line feed is added, as the kernel's attributes have it. */
    public FileTree sys(String path, String value) {
        put(path, Entry.kernel(0444, 4096, () -> value + "\n"));
        return this;
    }

    /** An attribute or binary file with its own mode and size. */
    public FileTree put(String path, Entry entry) {
        if (path.equals("/")) {
            root = entry;
            return this;
        }
        String parent = parent(path);
        if (!folders.containsKey(parent)) {
            folders.put(parent, new TreeMap<>());
            if (get(parent).isEmpty()) {
                directory(parent);
            }
        }
        folders.get(parent).put(name(path), entry);
        return this;
    }

    Optional<Entry> get(String path) {
        return path.equals("/") ? Optional.of(root) : Optional.ofNullable(children(parent(path)).get(name(path)));
    }

    /** Children of a directory by name. */
    SortedMap<String, Entry> children(String directory) {
        return Collections.unmodifiableSortedMap(folders.getOrDefault(directory, NONE));
    }

    void remove(String path) {
        Optional.ofNullable(folders.get(parent(path))).ifPresent(beside -> beside.remove(name(path)));
        empty(path);
    }

    private void empty(String folder) {
        Optional.ofNullable(folders.remove(folder)).stream().flatMap(below -> below.keySet().stream())
                .forEach(name -> empty(folder + "/" + name));
    }

    static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }

    static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
