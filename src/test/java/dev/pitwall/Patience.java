package dev.pitwall;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * How long tests wait for a condition. It is far longer than any of them needs: a busy computer makes a test slow, not
 * red. Where the time itself is what a test is about, it says so with a limit of its own.
 */
public final class Patience implements BeforeAllCallback {
    private static final Duration LONG = Duration.ofMinutes(3);
    /** Most of what is waited for is there at once or in a moment. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(25);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(LONG);
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(LOOK_AGAIN);
    }
}
