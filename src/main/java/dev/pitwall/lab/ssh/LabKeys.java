package dev.pitwall.lab.ssh;

import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.apache.sshd.common.digest.BuiltinDigests;
import org.apache.sshd.common.keyprovider.FileKeyPairProvider;
import org.apache.sshd.common.keyprovider.KeyPairProvider;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;

/**
 * The lab's ED25519 keys in a folder, in OpenSSH's format: {@code id_ed25519} opens every machine, and each machine has
 * a host key of its own under {@code ssh_host_keys}. Keys that are there already are used again, so a lab that is
 * started twice in one folder keeps its fingerprints.
 */
final class LabKeys {
    private static final String LAB_KEY = "id_ed25519";

    private final Path folder;

    LabKeys(Path folder) {
        this.folder = folder;
    }

    Path labKeyFile() {
        return folder.resolve(LAB_KEY);
    }

    KeyPair labKey() {
        return loadOrMake(labKeyFile(), "pitwall-practice-lab");
    }

    KeyPair hostKey(String machine) {
        return loadOrMake(folder.resolve("ssh_host_keys").resolve(machine), "root@" + machine);
    }

    /** {@code SHA256:…}, as OpenSSH prints it. */
    static String fingerprint(PublicKey key) {
        return KeyUtils.getFingerPrint(BuiltinDigests.sha256, key);
    }

    private static KeyPair loadOrMake(Path file, String comment) {
        try {
            return Files.exists(file) ? load(file) : make(file, comment);
        } catch (IOException e) {
            throw new UncheckedIOException("the lab's key " + file + " cannot be read or written", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the lab's key " + file + " cannot be used", e);
        }
    }

    private static KeyPair load(Path file) throws IOException, GeneralSecurityException {
        for (KeyPair pair : new FileKeyPairProvider(file).loadKeys(null)) {
            return pair;
        }
        throw new IOException(file + " holds no key");
    }

    private static KeyPair make(Path file, String comment) throws IOException, GeneralSecurityException {
        KeyPair pair = KeyUtils.generateKeyPair(KeyPairProvider.SSH_ED25519, 256);
        Files.createDirectories(file.getParent());
        var onlyMine = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createFile(file, onlyMine);
        } else {
            Files.createFile(file);
        }
        try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE)) {
            OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(pair, comment, null, out);
        }
        try (OutputStream out = Files.newOutputStream(file.resolveSibling(file.getFileName() + ".pub"))) {
            OpenSSHKeyPairResourceWriter.INSTANCE.writePublicKey(pair.getPublic(), comment, out);
        }
        return pair;
    }
}
