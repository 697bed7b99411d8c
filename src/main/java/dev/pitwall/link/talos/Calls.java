package dev.pitwall.link.talos;

import dev.pitwall.card.TroubleException;
import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Makes calls through the endpoints of a talosconfig: through the one that served last, and through the next if that one
 * is not reached. A call that may have arrived is not made again.
 */
final class Calls implements AutoCloseable {
    private static final Metadata.Key<String> NODE = Metadata.Key.of("node", Metadata.ASCII_STRING_MARSHALLER);

    private final TalosTroubles troubles;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("talos-", 0).factory());
    private final List<Endpoint> endpoints;
    private final AtomicInteger good = new AtomicInteger();

    Calls(Talosconfig config, TalosTroubles troubles) {
        this.troubles = troubles;
        ChannelCredentials credentials = Endpoint.credentials(config);
        this.endpoints = config.endpoints().stream()
                .map(address -> new Endpoint(address, config.context(), credentials, threads)).toList();
    }

    /** What is done with a client of a service. */
    @FunctionalInterface
    interface Work<S, A> {
        A with(S stub) throws TroubleException;
    }

    /**
     * @param node  the one node that it is for: COSI, Lifecycle and Image services refuse lists (facts: cluster.md 4.5)
     * @param limit for the whole call
     */
    <S extends AbstractStub<S>, A> A make(String node, Duration limit, Function<Channel, S> service, Work<S, A> work)
            throws TroubleException, InterruptedException {
        int first = good.get();
        for (int i = 0; ; i++) {
            int place = (first + i) % endpoints.size();
            Endpoint endpoint = endpoints.get(place);
            try {
                S stub = service.apply(endpoint.channel()).withDeadlineAfter(limit.toMillis(), TimeUnit.MILLISECONDS)
                        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(to(node)));
                A answer = work.with(stub);
                good.set(place);
                return answer;
            } catch (StatusRuntimeException e) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                if (i == endpoints.size() - 1 || !TalosTroubles.neverLeft(e)) {
                    throw troubles.of(e, endpoint.place(), node, limit);
                }
            }
        }
    }

    private static Metadata to(String node) {
        Metadata metadata = new Metadata();
        metadata.put(NODE, node);
        return metadata;
    }

    @Override
    public void close() {
        endpoints.forEach(Endpoint::close);
        threads.shutdownNow();
    }
}
