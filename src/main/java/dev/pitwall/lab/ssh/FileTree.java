package dev.pitwall.lab.ssh;

import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The computed files of a machine by absolute path. Parents come into being with their children. */
public final class FileTree {
    private final TreeMap<String, Entry> entries = new TreeMap<>();

    public FileTree() {
        entries.put("/", Entry.Directory.USUAL);
    }

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
        entries.put(path, entry);
        for (String p = parent(path); !p.equals("/") && !entries.containsKey(p); p = parent(p)) {
            entries.put(p, Entry.Directory.USUAL);
        }
        return this;
    }

    Optional<Entry> get(String path) {
        return Optional.ofNullable(entries.get(path));
    }

    /** Children of a directory by name. */
    SortedMap<String, Entry> children(String directory) {
        String prefix = directory.equals("/") ? "/" : directory + "/";
        TreeMap<String, Entry> children = new TreeMap<>();
        for (Map.Entry<String, Entry> e : entries.tailMap(prefix, false).entrySet()) {
            if (!e.getKey().startsWith(prefix)) {
                break;
            }
            String rest = e.getKey().substring(prefix.length());
            if (rest.indexOf('/') < 0) {
                children.put(rest, e.getValue());
            }
        }
        return children;
    }

    void remove(String path) {
        entries.remove(path);
        entries.subMap(path + "/", path + "0").clear();
    }

    static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }

    static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
