package dev.pitwall.link.ssh;

import org.apache.sshd.common.future.Cancellable;
import org.apache.sshd.common.future.SshFuture;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for the library's futures so that an interrupt ends the wait; some of the library's own waits swallow it. */
final class Waiting {

    private Waiting() {
    }

    /** @throws InterruptedIOException when the limit has passed; the work is cancelled then, where it can be */
    static <F extends SshFuture<F>> void on(F future, Duration limit)
            throws InterruptedException, InterruptedIOException {
        CountDownLatch done = new CountDownLatch(1);
        future.addListener(f -> done.countDown());
        boolean inTime = false;
        try {
            inTime = done.await(limit.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            if (!inTime && future instanceof Cancellable work) {
                work.cancel();
            }
        }
        if (!inTime) {
            throw new InterruptedIOException("timeout");
        }
    }
}
