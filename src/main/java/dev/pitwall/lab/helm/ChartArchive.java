package dev.pitwall.lab.helm;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/**
 * A chart packed as Helm packs it: a gzipped tar with all files in one folder of the chart's name. The same chart gives
 * the same bytes.
 *
 * @param digest SHA-256 of the bytes in lower-case hex
 */
public record ChartArchive(Chart chart, byte[] bytes, String digest) {
    private static final int BLOCK = 512;
    /** The name field of a POSIX ustar header. */
    private static final int LONGEST_NAME = 100;

    public static ChartArchive of(Chart chart) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            // Helm wants to read Chart.yaml first.
            write(out, chart, "Chart.yaml", chart.files().get("Chart.yaml"));
            for (Map.Entry<String, byte[]> file : chart.files().entrySet()) {
                if (!file.getKey().equals("Chart.yaml")) {
                    write(out, chart, file.getKey(), file.getValue());
                }
            }
            out.write(new byte[2 * BLOCK]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ChartArchive(chart, packed.toByteArray(), sha256(packed.toByteArray()));
    }

    private static void write(OutputStream out, Chart chart, String file, byte[] content) throws IOException {
        out.write(header(chart.name() + "/" + file, content.length, chart.created()));
        out.write(content);
        out.write(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
    }

    private static byte[] header(String name, int size, Instant modified) {
        if (name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("too long a name for a tar file: " + name);
        }
        byte[] header = new byte[BLOCK];
        put(header, 0, name);
        put(header, 100, "0000644");
        put(header, 108, "0000000");
        put(header, 116, "0000000");
        put(header, 124, String.format("%011o", size));
        put(header, 136, String.format("%011o", modified.getEpochSecond()));
        Arrays.fill(header, 148, 156, (byte) ' ');
        header[156] = '0';
        put(header, 257, "ustar");
        put(header, 263, "00");
        int sum = 0;
        for (byte b : header) {
            sum += b & 0xFF;
        }
        put(header, 148, String.format("%06o", sum));
        header[154] = 0;
        return header;
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
