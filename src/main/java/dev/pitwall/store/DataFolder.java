package dev.pitwall.store;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * The folder in which Pitwall keeps its files. In this order: the system property {@code pitwall.home}, the variable
 * {@code PITWALL_HOME}, the system's own place: {@code $XDG_DATA_HOME/pitwall} or {@code ~/.local/share/pitwall},
 * {@code ~/Library/Application Support/Pitwall}, {@code %LOCALAPPDATA%\Pitwall}.
 *
 * @param path absolute
 */
public record DataFolder(Path path) {

    /** The place of this process. Creates nothing. */
    public static DataFolder ofThisProcess() throws TroubleException {
        return of(System.getenv(), System.getProperties());
    }

    static DataFolder of(Map<String, String> environment, Properties system) throws TroubleException {
        Optional<String> chosen = given(system.getProperty("pitwall.home")).or(() -> given(environment.get("PITWALL_HOME")));
        try {
            return new DataFolder(chosen.map(Path::of)
                    .orElseGet(() -> ofSystem(environment, system))
                    .toAbsolutePath().normalize());
        } catch (InvalidPathException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.MISSING, "PITWALL_HOME",
                    "\"" + e.getInput() + "\" cannot be a folder's name", "Set PITWALL_HOME to a folder."), e);
        }
    }

    private static Path ofSystem(Map<String, String> environment, Properties system) {
        Path home = Path.of(system.getProperty("user.home"));
        String os = system.getProperty("os.name").toLowerCase(Locale.ROOT);
        if (os.startsWith("mac")) {
            return home.resolve("Library/Application Support/Pitwall");
        }
        if (os.startsWith("win")) {
            return given(environment.get("LOCALAPPDATA")).map(Path::of)
                    .orElseGet(() -> home.resolve("AppData/Local")).resolve("Pitwall");
        }
        // The XDG specification says that a relative path here is to be ignored.
        return given(environment.get("XDG_DATA_HOME")).map(Path::of).filter(Path::isAbsolute)
                .orElseGet(() -> home.resolve(".local/share")).resolve("pitwall");
    }

    private static Optional<String> given(String value) {
        return Optional.ofNullable(value).filter(v -> !v.isBlank());
    }

    /**
     * Makes the folder if it is not there, for its owner only. The rights of a folder that is there are left alone:
     * it may be one the person shares for other reasons. The files in it are for their owner only either way.
     */
    public DataFolder create() throws TroubleException {
        try {
            Files.createDirectories(path, ownerOnly(path));
            return this;
        } catch (IOException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.RIGHTS, path.toString(),
                    "the data folder cannot be made (" + FileProblem.of(e) + ")",
                    "Make the folder writable, or set PITWALL_HOME to another one."), e);
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))}
                : new FileAttribute<?>[0];
    }

    public Path database() {
        return path.resolve("pitwall.db");
    }
}
