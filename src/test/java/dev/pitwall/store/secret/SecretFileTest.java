package dev.pitwall.store.secret;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.site.SecretRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import static dev.pitwall.store.TroubleAssert.troubleOf;
import static org.assertj.core.api.Assertions.assertThat;

class SecretFileTest {
    private static final SecretRef REF = new SecretRef("1/proxmox/pve1");
    private static final Passphrase NONE = Optional::empty;

    @TempDir
    private Path temp;

    private SecretFile file(String passphrase) {
        return new SecretFile(temp, () -> Optional.of(passphrase));
    }

    private Path path() {
        return temp.resolve("secrets.json");
    }

    private String rights(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void aSecretComesBackWithThePassphraseAndIsNotReadableInTheFile() throws Exception {
        file("correct horse").put(REF, "tök€n");
        assertThat(file("correct horse").get(REF)).contains("tök€n");
        assertThat(file("correct horse").get(new SecretRef("other"))).isEmpty();
        assertThat(Files.readString(path())).doesNotContain("tök€n", REF.key(), "correct");
        assertThat(rights(path())).isEqualTo("rw-------");
        assertThat(temp.resolve("secrets.key")).doesNotExist();
        assertThat(file("correct horse").place()).isEqualTo("encrypted file " + path() + ", protected by your passphrase");
    }

    @Test
    void withoutAPassphraseTheKeyLiesBesideAndThePlaceSaysSo() throws Exception {
        SecretFile file = new SecretFile(temp, NONE);
        file.put(REF, "token");
        assertThat(new SecretFile(temp, NONE).get(REF)).contains("token");
        assertThat(rights(temp.resolve("secrets.key"))).isEqualTo("rw-------");
        assertThat(file.place()).isEqualTo("encrypted file " + path() + ", its key beside it in secrets.key: protected by file permissions only");
    }

    @Test
    void theWrongPassphraseIsSaidAndChangesNothing() throws Exception {
        file("right").put(REF, "token");
        byte[] before = Files.readAllBytes(path());
        for (Trouble trouble : List.of(troubleOf(() -> file("wrong").get(REF)), troubleOf(() -> file("wrong").put(REF, "x")))) {
            assertThat(trouble.kind()).isEqualTo(Trouble.Kind.CREDENTIALS);
            assertThat(trouble.what()).isEqualTo("the passphrase is not the one the file of secrets was protected with");
        }
        assertThat(troubleOf(() -> new SecretFile(temp, NONE).get(REF)).what())
                .isEqualTo("the file of secrets is protected by a passphrase, and none was given");
        assertThat(Files.readAllBytes(path())).isEqualTo(before);
    }

    @Test
    void everyCutThroughTheFileIsSaidAndTheFileIsLeftAsItIs() throws Exception {
        SecretFile file = new SecretFile(temp, NONE);
        file.put(REF, "token");
        byte[] whole = Files.readAllBytes(path());
        for (int length = 0; length < whole.length - 2; length += 7) {
            Files.write(path(), Arrays.copyOf(whole, length));
            assertThat(troubleOf(() -> file.get(REF)).kind()).isEqualTo(Trouble.Kind.UNREADABLE);
            assertThat(troubleOf(() -> file.put(REF, "x")).kind()).isEqualTo(Trouble.Kind.UNREADABLE);
            assertThat(Files.size(path())).isEqualTo(length);
        }
        Files.write(path(), whole);
        assertThat(file.get(REF)).contains("token");
    }

    @Test
    void aChangedContentOrHeaderIsSaid() throws Exception {
        file("right").put(REF, "token");
        String whole = Files.readString(path());
        char last = whole.charAt(whole.indexOf("\"sealed\" : \"") + 15);
        Files.writeString(path(), whole.replaceFirst("(\"sealed\" : \"...).", "$1" + (last == 'A' ? 'B' : 'A')));
        assertThat(troubleOf(() -> file("right").get(REF)).what())
                .isEqualTo("the file of secrets is cut short or was changed by something else");
        // A key that costs nothing to guess, or one that no computer can bear, is not accepted from a file.
        Files.writeString(path(), whole.replace("\"memoryKiB\" : 65536", "\"memoryKiB\" : 2000000000"));
        assertThat(troubleOf(() -> file("right").get(REF)).kind()).isEqualTo(Trouble.Kind.UNREADABLE);
    }

    @Test
    void aFileOfAnotherVersionIsSaid() throws Exception {
        SecretFile file = new SecretFile(temp, NONE);
        file.put(REF, "token");
        Files.writeString(path(), Files.readString(path()).replace("\"version\" : 1", "\"version\" : 2"));
        Trouble trouble = troubleOf(() -> file.get(REF));
        assertThat(trouble.kind()).isEqualTo(Trouble.Kind.PROTOCOL);
        assertThat(trouble.what()).contains("format 2, this one knows 1");
    }

    @Test
    void aLostOrExchangedKeyIsSaidAndNotMadeAnew() throws Exception {
        new SecretFile(temp, NONE).put(REF, "token");
        Path key = temp.resolve("secrets.key");
        byte[] right = Files.readAllBytes(key);
        Files.delete(key);
        assertThat(troubleOf(() -> new SecretFile(temp, NONE).put(REF, "x")).kind()).isEqualTo(Trouble.Kind.MISSING);
        assertThat(key).doesNotExist();
        Files.write(key, new byte[32]);
        assertThat(troubleOf(() -> new SecretFile(temp, NONE).get(REF)).what()).contains("secrets.key is not the key");
        Files.write(key, Arrays.copyOf(right, 31));
        assertThat(troubleOf(() -> new SecretFile(temp, NONE).get(REF)).what()).isEqualTo("secrets.key is cut short");
    }

    @Test
    void theProtectionCanBeChanged() throws Exception {
        new SecretFile(temp, NONE).put(REF, "token");
        new SecretFile(temp, NONE).protectWith(Optional.of("new"));
        assertThat(file("new").get(REF)).contains("token");
        assertThat(troubleOf(() -> new SecretFile(temp, NONE).get(REF)).kind()).isEqualTo(Trouble.Kind.CREDENTIALS);
        file("new").protectWith(Optional.empty());
        assertThat(new SecretFile(temp, NONE).get(REF)).contains("token");
    }

    @Test
    void writersAtOnceLoseNothing() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<SecretFile> files = List.of(new SecretFile(temp, NONE), new SecretFile(temp, NONE), new SecretFile(temp, NONE));
            for (Future<Object> one : threads.invokeAll(IntStream.range(0, 30).<Callable<Object>>mapToObj(i -> () -> {
                files.get(i % files.size()).put(new SecretRef("s" + i), "secret " + i);
                return null;
            }).toList())) {
                one.get();
            }
        }
        for (int i = 0; i < 30; i++) {
            assertThat(new SecretFile(temp, NONE).get(new SecretRef("s" + i))).contains("secret " + i);
        }
    }

    @Test
    void aRemovedSecretIsGone() throws TroubleException {
        SecretFile file = new SecretFile(temp, NONE);
        file.remove(REF);
        assertThat(file.exists()).isFalse();
        file.put(REF, "token");
        file.remove(REF);
        assertThat(file.get(REF)).isEmpty();
    }
}
