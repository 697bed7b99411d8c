package dev.pitwall.ui.signin;

import dev.pitwall.site.SecondFactor;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Brings the questions of sign-ins, which come from any thread, to the window, one after the other. While there is no
 * window, and once it is closed, every question is declined.
 */
public final class FactorQuestions implements SecondFactor, AutoCloseable {

    /** Fair, so that hosts are asked for in the order in which they ask. */
    private final ReentrantLock oneAtATime = new ReentrantLock(true);
    private Optional<Asker> asker = Optional.empty();
    private Optional<Question> open = Optional.empty();

    /** @param answer completed once, with for example {@code totp:123456}, or with nothing if the person declines */
    public record Question(String who, List<String> kinds, CompletableFuture<Optional<String>> answer) {

        /** Never says the answer. */
        @Override
        public String toString() {
            return "second factor for " + who;
        }
    }

    /** Shows a question to the person. May be called from any thread. */
    public interface Asker {
        void ask(Question question);

        /** The question is answered, or nobody waits for its answer any more. */
        void withdraw(Question question);
    }

    /** From now on this one asks. */
    public synchronized void attach(Asker window) {
        asker = Optional.of(window);
    }

    @Override
    public Optional<String> ask(String who, List<String> kinds) {
        try {
            oneAtATime.lockInterruptibly();
            try {
                return askNow(new Question(who, List.copyOf(kinds), new CompletableFuture<>()));
            } finally {
                oneAtATime.unlock();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private Optional<String> askNow(Question question) throws InterruptedException {
        Optional<Asker> window = begin(question);
        if (window.isEmpty()) {
            return Optional.empty();
        }
        try {
            window.get().ask(question);
            return question.answer().get();
        } catch (ExecutionException _) {
            return Optional.empty();
        } finally {
            end();
            window.get().withdraw(question);
        }
    }

    private synchronized Optional<Asker> begin(Question question) {
        open = asker.map(_ -> question);
        return asker;
    }

    private synchronized void end() {
        open = Optional.empty();
    }

    /** Declines what is asked now and whatever comes. */
    @Override
    public synchronized void close() {
        asker = Optional.empty();
        open.ifPresent(question -> question.answer().complete(Optional.empty()));
    }
}
