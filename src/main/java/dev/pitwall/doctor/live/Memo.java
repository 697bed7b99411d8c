package dev.pitwall.doctor.live;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.Together;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * Answers that are asked for once: whoever asks the same again, also while the first question is on its way, gets the
 * same answer or the same trouble. Not more than some questions are on their way at a time. Thread-safe.
 */
final class Memo {
    /** Enough to keep the slowest of a few systems busy, and few enough for a small API server. */
    private static final int AT_ONCE = 24;

    private final Map<List<?>, CompletableFuture<Object>> answers = new ConcurrentHashMap<>();
    private final Semaphore places = new Semaphore(AT_ONCE);

    @FunctionalInterface
    interface Question<T> {
        T ask() throws TroubleException, InterruptedException;
    }

    /** @param key what tells the question from all others */
    @SuppressWarnings("unchecked")
    <T> T ask(List<?> key, Question<T> question) throws TroubleException, InterruptedException {
        CompletableFuture<Object> mine = new CompletableFuture<>();
        CompletableFuture<Object> first = answers.putIfAbsent(key, mine);
        if (first != null) {
            return (T) Together.answer(first);
        }
        try {
            mine.complete(placed(question));
        } catch (TroubleException | RuntimeException e) {
            mine.completeExceptionally(e);
            throw e;
        } catch (InterruptedException e) {
            // The next one who asks is not interrupted.
            answers.remove(key, mine);
            mine.completeExceptionally(e);
            throw e;
        }
        return (T) Together.answer(mine);
    }

    private <T> T placed(Question<T> question) throws TroubleException, InterruptedException {
        places.acquire();
        try {
            return question.ask();
        } finally {
            places.release();
        }
    }
}
