package dev.pitwall.engine.vram;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Writes the head of a GGUF file, for tests: version 2 and 3 are laid out alike. */
public final class GgufBytes {
    private static final int UINT32 = 4;
    private static final int TEXT = 8;
    private static final int ARRAY = 9;

    private static final Quantisations TYPES = Quantisations.load();

    private final ByteArrayOutputStream keys = new ByteArrayOutputStream();
    private final ByteArrayOutputStream tensors = new ByteArrayOutputStream();
    private final int version;
    private long pairs;
    private long listed;
    private long data;

    public GgufBytes(int version) {
        this.version = version;
    }

    public GgufBytes text(String key, String value) {
        text(keys, key);
        number(keys, 4, TEXT);
        text(keys, value);
        pairs++;
        return this;
    }

    public GgufBytes number(String key, long value) {
        text(keys, key);
        number(keys, 4, UINT32);
        number(keys, 4, value);
        pairs++;
        return this;
    }

    public GgufBytes numbers(String key, List<Integer> values) {
        text(keys, key);
        number(keys, 4, ARRAY);
        number(keys, 4, UINT32);
        number(keys, 8, values.size());
        values.forEach(v -> number(keys, 4, v));
        pairs++;
        return this;
    }

    public GgufBytes texts(String key, int count) {
        text(keys, key);
        number(keys, 4, ARRAY);
        number(keys, 4, TEXT);
        number(keys, 8, count);
        for (int i = 0; i < count; i++) {
            text(keys, "token" + i);
        }
        pairs++;
        return this;
    }

    /** @param type its number; its data follow those before it */
    public GgufBytes tensor(String name, int type, long... shape) {
        text(tensors, name);
        number(tensors, 4, shape.length);
        for (long dimension : shape) {
            number(tensors, 8, dimension);
        }
        number(tensors, 4, type);
        number(tensors, 8, data);
        data += Math.ceilDiv(bytes(type, Arrays.stream(shape).reduce(1, Math::multiplyExact)), 32) * 32;
        listed++;
        return this;
    }

    private static long bytes(int type, long elements) {
        return TYPES.tensor(type).map(t -> t.bytes(elements)).orElse(elements);
    }

    public byte[] head() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes("GGUF".getBytes(StandardCharsets.US_ASCII));
        number(all, 4, version);
        number(all, 8, listed);
        number(all, 8, pairs);
        all.writeBytes(keys.toByteArray());
        all.writeBytes(tensors.toByteArray());
        return all.toByteArray();
    }

    /** The head, and as many zeros as the tensors take. */
    public byte[] whole() {
        byte[] head = head();
        return Arrays.copyOf(head, (int) (Math.ceilDiv(head.length, 32) * 32 + data));
    }

    private static void text(ByteArrayOutputStream out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        number(out, 8, bytes.length);
        out.writeBytes(bytes);
    }

    private static void number(ByteArrayOutputStream out, int bytes, long value) {
        ByteBuffer buffer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value);
        out.write(buffer.array(), 0, bytes);
    }
}
