package dev.pitwall.journey.change;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** What a file holds: its bytes, or that there is none. */
public sealed interface Content {

    /** There is no such file. */
    record Absent() implements Content {
        @Override
        public String text() {
            return "";
        }
    }

    /** @param bytes never changed after it was handed over */
    record Bytes(byte[] bytes) implements Content {
        public Bytes {
            bytes = bytes.clone();
        }

        @Override
        public byte[] bytes() {
            return bytes.clone();
        }

        @Override
        public String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Bytes(byte[] theirs) && Arrays.equals(bytes, theirs);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }

        @Override
        public String toString() {
            return "Bytes[" + bytes.length + "]";
        }
    }

    Content ABSENT = new Absent();

    static Content of(String text) {
        return new Bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** As a person reads it; empty where there is no file. What is not UTF-8 shows replacement characters. */
    String text();

    default boolean absent() {
        return switch (this) {
            case Absent a -> true;
            case Bytes b -> false;
        };
    }

    /** {@code SHA-256} in lower-case hex; {@code absent} where there is no file. */
    default String digest() {
        return switch (this) {
            case Absent a -> "absent";
            case Bytes(byte[] bytes) -> HexFormat.of().formatHex(Sha256.of(bytes));
        };
    }
}
