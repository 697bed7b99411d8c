package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.Entry;
import dev.pitwall.lab.ssh.FileTrouble;
import dev.pitwall.lab.ssh.FileView;
import dev.pitwall.lab.ssh.FileView.Follow;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** All that is below a path, parents before children, links not followed. */
final class Walk {
    /**
     * @param path  absolute
     * @param shown as it is printed: the operand and what follows it
     * @param depth 0 for the operand itself
     */
    record Found(String path, String shown, Entry entry, int depth) {
        boolean isFile() {
            return type() == 'f';
        }

        /** {@code d}, {@code l} or {@code f}, as {@code find -type} takes them. */
        char type() {
            return switch (entry) {
                case Entry.Directory d -> 'd';
                case Entry.Link l -> 'l';
                case Entry.Regular r -> 'f';
            };
        }

        String name() {
            return shown.substring(shown.lastIndexOf('/') + 1);
        }
    }

    private final FileView files;

    Walk(FileView files) {
        this.files = files;
    }

    /** @return empty if there is nothing at the path */
    Stream<Found> below(String path, String shown, int maxDepth) {
        List<Found> found = new ArrayList<>();
        try {
            // A trailing slash makes a link to a folder a folder.
            Follow follow = shown.endsWith("/") ? Follow.YES : Follow.NO;
            add(found, path, shown, files.entry(path, follow), 0, maxDepth);
        } catch (FileTrouble e) {
            return Stream.empty();
        }
        return found.stream();
    }

    private void add(List<Found> found, String path, String shown, Entry entry, int depth, int maxDepth)
            throws FileTrouble {
        found.add(new Found(path, shown, entry, depth));
        boolean goesDown = switch (entry) {
            case Entry.Directory d -> depth < maxDepth;
            case Entry.Link l -> false;
            case Entry.Regular r -> false;
        };
        if (!goesDown) {
            return;
        }
        for (String name : files.names(path)) {
            String child = path.endsWith("/") ? path + name : path + "/" + name;
            add(found, child, shown.endsWith("/") ? shown + name : shown + "/" + name,
                    files.entry(child, Follow.NO), depth + 1, maxDepth);
        }
    }
}
