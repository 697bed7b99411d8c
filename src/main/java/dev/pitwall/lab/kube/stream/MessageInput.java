package dev.pitwall.lab.kube.stream;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** The bytes of messages, one message after the other. */
final class MessageInput extends InputStream {
    private final Source source;
    private byte[] message = {};
    private int at;
    private boolean over;

    /** Waits for the next message. */
    @FunctionalInterface
    interface Source {
        /** @return empty if there are no more */
        Optional<byte[]> next() throws IOException;
    }

    MessageInput(Source source) {
        this.source = source;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        while (at == message.length && length > 0 && !over) {
            Optional<byte[]> next = source.next();
            over = next.isEmpty();
            message = next.orElse(message);
            at = over ? at : 0;
        }
        if (over) {
            return -1;
        }
        int count = Math.min(length, message.length - at);
        System.arraycopy(message, at, bytes, offset, count);
        at += count;
        return count;
    }
}
