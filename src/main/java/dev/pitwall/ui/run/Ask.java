package dev.pitwall.ui.run;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One question to the background. Its answer may have become useless meanwhile. */
public final class Ask<T> {

    private static final Logger LOG = LoggerFactory.getLogger(Ask.class);

    private final Consumer<Answered<T>> answer;
    private final Executor window;
    private volatile boolean forgotten;
    private volatile Thread thread;

    /** Something that may block. */
    public interface Question<T> {
        T ask() throws TroubleException, InterruptedException;
    }

    Ask(Consumer<Answered<T>> answer, Executor window) {
        this.answer = answer;
        this.window = window;
    }

    /** The answer is not wanted any more: it is never given, and the asking is interrupted. */
    public void forget() {
        forgotten = true;
        // A thread that the window lent is not interrupted: it has other work to do.
        Thread asking = thread;
        if (asking != null && asking.isVirtual()) {
            asking.interrupt();
        }
    }

    void run(Question<T> question) {
        thread = Thread.currentThread();
        if (forgotten) {
            return;
        }
        try {
            give(new Answered.Got<>(question.ask()));
        } catch (TroubleException e) {
            give(new Answered.Troubled<>(e.trouble()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            give(new Answered.Troubled<>(new Trouble(Trouble.Kind.CONNECT, "Pitwall", "it was interrupted",
                    "Try it again.")));
        } catch (RuntimeException e) {
            LOG.error("an answer to the window failed", e);
            give(new Answered.Troubled<>(new Trouble(Trouble.Kind.UNREADABLE, "Pitwall",
                    "an error of its own stopped it", "Try it again; the log file has what happened.")));
        } finally {
            thread = null;
        }
    }

    private void give(Answered<T> result) {
        window.execute(() -> {
            if (!forgotten) {
                answer.accept(result);
            }
        });
    }
}
