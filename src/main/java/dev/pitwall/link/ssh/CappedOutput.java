package dev.pitwall.link.ssh;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Keeps the first bytes of a stream and drops the rest, so that an endless command costs no memory. */
final class CappedOutput extends OutputStream {
    private final int cap;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private boolean cut;

    CappedOutput(int cap) {
        this.cap = cap;
    }

    @Override
    public synchronized void write(int b) {
        if (kept.size() < cap) {
            kept.write(b);
        } else {
            cut = true;
        }
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
        int room = Math.min(length, cap - kept.size());
        kept.write(bytes, offset, room);
        cut |= room < length;
    }

    synchronized byte[] bytes() {
        return kept.toByteArray();
    }

    synchronized String text() {
        return kept.toString(StandardCharsets.UTF_8);
    }

    synchronized boolean cut() {
        return cut;
    }
}
