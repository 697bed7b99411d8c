package dev.pitwall.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes a file as a whole or not at all: beside, to the disk, then renamed. The file is for its owner only. */
public final class WholeFile {
    private WholeFile() {
    }

    public static void write(Path file, byte[] content) throws IOException {
        Path absolute = file.toAbsolutePath();
        // Temporary files are made for their owner only, where the file system knows owners.
        Path beside = Files.createTempFile(absolute.getParent(), "." + absolute.getFileName(), ".new");
        try {
            try (FileChannel channel = FileChannel.open(beside, StandardOpenOption.WRITE)) {
                ByteBuffer rest = ByteBuffer.wrap(content);
                while (rest.hasRemaining()) {
                    channel.write(rest);
                }
                channel.force(true);
            }
            Files.move(beside, absolute, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(beside);
        }
    }
}
