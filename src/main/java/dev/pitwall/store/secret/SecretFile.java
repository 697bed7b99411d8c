package dev.pitwall.store.secret;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.Secrets;
import dev.pitwall.store.FileProblem;
import dev.pitwall.store.WholeFile;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Secrets in an encrypted file, {@code secrets.json}. With a passphrase the file is worth nothing without it. Without
 * one the key lies in {@code secrets.key} beside it: then only the rights of the two files protect them, and
 * {@link #place()} says so. The file is read anew for every call and written as a whole, under a lock that other
 * processes respect.
 */
public final class SecretFile implements Secrets {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Path file;
    private final Path keyFile;
    private final Path lockFile;
    private final Passphrase passphrase;
    private final SecureRandom random = new SecureRandom();
    private final ReentrantLock turn = new ReentrantLock();

    /** The last key that fitted, since deriving one takes a good part of a second. Guarded by {@link #turn}. */
    private Optional<byte[]> known = Optional.empty();

    /** @param folder must exist */
    public SecretFile(Path folder, Passphrase passphrase) {
        this.file = folder.resolve("secrets.json");
        this.keyFile = folder.resolve("secrets.key");
        this.lockFile = folder.resolve("secrets.lock");
        this.passphrase = passphrase;
    }

    /** True once something was put into it. */
    public boolean exists() {
        return Files.exists(file);
    }

    @Override
    public Optional<String> get(SecretRef ref) throws TroubleException {
        return locked(() -> Optional.ofNullable(read().secrets().get(ref.key())));
    }

    @Override
    public void put(SecretRef ref, String secret) throws TroubleException {
        change(secrets -> secrets.put(ref.key(), secret));
    }

    @Override
    public void remove(SecretRef ref) throws TroubleException {
        if (exists()) {
            change(secrets -> secrets.remove(ref.key()));
        }
    }

    /**
     * Protects the file with another passphrase from now on, or with a key beside it.
     *
     * @param next empty for a key beside the file
     */
    public void protectWith(Optional<String> next) throws TroubleException {
        locked(() -> {
            Content now = read();
            FileKey protection = next.isPresent() ? newPassphraseKey() : new FileKey.Beside();
            byte[] key = next.isPresent() ? derive(protection, next.get()) : keyBeside();
            return write(new Content(now.secrets(), protection, key));
        });
    }

    @Override
    public String place() {
        try {
            boolean withPassphrase = exists() ? locked(this::box).protection() instanceof FileKey.FromPassphrase
                    : passphrase.get().isPresent();
            return "encrypted file " + file + (withPassphrase ? ", protected by your passphrase"
                    : ", its key beside it in " + keyFile.getFileName() + ": protected by file permissions only");
        } catch (TroubleException e) {
            return "encrypted file " + file + " (" + e.trouble().what() + ")";
        }
    }

    private record Content(SortedMap<String, String> secrets, FileKey protection, byte[] key) {
        @Override
        public String toString() {
            return "Content";
        }
    }

    @FunctionalInterface
    private interface Work<T> {
        T run() throws TroubleException, IOException;
    }

    @FunctionalInterface
    private interface Edit {
        void on(Map<String, String> secrets);
    }

    private void change(Edit edit) throws TroubleException {
        locked(() -> {
            Content content = read();
            edit.on(content.secrets());
            return write(content);
        });
    }

    private Content write(Content content) throws IOException {
        WholeFile.write(file, SealedBox.seal(content.secrets(), content.protection(), content.key(), random).toBytes());
        known = Optional.of(content.key());
        return content;
    }

    private SealedBox box() throws TroubleException, IOException {
        return SealedBox.parse(Files.readAllBytes(file), file);
    }

    private Content read() throws TroubleException, IOException {
        if (!exists()) {
            return empty();
        }
        SealedBox box = box();
        byte[] key = key(box);
        return new Content(box.open(key, file), box.protection(), key);
    }

    private Content empty() throws TroubleException, IOException {
        Optional<String> words = passphrase.get();
        FileKey protection = words.isPresent() ? newPassphraseKey() : new FileKey.Beside();
        return new Content(new TreeMap<>(), protection, words.isPresent() ? derive(protection, words.get()) : keyBeside());
    }

    private FileKey newPassphraseKey() {
        byte[] salt = new byte[FileKey.FromPassphrase.SALT_BYTES];
        random.nextBytes(salt);
        return FileKey.FromPassphrase.recommended(salt);
    }

    private byte[] key(SealedBox box) throws TroubleException, IOException {
        if (known.filter(box::fits).isPresent()) {
            return known.get();
        }
        byte[] key = switch (box.protection()) {
            case FileKey.Beside() -> keyThatMustBeThere();
            case FileKey.FromPassphrase protection -> derive(protection, passphrase.get().orElseThrow(() -> trouble(
                    Trouble.Kind.CREDENTIALS, "the file of secrets is protected by a passphrase, and none was given",
                    "Set PITWALL_PASSPHRASE, or enter the passphrase in Settings.")));
        };
        if (!box.fits(key)) {
            throw wrongKey(box.protection());
        }
        known = Optional.of(key);
        return key;
    }

    private TroubleException wrongKey(FileKey protection) {
        return switch (protection) {
            case FileKey.FromPassphrase _ -> trouble(Trouble.Kind.CREDENTIALS,
                    "the passphrase is not the one the file of secrets was protected with", "Enter the right passphrase.");
            case FileKey.Beside() -> trouble(Trouble.Kind.CREDENTIALS,
                    keyFile.getFileName() + " is not the key of this file of secrets",
                    "Put back the two files together, or move both away and enter the secrets again.");
        };
    }

    private static byte[] derive(FileKey protection, String words) {
        return switch (protection) {
            case FileKey.FromPassphrase argon -> argon.derive(words);
            case FileKey.Beside() -> throw new IllegalArgumentException("a key beside the file needs no passphrase");
        };
    }

    private byte[] keyThatMustBeThere() throws TroubleException, IOException {
        if (!Files.exists(keyFile)) {
            throw trouble(Trouble.Kind.MISSING, "the key of the file of secrets, " + keyFile.getFileName() + ", is gone",
                    "Put it back, or move secrets.json away and enter the secrets again.");
        }
        return keyBeside();
    }

    private byte[] keyBeside() throws TroubleException, IOException {
        if (!Files.exists(keyFile)) {
            byte[] fresh = new byte[FileKey.BYTES];
            random.nextBytes(fresh);
            WholeFile.write(keyFile, fresh);
        }
        byte[] key = Files.readAllBytes(keyFile);
        if (key.length != FileKey.BYTES) {
            throw trouble(Trouble.Kind.UNREADABLE, keyFile.getFileName() + " is cut short",
                    "Put it back from a copy, or move it and secrets.json away and enter the secrets again.");
        }
        return key;
    }

    private <T> T locked(Work<T> work) throws TroubleException {
        turn.lock();
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
             FileLock _ = lock(channel)) {
            return work.run();
        } catch (IOException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.RIGHTS, file.toString(),
                    "the file of secrets cannot be used (" + FileProblem.of(e) + ")",
                    "Give your user read and write access to the folder."), e);
        } finally {
            turn.unlock();
        }
    }

    private FileLock lock(FileChannel channel) throws TroubleException, IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            FileLock lock = tryLock(channel);
            if (lock != null) {
                return lock;
            }
            if (System.nanoTime() > end) {
                throw trouble(Trouble.Kind.TIMEOUT, "another program keeps the file of secrets locked",
                        "Close the other Pitwall, then try again.");
            }
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }

    /** Within one process Java throws instead of saying that the lock is taken. */
    private static FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    private TroubleException trouble(Trouble.Kind kind, String what, String next) {
        return new TroubleException(new Trouble(kind, file.toString(), what, next));
    }
}
