package dev.pitwall.link.ssh;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Hands each line on as soon as it is whole, and all bytes to another stream as they are. */
final class LineOutput extends OutputStream {
    /** A line longer than this is handed on in pieces. */
    private static final int LONGEST = 8 << 10;

    private final OutputStream whole;
    private final Consumer<String> lines;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    LineOutput(OutputStream whole, Consumer<String> lines) {
        this.whole = whole;
        this.lines = lines;
    }

    @Override
    public synchronized void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        whole.write(bytes, offset, length);
        int from = offset;
        for (int i = offset; i < offset + length; i++) {
            if (bytes[i] == '\n' || line.size() + i - from >= LONGEST) {
                line.write(bytes, from, i - from);
                from = bytes[i] == '\n' ? i + 1 : i;
                hand();
            }
        }
        line.write(bytes, from, offset + length - from);
    }

    /** A progress bar rewrites its line after a carriage return; only what is seen at the end counts. */
    private void hand() {
        String text = line.toString(StandardCharsets.UTF_8).stripTrailing();
        line.reset();
        lines.accept(text.substring(text.lastIndexOf('\r') + 1));
    }

    /** Hands on a last line without an end. */
    @Override
    public synchronized void close() {
        if (line.size() > 0) {
            hand();
        }
    }
}
