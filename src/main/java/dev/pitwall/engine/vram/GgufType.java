package dev.pitwall.engine.vram;

import java.util.Optional;

/** The types of values in a GGUF head, in their numbers' order; {@code bytes} 0 where a value has no fixed size. */
enum GgufType {
    UINT8(1), INT8(1), UINT16(2), INT16(2), UINT32(4), INT32(4), FLOAT32(4), BOOL(1), TEXT(0), ARRAY(0), UINT64(8), INT64(8),
    FLOAT64(8);

    private final int bytes;

    GgufType(int bytes) {
        this.bytes = bytes;
    }

    int bytes() {
        return bytes;
    }

    static Optional<GgufType> of(int number) {
        return number >= 0 && number < values().length ? Optional.of(values()[number]) : Optional.empty();
    }
}
