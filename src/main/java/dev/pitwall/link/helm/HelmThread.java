package dev.pitwall.link.helm;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import sun.misc.Signal;

/**
 * The one thread on which Helm runs: a call cannot be cancelled and would hold a virtual thread's carrier for minutes, and
 * one after the other is what Helm itself does. Whoever is interrupted while he waits leaves the call to end by itself.
 *
 * <p>An install leaves handlers of Go's runtime for SIGINT and SIGTERM in this process, so that neither Ctrl+C nor
 * {@code kill} would end it any more (facts: cluster.md 8). After each call they are the JVM's again.
 */
final class HelmThread implements AutoCloseable {
    private static final List<String> ENDING = List.of("INT", "TERM");
    private static final int SIGNALLED = 128;
    /** What Helm says of a call that one of those signals has ended. */
    private static final String CANCELLED = "context canceled";

    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("helm").factory());

    /** Where a call is not done by its time. */
    interface Late {
        void run() throws Exception;
    }

    /** @throws ExecutionException with what the call has thrown */
    <T> T call(Callable<T> work) throws ExecutionException, InterruptedException {
        return submit(work).get();
    }

    /**
     * As {@link #call}, and does something once when the time is up, which is to let the call end.
     *
     * @throws ExecutionException with what either of both has thrown
     */
    <T> T call(Callable<T> work, Duration limit, Late late) throws ExecutionException, InterruptedException {
        CompletableFuture<T> result = submit(work);
        try {
            return result.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException tooLong) {
            try {
                late.run();
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                throw new ExecutionException(e);
            }
            return result.get();
        }
    }

    private <T> CompletableFuture<T> submit(Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        thread.execute(() -> {
            try {
                T value = work.call();
                restore();
                result.complete(value);
            } catch (Throwable thrown) {
                restore();
                result.completeExceptionally(thrown);
                if (String.valueOf(thrown.getMessage()).contains(CANCELLED)) {
                    // The signal was meant for this process.
                    Signal.raise(new Signal(ENDING.getFirst()));
                }
            }
        });
        return result;
    }

    /** As the JVM itself answers them: it ends in order, and says by which signal. */
    private static void restore() {
        for (String name : ENDING) {
            try {
                Signal.handle(new Signal(name), signal -> Runtime.getRuntime().exit(SIGNALLED + signal.getNumber()));
            } catch (IllegalArgumentException notOurs) {
                // The JVM was started without signals of its own (-Xrs).
            }
        }
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
