package dev.pitwall.lab.kube.stream;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Optional;

/** The server's side of a WebSocket (RFC 6455) after its handshake. One thread reads; any may send. */
public final class WebSocket {
    private static final int BINARY = 2;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;
    private static final int LAST = 0x80;
    private static final int MASKED = 0x80;
    private static final int MAX_MESSAGE = 4 << 20;
    private static final int SHORT = 126;
    private static final int LONG = 127;

    private final DataInputStream in;
    private final OutputStream out;

    public WebSocket(Duplex connection) {
        this.in = new DataInputStream(connection.in());
        this.out = connection.out();
    }

    /** The next message's bytes. @return empty once the client has closed */
    public Optional<byte[]> next() throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        while (true) {
            int first;
            try {
                first = in.readUnsignedByte();
            } catch (EOFException e) {
                return Optional.empty();
            }
            byte[] payload = payload();
            switch (first & 0x0F) {
                case PING -> send(PONG, payload, payload.length);
                case PONG -> { }
                case CLOSE -> {
                    send(CLOSE, payload, payload.length);
                    return Optional.empty();
                }
                default -> {
                    message.write(payload);
                    if (message.size() > MAX_MESSAGE) {
                        throw new IOException("a WebSocket message is too large");
                    }
                    if ((first & LAST) != 0) {
                        return Optional.of(message.toByteArray());
                    }
                }
            }
        }
    }

    private byte[] payload() throws IOException {
        int second = in.readUnsignedByte();
        int size = second & 0x7F;
        long length = size == SHORT ? in.readUnsignedShort() : size == LONG ? in.readLong() : size;
        if (length > MAX_MESSAGE || length < 0) {
            throw new IOException("a WebSocket frame is too large");
        }
        byte[] mask = new byte[4];
        boolean masked = (second & MASKED) != 0;
        if (masked) {
            in.readFully(mask);
        }
        byte[] bytes = new byte[(int) length];
        in.readFully(bytes);
        for (int i = 0; masked && i < bytes.length; i++) {
            bytes[i] ^= mask[i % 4];
        }
        return bytes;
    }

    public void send(byte[] message) throws IOException {
        send(BINARY, message, message.length);
    }

    /** Says good-bye; code 1000 is a normal end. */
    public void close() throws IOException {
        send(CLOSE, new byte[] {0x03, (byte) 0xE8}, 2);
    }

    private synchronized void send(int kind, byte[] bytes, int length) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream(length + 10);
        frame.write(LAST | kind);
        if (length < SHORT) {
            frame.write(length);
        } else if (length < 1 << 16) {
            frame.write(SHORT);
            frame.write(length >> 8);
            frame.write(length);
        } else {
            frame.write(LONG);
            for (int shift = 56; shift >= 0; shift -= 8) {
                frame.write((int) ((long) length >> shift));
            }
        }
        frame.write(bytes, 0, length);
        out.write(frame.toByteArray());
        out.flush();
    }

    /** The messages' bytes one after the other, for a protocol that does not care for messages. */
    public InputStream stream() {
        return new MessageInput(this::next);
    }

    /** Each write is a message. */
    public OutputStream sink() {
        return new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                send(new byte[] {(byte) value});
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                WebSocket.this.send(Arrays.copyOfRange(bytes, offset, offset + length));
            }
        };
    }
}
