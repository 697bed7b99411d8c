package dev.pitwall.journey.change;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * A file of a host gets other bytes, appears, or goes. It is made only while the file still holds {@code before}.
 *
 * @param host    the machine in the site
 * @param path    absolute
 * @param summary for example {@code new file, 4 lines}
 */
public record FileChange(String host, String path, Content before, Content after, String summary) implements Change {

    public FileChange {
        Objects.requireNonNull(host);
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("not an absolute path: " + path);
        }
        if (before.equals(after)) {
            throw new IllegalArgumentException("changes nothing: " + path);
        }
    }

    @Override
    public String system() {
        return host;
    }

    @Override
    public String target() {
        return path;
    }

    @Override
    public Risk risk() {
        return Risk.NONE;
    }

    @Override
    public Optional<String> undo() {
        return Optional.of(before.absent() ? "removes the file" : "puts back the bytes that were there");
    }

    @Override
    public Optional<Duration> usual() {
        return Optional.empty();
    }

    /**
     * This change and a later one of the same file as one.
     *
     * @return empty if the later one takes this one back
     */
    public Optional<FileChange> with(FileChange later) {
        return before.equals(later.after()) ? Optional.empty()
                : Optional.of(new FileChange(host, path, before, later.after(), later.summary()));
    }

    /** The change that takes this one back. */
    public FileChange inverse() {
        return new FileChange(host, path, after, before, before.absent() ? "removed" : "as it was before");
    }
}
