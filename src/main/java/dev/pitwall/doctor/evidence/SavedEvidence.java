package dev.pitwall.doctor.evidence;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.sign.Hint;
import dev.pitwall.doctor.sign.Sign.About;
import org.apache.commons.compress.archivers.ArchiveEntry;
import org.apache.commons.compress.archivers.ArchiveInputStream;
import org.apache.commons.compress.archivers.ArchiveStreamFactory;
import org.apache.commons.compress.compressors.CompressorException;
import org.apache.commons.compress.compressors.CompressorStreamFactory;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Evidence that somebody has saved: a folder of outputs, a must-gather folder, an archive of either, or one file. Archives
 * are read as they stand, one entry after the other; nothing is unpacked to the disk.
 */
public final class SavedEvidence implements Evidence {

    /** A folder with more files than this is no collection of outputs but somebody's whole disk. */
    public static final int MOST_FILES = 20_000;
    /** The most of one file, once it is unpacked, in bytes: small archives can hold endless zeros. */
    static final long MOST_BYTES = 4L << 30;
    private static final int DEEPEST = 12;
    private static final Set<String> ARCHIVES = Set.of("tar", "zip", "cpio");
    private final Path path;

    public SavedEvidence(Path path) {
        this.path = path;
    }

    @Override
    public void each(Taker taker) throws TroubleException, InterruptedException {
        if (!Files.exists(path)) {
            throw trouble(Trouble.Kind.MISSING, "there is no such file or folder", "Check the name.");
        }
        for (Path file : files()) {
            check();
            String name = file.equals(path) ? path.getFileName().toString() : path.relativize(file).toString();
            try {
                file(file, name, taker);
            } catch (IOException e) {
                taker.take(unreadable(name, e));
            }
        }
    }

    private static void check() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /** The files in the order of their names, since people number them. Links are not followed out of the folder. */
    private List<Path> files() throws TroubleException {
        if (!Files.isDirectory(path)) {
            return List.of(path);
        }
        Set<Path> found = new TreeSet<>();
        try (Stream<Path> walk = Files.walk(path, DEEPEST)) {
            walk.filter(Files::isRegularFile).limit(MOST_FILES + 1L).forEach(found::add);
        } catch (IOException | UncheckedIOException e) {
            throw trouble(Trouble.Kind.RIGHTS, "a folder in it may not be read", "Check its permissions, or copy it.");
        }
        if (found.isEmpty()) {
            throw trouble(Trouble.Kind.MISSING, "there is no file in it",
                    "Put outputs of commands there, each in a file of its own.");
        }
        if (found.size() > MOST_FILES) {
            throw trouble(Trouble.Kind.UNREADABLE, "it has more than " + MOST_FILES + " files",
                    "Name the folder that has the outputs.");
        }
        return List.copyOf(found);
    }

    private static Document unreadable(String name, IOException e) {
        return new Document(name, Hint.UNKNOWN, About.NOTHING, new Document.Stream(() -> {
            throw e;
        }));
    }

    private void file(Path file, String name, Taker taker) throws IOException, InterruptedException {
        if (!archived(file)) {
            taker.take(new Document(name, Hint.ofFile(name), About.NOTHING,
                    new Document.Stream(() -> Files.newInputStream(file))));
            return;
        }
        try (InputStream in = unpacked(new BufferedInputStream(Files.newInputStream(file)));
             ArchiveInputStream<?> archive = new ArchiveStreamFactory().createArchiveInputStream(in)) {
            entries(archive, name, taker);
        }
    }

    private static void entries(ArchiveInputStream<?> archive, String name, Taker taker)
            throws IOException, InterruptedException {
        for (ArchiveEntry entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
            check();
            if (!entry.isDirectory() && archive.canReadEntryData(entry)) {
                String inside = name + "/" + entry.getName();
                taker.take(new Document(inside, Hint.ofFile(inside), About.NOTHING,
                        new Document.Stream(() -> new Bounded(archive))));
            }
        }
    }

    /** True for an archive, compressed or not; a single compressed file is none. */
    private static boolean archived(Path file) {
        try (InputStream in = unpacked(new BufferedInputStream(Files.newInputStream(file)))) {
            return ARCHIVES.contains(ArchiveStreamFactory.detect(in));
        } catch (IOException e) {
            return false;
        }
    }

    private static InputStream unpacked(BufferedInputStream in) throws IOException {
        try {
            return new BufferedInputStream(new CompressorStreamFactory()
                    .createCompressorInputStream(CompressorStreamFactory.detect(in), in));
        } catch (CompressorException e) {
            return in;
        }
    }

    private TroubleException trouble(Trouble.Kind kind, String what, String next) {
        return new TroubleException(new Trouble(kind, path.toString(), what, next));
    }

    /** One entry of an archive: to close it leaves the archive open. */
    private static final class Bounded extends FilterInputStream {
        private long left = MOST_BYTES;

        Bounded(InputStream archive) {
            super(archive);
        }

        @Override
        public int read() throws IOException {
            return left-- > 0 ? super.read() : -1;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int count = left <= 0 ? -1 : super.read(buffer, offset, (int) Math.min(length, left));
            left -= Math.max(count, 0);
            return count;
        }

        @Override
        public boolean markSupported() {
            return false;
        }

        @Override
        public void close() {
            // The next entry is read from the same stream.
        }
    }
}
