package dev.pitwall.store.secret;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.Secrets;
import dev.pitwall.store.DataFolder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.Optional;

/**
 * The secrets of saved sites: in the operating system's keyring where there is one that answers, else in an encrypted
 * file. Calls block, and the system may ask the person to unlock the keyring meanwhile, so never call from the window's
 * thread. A keyring that is absent or silent is not asked again until the next start.
 */
public final class KeptSecrets implements Secrets {
    private static final Logger LOG = LoggerFactory.getLogger(KeptSecrets.class);

    /** Long enough to type a password; a person who is away finds the secrets in the file instead. */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static final String NOTHING = "is-there-a-keyring";

    private final KeyringSource source;
    private final SecretFile file;

    private Optional<Keyring> keyring = Optional.empty();
    private Optional<KeyringException> failure = Optional.empty();

    /** Finds the keyring at the first use, since loading the system's library costs time. */
    @FunctionalInterface
    interface KeyringSource {
        Keyring open() throws KeyringException;
    }

    KeptSecrets(KeyringSource source, SecretFile file) {
        this.source = source;
        this.file = file;
    }

    /**
     * The secrets of this person.
     *
     * @param folder     exists; holds the file, if there has to be one
     * @param passphrase for the file
     */
    public static KeptSecrets of(DataFolder folder, Passphrase passphrase) {
        return new KeptSecrets(() -> new PatientKeyring(Keyring.ofThisSystem(), LIMIT), new SecretFile(folder.path(), passphrase));
    }

    /** Without the keyring: everything in the encrypted file. */
    public static Secrets inFile(DataFolder folder, Passphrase passphrase) {
        return new SecretFile(folder.path(), passphrase);
    }

    @FunctionalInterface
    private interface Call<T> {
        T on(Keyring keyring) throws KeyringException;
    }

    /** What is in the file is newer: it was put there when the keyring refused, and leaves with the next good put. */
    @Override
    public Optional<String> get(SecretRef ref) throws TroubleException {
        Optional<TroubleException> problem = Optional.empty();
        try {
            Optional<String> inFile = file.exists() ? file.get(ref) : Optional.empty();
            if (inFile.isPresent()) {
                return inFile;
            }
        } catch (TroubleException e) {
            problem = Optional.of(e);
        }
        try {
            Optional<String> inKeyring = ask(keyring -> keyring.get(ref.key()));
            if (inKeyring.isPresent()) {
                return inKeyring;
            }
        } catch (KeyringException e) {
            problem = problem.or(() -> e.kind() == KeyringException.Kind.ABSENT ? Optional.empty() : Optional.of(unread(ref, e)));
        }
        if (problem.isPresent()) {
            throw problem.get();
        }
        return Optional.empty();
    }

    private static TroubleException unread(SecretRef ref, KeyringException problem) {
        return new TroubleException(new Trouble(Trouble.Kind.CREDENTIALS, ref.key(),
                "the secret could not be read: " + problem.getMessage(),
                "Unlock the keyring and start Pitwall again, or enter the secret again."), problem);
    }

    @Override
    public void put(SecretRef ref, String secret) throws TroubleException {
        try {
            ask(keyring -> {
                keyring.put(ref.key(), secret);
                return true;
            });
        } catch (KeyringException e) {
            file.put(ref, secret);
            return;
        }
        file.remove(ref);
    }

    @Override
    public void remove(SecretRef ref) throws TroubleException {
        Optional<KeyringException> problem = Optional.empty();
        try {
            ask(keyring -> {
                keyring.remove(ref.key());
                return true;
            });
        } catch (KeyringException e) {
            problem = Optional.of(e).filter(p -> p.kind() != KeyringException.Kind.ABSENT);
        }
        file.remove(ref);
        if (problem.isPresent()) {
            throw new TroubleException(new Trouble(Trouble.Kind.CREDENTIALS, ref.key(),
                    "the secret could not be removed: " + problem.get().getMessage(),
                    "Unlock the keyring and remove the entry there."), problem.get());
        }
    }

    /** Asks the keyring for nothing first, if it was not used yet; may therefore block for as long as any call. */
    @Override
    public String place() {
        try {
            ask(keyring -> keyring.get(NOTHING));
            return ask(Keyring::name);
        } catch (KeyringException e) {
            return file.place() + "; not in a keyring, since " + e.getMessage();
        }
    }

    private synchronized <T> T ask(Call<T> call) throws KeyringException {
        if (failure.isPresent()) {
            throw failure.get();
        }
        try {
            if (keyring.isEmpty()) {
                keyring = Optional.of(source.open());
            }
            return call.on(keyring.get());
        } catch (KeyringException e) {
            LOG.info("The keyring was not used: {}", e.getMessage(), e.getCause());
            if (e.kind() != KeyringException.Kind.REFUSED) {
                failure = Optional.of(e);
            }
            throw e;
        }
    }
}
