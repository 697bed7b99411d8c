package dev.pitwall.store.secret;

import java.util.Locale;
import java.util.Optional;

/**
 * An operating system's keyring. Calls block and may ask the person to unlock it.
 */
interface Keyring {

    /** What all entries of Pitwall are filed under. */
    String SERVICE = "dev.pitwall";

    Optional<String> get(String key) throws KeyringException;

    void put(String key, String secret) throws KeyringException;

    void remove(String key) throws KeyringException;

    /** For the person, for example {@code the desktop's keyring (Secret Service)}. */
    String name();

    /** Stops a call that waits in another thread, if the system can. */
    default void cancel() {
    }

    /** The keyring of this system. */
    static Keyring ofThisSystem() throws KeyringException {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        if (os.startsWith("mac")) {
            return new MacKeychain();
        }
        return os.startsWith("win") ? new WindowsCredentials() : new LibSecret();
    }
}
