package dev.pitwall.engine.vram;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** How the cached keys and values are stored (llama.cpp {@code --cache-type-k}, {@code OLLAMA_KV_CACHE_TYPE}). */
public enum CacheType {
    F16("f16", 1, 2), Q8_0("q8_0", 32, 34), Q4_0("q4_0", 32, 18);

    private final String wireName;
    private final int elements;
    private final int bytes;

    CacheType(String wireName, int elements, int bytes) {
        this.wireName = wireName;
        this.elements = elements;
        this.bytes = bytes;
    }

    public String wireName() {
        return wireName;
    }

    /** Bytes of so many values of one row; rows are made of whole blocks. */
    public long bytes(long values) {
        return Math.ceilDiv(values, elements) * bytes;
    }

    /** Values of a block: a head has to be a multiple of it. */
    public int block() {
        return elements;
    }

    public boolean quantised() {
        return elements > 1;
    }

    public static Optional<CacheType> of(String name) {
        return Arrays.stream(values()).filter(t -> t.wireName.equalsIgnoreCase(name)).findFirst();
    }

    public static String names() {
        return Arrays.stream(values()).map(CacheType::wireName).collect(Collectors.joining(", "));
    }
}
