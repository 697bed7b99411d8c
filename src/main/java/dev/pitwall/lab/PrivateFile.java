package dev.pitwall.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;

/** Writes files that only their owner may read: keys, kubeconfigs, site files. */
public final class PrivateFile {
    private PrivateFile() {
    }

    /** Writes beside the file and renames, so that nobody reads half of it. */
    public static void write(Path file, byte[] content) throws IOException {
        Path beside = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(beside);
        if (Files.getFileAttributeView(file.toAbsolutePath().getParent(), PosixFileAttributeView.class) != null) {
            Files.createFile(beside, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } else {
            Files.createFile(beside);
        }
        Files.write(beside, content);
        Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
    }
}
