package dev.pitwall.engine.vram;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** The bytes of a GGUF file from the front, with the place that was reached. */
final class GgufInput {
    private static final int LONGEST_TEXT = 1 << 26;
    private static final int KEPT_TEXT = 4096;

    private final String name;
    private final InputStream in;
    private long offset;

    /** @param in buffered; not closed here */
    GgufInput(String name, InputStream in) {
        this.name = name;
        this.in = in;
    }

    /** Bytes read so far. */
    long offset() {
        return offset;
    }

    int number(String what) throws TroubleException, IOException {
        return bytes(Integer.BYTES, what).getInt();
    }

    long longNumber(String what) throws TroubleException, IOException {
        return bytes(Long.BYTES, what).getLong();
    }

    double scalar(GgufType type, String what) throws TroubleException, IOException {
        ByteBuffer bytes = bytes(type.bytes(), what);
        return switch (type) {
            case UINT8 -> bytes.get() & 0xff;
            case INT8 -> bytes.get();
            case BOOL -> bytes.get() == 0 ? 0 : 1;
            case UINT16 -> bytes.getShort() & 0xffff;
            case INT16 -> bytes.getShort();
            case UINT32 -> bytes.getInt() & 0xffffffffL;
            case INT32 -> bytes.getInt();
            case FLOAT32 -> bytes.getFloat();
            case FLOAT64 -> bytes.getDouble();
            case UINT64, INT64 -> bytes.getLong();
            case TEXT, ARRAY -> throw new IllegalArgumentException(type + " is no scalar");
        };
    }

    /** A text; of a long one, a chat template for example, the beginning. */
    String text(String what) throws TroubleException, IOException {
        long length = longNumber(what);
        if (length < 0 || length > LONGEST_TEXT) {
            throw trouble(what + " has an impossible length of " + Long.toUnsignedString(length) + " bytes", "Download the file again.");
        }
        int kept = (int) Math.min(length, KEPT_TEXT);
        String text = StandardCharsets.UTF_8.decode(bytes(kept, what)).toString();
        skip(length - kept, what);
        return text;
    }

    void skip(long bytes, String what) throws TroubleException, IOException {
        if (bytes < 0) {
            throw trouble(what + " has an impossible length", "Download the file again.");
        }
        try {
            in.skipNBytes(bytes);
        } catch (EOFException e) {
            throw cut(what, e);
        }
        offset += bytes;
    }

    private ByteBuffer bytes(int count, String what) throws TroubleException, IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw cut(what, new EOFException());
        }
        offset += count;
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private TroubleException cut(String what, IOException cause) {
        return new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, name + " byte " + offset, "the file ends in " + what,
                "Download the file again: its head is not all there."), cause);
    }

    TroubleException trouble(String what, String next) {
        return new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, name + " byte " + offset, what, next));
    }
}
