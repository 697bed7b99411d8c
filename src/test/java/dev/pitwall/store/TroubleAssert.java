package dev.pitwall.store;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Calls that must end in a trouble, and what every trouble must hold to. */
public final class TroubleAssert {
    private TroubleAssert() {
    }

    public static Trouble troubleOf(ThrowingCallable call) {
        TroubleException thrown = catchThrowableOfType(TroubleException.class, call);
        assertThat(thrown).as("a TroubleException").isNotNull();
        Trouble trouble = thrown.trouble();
        assertThat(trouble.what()).doesNotContain("Exception", "SQLITE_", "java.").isNotBlank();
        assertThat(trouble.next()).endsWith(".");
        return trouble;
    }
}
