package dev.pitwall.ui;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;
import javafx.scene.image.Image;
import javafx.scene.image.PixelReader;

/**
 * Writes an image as PNG (8 bits a channel, RGB, no interlace). Done here, since the JDK's own writer pulls in the whole
 * of AWT, which a small runtime does not have.
 */
final class PngFile {

    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    private static final int BITS = 8;
    private static final int RGB = 2;

    private PngFile() {
    }

    static void write(Image image, Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        try (OutputStream stream = Files.newOutputStream(file); DataOutputStream out = new DataOutputStream(stream)) {
            out.write(SIGNATURE);
            chunk(out, "IHDR", header((int) image.getWidth(), (int) image.getHeight()));
            chunk(out, "IDAT", pixels(image));
            chunk(out, "IEND", new byte[0]);
        }
    }

    private static byte[] header(int width, int height) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(width);
        out.writeInt(height);
        out.write(new byte[] {BITS, RGB, 0, 0, 0});
        return bytes.toByteArray();
    }

    private static byte[] pixels(Image image) throws IOException {
        int width = (int) image.getWidth();
        PixelReader reader = image.getPixelReader();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(bytes)) {
            byte[] line = new byte[1 + 3 * width];
            for (int y = 0; y < (int) image.getHeight(); y++) {
                for (int x = 0; x < width; x++) {
                    int argb = reader.getArgb(x, y);
                    line[1 + 3 * x] = (byte) (argb >> 16);
                    line[2 + 3 * x] = (byte) (argb >> 8);
                    line[3 + 3 * x] = (byte) argb;
                }
                out.write(line);
            }
        }
        return bytes.toByteArray();
    }

    private static void chunk(DataOutputStream out, String type, byte[] data) throws IOException {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        CRC32 crc = new CRC32();
        crc.update(name);
        crc.update(data);
        out.writeInt(data.length);
        out.write(name);
        out.write(data);
        out.writeInt((int) crc.getValue());
    }
}
