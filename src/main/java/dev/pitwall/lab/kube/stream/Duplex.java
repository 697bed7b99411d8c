package dev.pitwall.lab.kube.stream;

import org.xnio.IoUtils;
import org.xnio.StreamConnection;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The two directions of an upgraded connection as blocking streams. Undertow's TLS layer is not made for a reader and a
 * writer at once, so both hold one lock while they touch it, and a reader waits for data outside of it.
 */
public final class Duplex implements AutoCloseable {
    private static final long GLANCE_MILLIS = 250;

    private final StreamConnection connection;
    private final ReentrantLock lock = new ReentrantLock();

    Duplex(StreamConnection connection) {
        this.connection = connection;
    }

    public InputStream in() {
        return new In();
    }

    public OutputStream out() {
        return new Out();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            IoUtils.safeClose(connection);
        } finally {
            lock.unlock();
        }
    }

    private final class In extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
            while (length > 0) {
                int read = tryRead(buffer);
                if (read != 0) {
                    return read;
                }
                if (Thread.interrupted()) {
                    throw new InterruptedIOException("the connection is being closed");
                }
                connection.getSourceChannel().awaitReadable(GLANCE_MILLIS, TimeUnit.MILLISECONDS);
            }
            return 0;
        }

        private int tryRead(ByteBuffer buffer) throws IOException {
            lock.lock();
            try {
                return connection.getSourceChannel().read(buffer);
            } finally {
                lock.unlock();
            }
        }
    }

    private final class Out extends OutputStream {
        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
            lock.lock();
            try {
                while (buffer.hasRemaining()) {
                    if (connection.getSinkChannel().write(buffer) == 0) {
                        connection.getSinkChannel().awaitWritable(GLANCE_MILLIS, TimeUnit.MILLISECONDS);
                    }
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void flush() throws IOException {
            lock.lock();
            try {
                while (!connection.getSinkChannel().flush()) {
                    connection.getSinkChannel().awaitWritable(GLANCE_MILLIS, TimeUnit.MILLISECONDS);
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
