package dev.pitwall.link;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** What every trouble must be like, whatever it is about. */
public final class Troubles {

    private Troubles() {
    }

    /** Runs the work, which must end in a trouble fit for a person. */
    public static Trouble of(ThrowingCallable work) {
        TroubleException thrown = catchThrowableOfType(TroubleException.class, work);
        assertThat(thrown).as("a trouble").isNotNull();
        return fit(thrown.trouble());
    }

    /** Checks that a person can read it and act on it. */
    public static Trouble fit(Trouble trouble) {
        assertThat(trouble.where()).isNotBlank();
        assertThat(trouble.what()).isNotBlank();
        assertThat(trouble.next()).isNotBlank().endsWith(".");
        assertThat(trouble.sentence() + " " + trouble.next())
                .doesNotContainPattern("Exception|\\bjava\\.|javax\\.|okhttp|sshd\\.|\\bnull\\b|\\{[a-z]+}|\\n");
        return trouble;
    }
}
