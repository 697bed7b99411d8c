package dev.pitwall.lab.kube.stream;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The server's side of SPDY/3.1, as far as Kubernetes' clients speak it: streams that the client opens, data both ways, pings
 * and resets. There is no flow control, which those clients do not have either (facts: moby/spdystream).
 */
public final class SpdyConnection implements AutoCloseable {
    private static final int CONTROL = 0x8003;
    private static final int SYN_STREAM = 1;
    private static final int SYN_REPLY = 2;
    private static final int RST_STREAM = 3;
    private static final int PING = 6;
    private static final int GOAWAY = 7;
    private static final int FIN = 1;
    private static final int MAX_FRAME = 1 << 24;
    private static final int CHUNK = 16 << 10;
    private static final int PIPE_BYTES = 256 << 10;

    private final DataInputStream in;
    private final DataOutputStream out;
    private final SpdyHeaders headers = new SpdyHeaders();
    private final Map<Integer, Stream> streams = new ConcurrentHashMap<>();

    public SpdyConnection(InputStream in, OutputStream out) {
        this.in = new DataInputStream(in);
        this.out = new DataOutputStream(new BufferedOutputStream(out, CHUNK * 2));
    }

    /** Reads until the client leaves, and hands over each stream that it opens. Called on one thread. */
    public void serve(Consumer<Stream> opened) throws IOException {
        try {
            while (frame(opened)) {
                // The next frame.
            }
        } catch (EOFException e) {
            // The client has gone, as clients go.
        } finally {
            streams.values().forEach(Stream::ended);
        }
    }

    private boolean frame(Consumer<Stream> opened) throws IOException {
        int head = in.readInt();
        int second = in.readInt();
        int flags = second >>> 24;
        int length = second & 0xFFFFFF;
        if (length >= MAX_FRAME) {
            throw new IOException("a SPDY frame is too large");
        }
        byte[] body = in.readNBytes(length);
        if (head >= 0) {
            Stream stream = streams.get(head);
            if (stream != null) {
                stream.received(body, (flags & FIN) != 0);
            }
            return true;
        }
        if (head >>> 16 != CONTROL) {
            throw new IOException("not SPDY/3");
        }
        DataInputStream fields = new DataInputStream(new ByteArrayInputStream(body));
        switch (head & 0xFFFF) {
            case SYN_STREAM -> open(fields, flags, opened);
            case RST_STREAM -> {
                Stream stream = streams.remove(fields.readInt());
                if (stream != null) {
                    stream.ended();
                }
            }
            case PING -> control(PING, 0, body);
            case GOAWAY -> {
                return false;
            }
            default -> { }
        }
        return true;
    }

    private void open(DataInputStream fields, int flags, Consumer<Stream> opened) throws IOException {
        int id = fields.readInt();
        fields.skipNBytes(6);
        Stream stream = new Stream(id, headers.read(fields.readAllBytes()));
        if ((flags & FIN) != 0) {
            stream.ended();
        }
        streams.put(id, stream);
        synchronized (this) {
            byte[] block = headers.write(Map.of());
            byte[] body = new byte[4 + block.length];
            System.arraycopy(new byte[] {(byte) (id >> 24), (byte) (id >> 16), (byte) (id >> 8), (byte) id}, 0, body, 0, 4);
            System.arraycopy(block, 0, body, 4, block.length);
            control(SYN_REPLY, 0, body);
        }
        opened.accept(stream);
    }

    private synchronized void control(int type, int flags, byte[] body) throws IOException {
        out.writeInt(CONTROL << 16 | type);
        out.writeInt(flags << 24 | body.length);
        out.write(body);
        out.flush();
    }

    private synchronized void data(int id, int flags, byte[] bytes, int offset, int length) throws IOException {
        out.writeInt(id);
        out.writeInt(flags << 24 | length);
        out.write(bytes, offset, length);
        out.flush();
    }

    @Override
    public void close() {
        headers.close();
    }

    /** One stream that the client has opened. */
    public final class Stream {
        private final int id;
        private final Map<String, String> headers;
        private final PipedInputStream in = new PipedInputStream(PIPE_BYTES);
        private final PipedOutputStream received = new PipedOutputStream();

        Stream(int id, Map<String, String> headers) throws IOException {
            this.id = id;
            this.headers = headers;
            received.connect(in);
        }

        /** @return empty text if it is not there; names are in small letters */
        public String header(String name) {
            return headers.getOrDefault(name, "");
        }

        /** What the client sends. */
        public InputStream in() {
            return in;
        }

        public void write(byte[] bytes, int offset, int length) throws IOException {
            for (int at = 0; at < length; at += CHUNK) {
                data(id, 0, bytes, offset + at, Math.min(CHUNK, length - at));
            }
        }

        /** Says that nothing more will come. */
        public void finish() throws IOException {
            data(id, FIN, new byte[0], 0, 0);
        }

        private void received(byte[] bytes, boolean last) throws IOException {
            try {
                received.write(bytes);
                received.flush();
            } catch (IOException e) {
                // Nobody reads this stream any more; what still comes for it is of no use.
                return;
            }
            if (last) {
                received.close();
            }
        }

        private void ended() {
            try {
                received.close();
            } catch (IOException e) {
                // A pipe that is closed twice is closed.
            }
        }
    }
}
