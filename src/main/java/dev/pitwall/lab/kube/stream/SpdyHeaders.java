package dev.pitwall.lab.kube.stream;

import dev.pitwall.lab.data.DataFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Header blocks of SPDY/3: compressed with one dictionary, and each direction in one stream over all its blocks. */
final class SpdyHeaders implements AutoCloseable {
    private static final int MAX_BLOCK = 64 << 10;

    private final byte[] dictionary = dictionary();
    private final Inflater inflater = new Inflater();
    private final Deflater deflater = new Deflater();

    SpdyHeaders() {
        deflater.setDictionary(dictionary);
    }

    private static byte[] dictionary() {
        return DataFile.bytes("kube/spdy3.dictionary");
    }

    Map<String, String> read(byte[] block) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(inflate(block)));
        Map<String, String> headers = new LinkedHashMap<>();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            String name = text(in);
            headers.put(name, text(in));
        }
        return headers;
    }

    private byte[] inflate(byte[] block) throws IOException {
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        byte[] buffer = new byte[4096];
        inflater.setInput(block);
        try {
            while (plain.size() < MAX_BLOCK) {
                int count = inflater.inflate(buffer);
                if (count > 0) {
                    plain.write(buffer, 0, count);
                } else if (inflater.needsDictionary()) {
                    inflater.setDictionary(dictionary);
                } else {
                    return plain.toByteArray();
                }
            }
        } catch (DataFormatException | IllegalArgumentException e) {
            throw new IOException("a SPDY header block cannot be read", e);
        }
        throw new IOException("a SPDY header block is too large");
    }

    private static String text(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > MAX_BLOCK) {
            throw new IOException("a SPDY header is too large");
        }
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    byte[] write(Map<String, String> headers) throws IOException {
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(plain);
        out.writeInt(headers.size());
        for (Map.Entry<String, String> header : headers.entrySet()) {
            for (String text : new String[] {header.getKey(), header.getValue()}) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                out.writeInt(bytes.length);
                out.write(bytes);
            }
        }
        deflater.setInput(plain.toByteArray());
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        byte[] buffer = new byte[4096];
        for (int count = deflater.deflate(buffer, 0, buffer.length, Deflater.SYNC_FLUSH); count > 0;
                count = deflater.deflate(buffer, 0, buffer.length, Deflater.SYNC_FLUSH)) {
            block.write(buffer, 0, count);
        }
        return block.toByteArray();
    }

    @Override
    public void close() {
        inflater.end();
        deflater.end();
    }
}
