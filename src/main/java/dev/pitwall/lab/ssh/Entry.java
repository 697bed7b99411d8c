package dev.pitwall.lab.ssh;

import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** What is at one path of a machine. Modes are the low nine bits, as in {@code chmod}. */
public sealed interface Entry {
    int mode();

    record Directory(int mode) implements Entry {
        static final Directory USUAL = new Directory(0755);
    }

    /**
     * @param size as {@code stat} shows it: 0 under /proc and 4096 under /sys, whatever is read from it
     * @param kernel true for a file the kernel makes up; it cannot be replaced or removed
     */
    record Regular(int mode, long size, boolean kernel, Supplier<byte[]> content) implements Entry {
    }

    record Link(String target) implements Entry {
        @Override
        public int mode() {
            return 0777;
        }
    }

    static Regular stored(int mode, byte[] content) {
        return new Regular(mode, content.length, false, () -> content);
    }

    static Regular stored(int mode, String content) {
        return stored(mode, content.getBytes(StandardCharsets.UTF_8));
    }

    static Regular kernel(int mode, long size, Supplier<String> content) {
        return new Regular(mode, size, true, () -> content.get().getBytes(StandardCharsets.UTF_8));
    }
}
