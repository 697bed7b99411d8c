package dev.pitwall;

import dev.pitwall.card.TroubleException;
import dev.pitwall.store.DataFolder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Where a command's log goes. What it has to say to a person it says in its own sentences, and the log lies in a file beside the
 * database; asked for with {@code -Dpitwall.log}, it is printed instead. To be called before anything logs: {@code logback.xml}
 * reads the properties once.
 */
final class CommandLog {
    private static final String ASKED_FOR = "pitwall.log";
    private static final String PRINTED = "pitwall.log.printed";
    private static final String WRITTEN = "pitwall.log.written";
    private static final String FILE = "pitwall.log.file";
    private static final long LONG_BYTES = 5 << 20;

    private CommandLog() {
    }

    static void intoItsFile() {
        if (System.getProperty(ASKED_FOR) != null) {
            return;
        }
        try {
            System.setProperty(FILE, ownersOnly(DataFolder.ofThisProcess().create().path().resolve("pitwall.log")).toString());
            System.setProperty(WRITTEN, "WARN");
            System.setProperty(PRINTED, "OFF");
        } catch (TroubleException | IOException _) {
            // The command says what is wrong with the folder; the log is printed.
            return;
        }
    }

    /** Like all files of the folder; one that has become long makes room first. */
    private static Path ownersOnly(Path file) throws IOException {
        if (Files.exists(file) && Files.size(file) > LONG_BYTES) {
            Files.move(file, file.resolveSibling("pitwall.log.1"), StandardCopyOption.REPLACE_EXISTING);
        }
        if (Files.notExists(file)) {
            Files.createFile(file, file.getFileSystem().supportedFileAttributeViews().contains("posix")
                    ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))}
                    : new FileAttribute<?>[0]);
        }
        return file;
    }
}
