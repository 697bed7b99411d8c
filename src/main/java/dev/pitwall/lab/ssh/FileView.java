package dev.pitwall.lab.ssh;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A machine's files at one instant, read as a program on it would. Paths may be relative to a working directory. */
public final class FileView {
    private static final int MAX_LINKS = 40;

    private final FileTree tree;
    private final Map<String, Instant> changed;
    private final Instant booted;

    FileView(FileTree tree, Map<String, Instant> changed, Instant booted) {
        this.tree = tree;
        this.changed = changed;
        this.booted = booted;
    }

    /** Makes a path absolute and removes {@code .} and {@code ..} by text, as {@code cd} does. */
    public static String absolute(String directory, String path) {
        Deque<String> parts = new ArrayDeque<>();
        String whole = path.startsWith("/") ? path : directory + "/" + path;
        for (String part : whole.split("/")) {
            switch (part) {
                case "", "." -> { }
                case ".." -> parts.pollLast();
                default -> parts.addLast(part);
            }
        }
        return "/" + String.join("/", parts);
    }

    /** The path with every link in it followed; the last one too if {@code followLast}. */
    public String resolve(String path, Follow last) throws FileTrouble {
        Deque<String> todo = new ArrayDeque<>(List.of(path.split("/")));
        Deque<String> done = new ArrayDeque<>();
        int links = 0;
        while (!todo.isEmpty()) {
            String part = todo.pollFirst();
            if (part.isEmpty() || part.equals(".")) {
                continue;
            }
            if (part.equals("..")) {
                done.pollLast();
                continue;
            }
            done.addLast(part);
            String here = "/" + String.join("/", done);
            if (tree.get(here).orElse(null) instanceof Entry.Link link && (!todo.isEmpty() || last == Follow.YES)) {
                if (++links > MAX_LINKS) {
                    throw new FileTrouble(FileTrouble.Cause.LOOP, path);
                }
                done.pollLast();
                if (link.target().startsWith("/")) {
                    done.clear();
                }
                List<String> parts = List.of(link.target().split("/"));
                for (int i = parts.size() - 1; i >= 0; i--) {
                    todo.addFirst(parts.get(i));
                }
            }
        }
        return "/" + String.join("/", done);
    }

    /** Whether a link at the end of a path is followed. */
    public enum Follow { YES, NO }

    /** @throws FileTrouble if there is nothing at that path */
    public Entry entry(String path, Follow follow) throws FileTrouble {
        String real = resolve(path, follow);
        Optional<Entry> entry = tree.get(real);
        if (entry.isEmpty()) {
            String parent = FileTree.parent(real);
            boolean inFile = tree.get(parent).filter(e -> !(e instanceof Entry.Directory)).isPresent();
            throw new FileTrouble(inFile ? FileTrouble.Cause.NOT_A_DIRECTORY : FileTrouble.Cause.NOT_FOUND, path);
        }
        return entry.get();
    }

    public boolean exists(String path) {
        try {
            entry(path, Follow.YES);
            return true;
        } catch (FileTrouble e) {
            return false;
        }
    }

    public byte[] read(String path) throws FileTrouble {
        return switch (entry(path, Follow.YES)) {
            case Entry.Directory d -> throw new FileTrouble(FileTrouble.Cause.IS_DIRECTORY, path);
            case Entry.Link l -> throw new FileTrouble(FileTrouble.Cause.LOOP, path);
            case Entry.Regular r -> {
                if ((r.mode() & 0444) == 0) {
                    throw new FileTrouble(FileTrouble.Cause.DENIED, path);
                }
                yield r.content().get();
            }
        };
    }

    /** Names in a directory, sorted. */
    public List<String> names(String path) throws FileTrouble {
        String real = resolve(path, Follow.YES);
        return switch (entry(path, Follow.YES)) {
            case Entry.Directory d -> new ArrayList<>(tree.children(real).keySet());
            case Entry.Regular r -> throw new FileTrouble(FileTrouble.Cause.NOT_A_DIRECTORY, path);
            case Entry.Link l -> throw new FileTrouble(FileTrouble.Cause.LOOP, path);
        };
    }

    /** When it was last written; what is computed is as old as the boot. */
    public Instant changed(String path) {
        return changed.getOrDefault(path, booted);
    }

    /** Size as {@code stat} shows it. */
    public static long size(Entry entry) {
        return switch (entry) {
            case Entry.Directory d -> 4096;
            case Entry.Link l -> l.target().length();
            case Entry.Regular r -> r.size();
        };
    }
}
