package dev.pitwall.link.ssh;

import dev.pitwall.card.TroubleException;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Work that is given up after a time, or when the caller is interrupted. The library's SFTP waits up to ten minutes for
 * an answer and turns an interrupt into an exception of its own.
 */
final class TimeBox {

    private TimeBox() {
    }

    @FunctionalInterface
    interface Work<T> {
        T run() throws IOException, TroubleException, InterruptedException;
    }

    /** @throws TimeoutException after the limit; the work is interrupted then */
    static <T> T within(Duration limit, Work<T> work)
            throws IOException, TroubleException, InterruptedException, TimeoutException {
        FutureTask<T> task = new FutureTask<>(work::run);
        Thread.ofVirtual().name("ssh-file").start(task);
        try {
            return task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException io -> throw io;
                case TroubleException trouble -> throw trouble;
                case RuntimeException bug -> throw bug;
                case Throwable other -> throw new IllegalStateException(other);
            }
        } finally {
            task.cancel(true);
        }
    }
}
