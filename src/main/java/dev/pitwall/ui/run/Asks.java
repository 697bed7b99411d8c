package dev.pitwall.ui.run;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Questions that are answered in the background, so that the window never waits for a system. */
public final class Asks implements AutoCloseable {

    private final Executor background;
    private final Executor window;
    private final Set<Ask<?>> open = ConcurrentHashMap.newKeySet();

    /**
     * @param background for what may block; virtual threads
     * @param window     where answers are given
     */
    public Asks(Executor background, Executor window) {
        this.background = background;
        this.window = window;
    }

    /** @param answer gets what came of it, in the window's thread; never called once the question is forgotten */
    public <T> Ask<T> ask(Ask.Question<T> question, Consumer<Answered<T>> answer) {
        Ask<T> ask = new Ask<>(answer, window);
        open.add(ask);
        background.execute(() -> {
            ask.run(question);
            open.remove(ask);
        });
        return ask;
    }

    /** Forgets all that is asked now. */
    @Override
    public void close() {
        open.forEach(Ask::forget);
    }
}
