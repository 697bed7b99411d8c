package dev.pitwall.link.kube;

import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.Probe;

/** A probe through the API server; it is made anew when the server's kubeconfig was read anew. */
final class ProxiedProbe<T> implements Probe<T> {
    private final OpenServer open;
    private final Function<ApiServer, Probe<T>> make;
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<Made<T>> made = Optional.empty();

    private record Made<T>(ApiServer server, Probe<T> probe) {
    }

    ProxiedProbe(OpenServer open, Function<ApiServer, Probe<T>> make) {
        this.open = open;
        this.make = make;
    }

    @Override
    public T read() throws TroubleException, InterruptedException {
        return probe(open.server()).read();
    }

    private Probe<T> probe(ApiServer server) {
        lock.lock();
        try {
            if (made.filter(before -> before.server() == server).isEmpty()) {
                made.ifPresent(before -> before.probe().close());
                made = Optional.of(new Made<>(server, make.apply(server)));
            }
            return made.get().probe();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            made.ifPresent(before -> before.probe().close());
            made = Optional.empty();
        } finally {
            lock.unlock();
        }
    }
}
