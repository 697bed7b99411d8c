package dev.pitwall.link.helm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder for what Helm reads as files: a kubeconfig with its credentials, values, a chart. Only its owner can look
 * into it, and it is gone when it is closed. A process that was killed leaves its folder behind; the next one that
 * makes a folder removes it. Its path has no comma, at which Helm would cut it (facts: cluster.md 8).
 */
final class PrivateFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PrivateFolder.class);
    private static final String BEGIN = "pitwall-helm-";

    private final Path folder;

    private PrivateFolder(Path folder) {
        this.folder = folder;
    }

    static PrivateFolder make() throws IOException {
        Path parent = Stream.of(System.getProperty("java.io.tmpdir"), System.getProperty("user.home"))
                .filter(path -> !path.contains(",")).findFirst().map(Path::of)
                .orElseThrow(() -> new IOException("every folder for files has a comma in its path"));
        removeLeftOver(parent);
        String begin = BEGIN + ProcessHandle.current().pid() + "-";
        return new PrivateFolder(posix(parent) ? Files.createTempDirectory(parent, begin,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")))
                : Files.createTempDirectory(parent, begin));
    }

    private static boolean posix(Path path) throws IOException {
        return Files.getFileStore(path).supportsFileAttributeView("posix");
    }

    private static void removeLeftOver(Path parent) throws IOException {
        List<Path> all;
        try (Stream<Path> entries = Files.list(parent)) {
            all = entries.filter(path -> path.getFileName().toString().startsWith(BEGIN)).toList();
        }
        for (Path old : all) {
            if (ownerDied(old)) {
                remove(old);
            }
        }
    }

    private static boolean ownerDied(Path folder) {
        String[] parts = folder.getFileName().toString().split("-");
        try {
            return ProcessHandle.of(Long.parseLong(parts[2])).filter(ProcessHandle::isAlive).isEmpty();
        } catch (NumberFormatException notOurs) {
            return false;
        }
    }

    /** Writes a file that only its owner can read. */
    Path write(String name, byte[] content) throws IOException {
        Path file = folder.resolve(name);
        if (posix(folder)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        return Files.write(file, content, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    @Override
    public void close() {
        remove(folder);
    }

    private static void remove(Path folder) {
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, IOException failed) throws IOException {
                    Files.delete(directory);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("A temporary folder of Helm could not be removed: {}", folder);
        }
    }
}
