package dev.pitwall.site;

import dev.pitwall.card.TroubleException;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;

/** Asks several things at once, each on a virtual thread. */
public final class Together {

    private Together() {
    }

    /** An answer that is filled in by its question. */
    public static final class Answer<T> {
        private final AtomicReference<T> value = new AtomicReference<>();

        @FunctionalInterface
        public interface Question<T> {
            T ask() throws TroubleException, InterruptedException;
        }

        /** The question, to be given to {@link #all}. */
        public Callable<Boolean> from(Question<T> question) {
            return () -> {
                value.set(question.ask());
                return true;
            };
        }

        /** What the question gave; only after {@link #all}. */
        public T get() {
            return value.get();
        }
    }

    /**
     * Runs all questions and waits for all answers, which come in the order of the questions. If the caller is
     * interrupted, so are the questions.
     *
     * @throws TroubleException the first trouble, in the order of the questions
     */
    public static <T> List<T> all(List<? extends Callable<T>> questions) throws TroubleException, InterruptedException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<T> answers = new ArrayList<>(questions.size());
            for (Future<T> future : threads.invokeAll(questions)) {
                answers.add(answer(future));
            }
            return answers;
        }
    }

    /** Waits for an answer; the trouble of the question is thrown as it is. */
    public static <T> T answer(Future<T> future) throws TroubleException, InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case TroubleException trouble -> throw trouble;
                case InterruptedException interrupted -> throw interrupted;
                case RuntimeException bug -> throw bug;
                case Throwable other -> throw new IllegalStateException(other);
            }
        }
    }
}
