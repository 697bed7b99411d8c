package dev.pitwall.lab;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * The folder of one running lab. A lock on a file in it keeps a second lab from writing over the first one's files; the
 * system gives the lock up when the process ends, however it ends. The lock's file stays: removing it would let two
 * labs hold locks on two files of the same name.
 */
final class LabFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LabFolder.class);
    private static final String LOCK = "lab.lock";

    private final FileChannel lock;

    private LabFolder(FileChannel lock) {
        this.lock = lock;
    }

    /**
     * Makes the folder if it is not there, and takes it.
     *
     * @throws TroubleException if another lab has it, it is a file, or it may not be written
     */
    static LabFolder take(Path dir) throws TroubleException {
        Optional<Path> file = fileInTheWay(dir);
        if (file.isPresent()) {
            throw refused(Kind.UNREADABLE, file.get(), "it is a file, not a folder", "Choose another folder.");
        }
        try {
            Files.createDirectories(dir);
            return new LabFolder(locked(dir));
        } catch (AccessDeniedException e) {
            LOG.debug("{} may not be written", dir, e);
            throw refused(Kind.RIGHTS, dir, "it may not be written", "Choose another folder, or make it writable.");
        } catch (IOException e) {
            LOG.debug("{} cannot be used", dir, e);
            throw refused(Kind.UNREADABLE, dir, reason(e), "Choose another folder.");
        }
    }

    /** True if a lab runs in the folder now. */
    static boolean isTaken(Path dir) {
        Path file = dir.resolve(LOCK);
        if (!Files.exists(file)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
             FileLock free = channel.tryLock()) {
            return free == null;
        } catch (OverlappingFileLockException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static Optional<Path> fileInTheWay(Path dir) {
        for (Path part = dir.toAbsolutePath(); part != null; part = part.getParent()) {
            if (Files.exists(part)) {
                return Files.isDirectory(part) ? Optional.empty() : Optional.of(part);
            }
        }
        return Optional.empty();
    }

    private static FileChannel locked(Path dir) throws IOException, TroubleException {
        FileChannel channel = FileChannel.open(dir.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            LOG.debug("another lab of this process runs in {}", dir);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        channel.close();
        throw refused(Kind.RIGHTS, dir, "another practice lab is running in it",
                "Stop that lab, or choose another folder.");
    }

    private static String reason(IOException e) {
        return switch (e) {
            case FileSystemException system when system.getReason() != null -> "the system says: " + system.getReason();
            default -> "it cannot be made or written";
        };
    }

    private static TroubleException refused(Kind kind, Path where, String what, String next) {
        return new TroubleException(new Trouble(kind, where.toString(), what, next));
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            LOG.debug("the lock of a lab's folder was not closed", e);
        }
    }
}
