package dev.pitwall.link.http;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.Probe;

import java.util.Optional;
import java.util.function.Function;

/** A probe of an HTTP service at a URL, with a client of its own that is made at the first read. */
public final class UrlProbe<T> implements Probe<T> {
    private final HttpAddress address;
    private final Function<HttpReader, Probe<T>> maker;
    private Optional<Open<T>> open = Optional.empty();

    private record Open<T>(HttpAddress.Connection connection, Probe<T> probe) {
    }

    /** @param maker makes the probe proper, which closes its reader */
    public UrlProbe(HttpAddress address, Function<HttpReader, Probe<T>> maker) {
        this.address = address;
        this.maker = maker;
    }

    @Override
    public T read() throws TroubleException, InterruptedException {
        return probe().read();
    }

    private synchronized Probe<T> probe() throws TroubleException {
        if (open.isEmpty()) {
            HttpAddress.Connection connection = address.connect();
            open = Optional.of(new Open<>(connection, maker.apply(connection.http())));
        }
        return open.get().probe();
    }

    @Override
    public synchronized void close() {
        open.ifPresent(o -> {
            o.probe().close();
            o.connection().close();
        });
    }
}
