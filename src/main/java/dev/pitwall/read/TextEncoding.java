package dev.pitwall.read;

/** How the bytes of a file are to be read, by its beginning. */
public enum TextEncoding {
    GZIP, UTF_16LE, UTF_16BE, UTF_8, BINARY;

    /** How many bytes at most are looked at. */
    public static final int LOOKED_AT = 64 << 10;

    /** @param head the beginning of the file, or all of it */
    public static TextEncoding of(byte[] head) {
        if (starts(head, 0x1f, 0x8b)) {
            return GZIP;
        }
        if (starts(head, 0xff, 0xfe) || mostlyAscii(head, 1)) {
            return UTF_16LE;
        }
        if (starts(head, 0xfe, 0xff) || mostlyAscii(head, 0)) {
            return UTF_16BE;
        }
        return zeros(head, 0) + zeros(head, 1) > 0.01 ? BINARY : UTF_8;
    }

    /** True if a text that is not UTF-8 has so many control characters that it is no text. */
    public static boolean manyControls(byte[] head) {
        int looked = Math.min(head.length, LOOKED_AT);
        int control = 0;
        for (int i = 0; i < looked; i++) {
            int b = head[i] & 0xff;
            control += b < 0x20 && b != '\n' && b != '\r' && b != '\t' && b != 0x1b ? 1 : 0;
        }
        return control > looked / 50;
    }

    private static boolean starts(byte[] bytes, int first, int second) {
        return bytes.length >= 2 && (bytes[0] & 0xff) == first && (bytes[1] & 0xff) == second;
    }

    /** UTF-16 of mostly ASCII without a byte order mark: every other byte is zero, and only those. */
    private static boolean mostlyAscii(byte[] bytes, int parity) {
        return zeros(bytes, parity) > 0.4 && zeros(bytes, 1 - parity) < 0.05;
    }

    /** Share of zero bytes at even (0) or odd (1) places of the beginning. */
    private static double zeros(byte[] bytes, int parity) {
        int looked = Math.min(bytes.length, LOOKED_AT);
        int zeros = 0;
        for (int i = parity; i < looked; i += 2) {
            zeros += bytes[i] == 0 ? 1 : 0;
        }
        return looked < 2 ? 0 : zeros / (looked / 2.0);
    }
}
