package dev.pitwall.store;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.HostLocks;
import dev.pitwall.journey.change.Content;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Locked files in the data folder, one a host. The system frees them when the process dies, however it dies. The files
 * stay: deleting one while another process opens it would give the host to both.
 */
public final class RunLocks implements HostLocks {
    private final Path folder;

    public RunLocks(DataFolder folder) {
        this.folder = folder.path().resolve("locks");
    }

    @Override
    public Optional<Held> take(String host) throws TroubleException {
        Path file = folder.resolve(Content.of(host).digest() + ".lock");
        try {
            Files.createDirectories(folder);
            return taken(FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE));
        } catch (IOException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.RIGHTS, file.toString(),
                    "the host cannot be locked for a run (" + FileProblem.of(e) + ")",
                    "Make the data folder writable, or set PITWALL_HOME to another one."), e);
        }
    }

    private static Optional<Held> taken(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return Optional.of(() -> close(channel));
            }
        } catch (OverlappingFileLockException e) {
            // A lock of this process, which the system would not refuse.
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        channel.close();
        return Optional.empty();
    }

    /** Closing the channel gives the lock back. */
    private static void close(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new IllegalStateException("a lock could not be given back", e);
        }
    }
}
