package dev.pitwall.link.kube;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.site.ClusterAccess;

/** The API server of one kubeconfig context, opened when first needed and again when its files have changed. */
final class OpenServer implements AutoCloseable {
    private final ClusterAccess access;
    private final NetworkTrouble troubles;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<ApiServer> open = Optional.empty();
    private Map<Path, FileTime> read = Map.of();
    private boolean closed;

    OpenServer(ClusterAccess access, NetworkTrouble troubles, InstantSource clock) {
        this.access = access;
        this.troubles = troubles;
        this.clock = clock;
    }

    /** @throws TroubleException if the kubeconfig cannot be used, or this is closed */
    ApiServer server() throws TroubleException {
        lock.lock();
        try {
            if (closed) {
                throw new TroubleException(new Trouble(Trouble.Kind.CONNECT, access.context().orElse("cluster"),
                        "this connection was closed by Pitwall", "Connect the site again."));
            }
            if (open.isEmpty()) {
                read = times();
                open = Optional.of(ApiServer.open(access, troubles, clock));
            }
            return open.get();
        } finally {
            lock.unlock();
        }
    }

    /** Reads the kubeconfig again if its files are not those of before: somebody has mended or renewed it. */
    void reopenIfChanged() {
        lock.lock();
        try {
            if (open.isPresent() && !read.equals(times())) {
                open.get().close();
                open = Optional.empty();
            }
        } finally {
            lock.unlock();
        }
    }

    private Map<Path, FileTime> times() {
        Map<Path, FileTime> times = new HashMap<>();
        for (Path file : access.kubeconfigs()) {
            try {
                times.put(file, Files.getLastModifiedTime(file));
            } catch (IOException absent) {
                // A file that is not there has no time; it appears here once it is.
            }
        }
        return times;
    }

    /** May be called again, as {@link ApiServer#close}. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            open.ifPresent(ApiServer::close);
        } finally {
            lock.unlock();
        }
    }
}
