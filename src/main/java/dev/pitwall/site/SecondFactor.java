package dev.pitwall.site;

import java.util.List;
import java.util.Optional;

/** Asks the person for a second factor. Called from an I/O thread; may block until answered. */
@FunctionalInterface
public interface SecondFactor {

    /** Nobody is there to ask. */
    SecondFactor NONE = (who, kinds) -> Optional.empty();

    /**
     * @param who   {@code root@pam at pve1}
     * @param kinds what the server offers: {@code totp}, {@code recovery}, {@code yubico}
     * @return for example {@code totp:123456}; empty if the person declines
     */
    Optional<String> ask(String who, List<String> kinds);
}
