package dev.pitwall.store.secret;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.SecretRef;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

import static dev.pitwall.store.TroubleAssert.troubleOf;
import static org.assertj.core.api.Assertions.assertThat;

class KeptSecretsTest {
    private static final SecretRef REF = new SecretRef("1/proxmox/pve1");

    @TempDir
    private Path temp;
    private SecretFile file;

    @BeforeEach
    void file() {
        file = new SecretFile(temp, Optional::empty);
    }

    /** A keyring in memory that can be told to refuse. */
    private static final class Ring implements Keyring {
        private final Map<String, String> entries = new HashMap<>();
        private Optional<KeyringException> refusal = Optional.empty();
        private int asked;

        private void ask() throws KeyringException {
            asked++;
            if (refusal.isPresent()) {
                throw refusal.get();
            }
        }

        @Override
        public Optional<String> get(String key) throws KeyringException {
            ask();
            return Optional.ofNullable(entries.get(key));
        }

        @Override
        public void put(String key, String secret) throws KeyringException {
            ask();
            entries.put(key, secret);
        }

        @Override
        public void remove(String key) throws KeyringException {
            ask();
            entries.remove(key);
        }

        @Override
        public String name() {
            return "a keyring in memory";
        }
    }

    /** A keyring whose calls wait until they are cancelled, as while it asks for a password. */
    private static final class Asking implements Keyring {
        private final CountDownLatch cancelled = new CountDownLatch(1);

        private <T> T waitForever() throws KeyringException {
            try {
                cancelled.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw KeyringException.refused("cancelled");
        }

        @Override
        public Optional<String> get(String key) throws KeyringException {
            return waitForever();
        }

        @Override
        public void put(String key, String secret) throws KeyringException {
            waitForever();
        }

        @Override
        public void remove(String key) throws KeyringException {
            waitForever();
        }

        @Override
        public String name() {
            return "a keyring that asks";
        }

        @Override
        public void cancel() {
            cancelled.countDown();
        }
    }

    @Test
    void aKeyringThatWorksIsUsedAndNoFileIsMade() throws TroubleException {
        Ring ring = new Ring();
        KeptSecrets secrets = new KeptSecrets(() -> ring, file);
        secrets.put(REF, "token");
        assertThat(ring.entries).containsEntry(REF.key(), "token");
        assertThat(secrets.get(REF)).contains("token");
        assertThat(secrets.place()).isEqualTo("a keyring in memory");
        secrets.remove(REF);
        assertThat(secrets.get(REF)).isEmpty();
        assertThat(file.exists()).isFalse();
    }

    @Test
    void withoutAKeyringTheFileIsUsedAndThePlaceSaysWhy() throws TroubleException {
        KeptSecrets secrets = new KeptSecrets(() -> {
            throw KeyringException.absent("libsecret is not installed", null);
        }, file);
        assertThat(secrets.get(REF)).isEmpty();
        secrets.put(REF, "token");
        assertThat(secrets.get(REF)).contains("token");
        assertThat(secrets.place()).startsWith("encrypted file ").endsWith("; not in a keyring, since libsecret is not installed");
        secrets.remove(REF);
        assertThat(secrets.get(REF)).isEmpty();
    }

    @Test
    @Timeout(20)
    void aKeyringThatWaitsForAPersonIsLeftAfterTheLimitAndNotAskedAgain() throws TroubleException {
        Asking asking = new Asking();
        KeptSecrets secrets = new KeptSecrets(() -> new PatientKeyring(asking, Duration.ofMillis(50)), file);
        secrets.put(REF, "token");
        assertThat(asking.cancelled.getCount()).isZero();
        assertThat(secrets.get(REF)).contains("token");
        assertThat(secrets.place()).contains("the keyring did not answer in");
        assertThat(troubleOf(() -> secrets.get(new SecretRef("in the keyring, perhaps"))).what())
                .startsWith("the secret could not be read: the keyring did not answer");
    }

    @Test
    void whatAKeyringRefusesGoesToTheFileAndComesFromThereUntilTheKeyringTakesIt() throws TroubleException {
        Ring ring = new Ring();
        KeptSecrets secrets = new KeptSecrets(() -> ring, file);
        secrets.put(REF, "old");
        ring.refusal = Optional.of(KeyringException.refused("the keyring is locked"));
        secrets.put(REF, "new");
        ring.refusal = Optional.empty();
        assertThat(secrets.get(REF)).contains("new");

        secrets.put(REF, "newest");
        assertThat(ring.entries).containsEntry(REF.key(), "newest");
        assertThat(file.get(REF)).isEmpty();
        assertThat(secrets.get(REF)).contains("newest");
    }

    @Test
    void aLockedKeyringIsNotTakenForAnEmptyOne() {
        Ring ring = new Ring();
        ring.refusal = Optional.of(KeyringException.refused("the keyring is locked"));
        KeptSecrets secrets = new KeptSecrets(() -> ring, file);
        assertThat(troubleOf(() -> secrets.get(REF)).what()).isEqualTo("the secret could not be read: the keyring is locked");
        assertThat(troubleOf(() -> secrets.remove(REF)).what()).isEqualTo("the secret could not be removed: the keyring is locked");
    }

    @Test
    void anAbsentKeyringIsAskedOnce() throws TroubleException {
        Ring ring = new Ring();
        ring.refusal = Optional.of(KeyringException.absent("no keyring runs", null));
        KeptSecrets secrets = new KeptSecrets(() -> ring, file);
        secrets.get(REF);
        secrets.get(REF);
        secrets.put(REF, "token");
        assertThat(ring.asked).isOne();
    }

    @Test
    void aDamagedFileDoesNotHideWhatTheKeyringHas() throws Exception {
        Ring ring = new Ring();
        ring.entries.put(REF.key(), "token");
        Files.writeString(temp.resolve("secrets.json"), "{");
        KeptSecrets secrets = new KeptSecrets(() -> ring, file);
        assertThat(secrets.get(REF)).contains("token");
        assertThat(troubleOf(() -> secrets.get(new SecretRef("other"))).what()).contains("cut short");
    }
}
