package dev.pitwall.lab.kube.stream;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The streams of a command inside a WebSocket, by the first byte of each message. The thread that made it uses them; it
 * is interrupted when the client leaves.
 */
public final class ChannelSocket implements AutoCloseable {
    private static final int INPUT = 0;
    private static final int OUTPUT = 1;
    private static final int ERRORS = 2;
    private static final int STATUS = 3;
    /** Since v5: the channel that is named next has no more to come. */
    private static final int CLOSES = 255;
    private static final byte[] END = {};

    private final WebSocket socket;
    private final BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();
    private final Thread user = Thread.currentThread();
    private final Thread reader;
    private volatile boolean ended;

    /** @param input the client sends some; else there is none */
    public ChannelSocket(WebSocket socket, boolean input) {
        this.socket = socket;
        if (!input) {
            received.add(END);
        }
        this.reader = Thread.ofVirtual().name("lab-channels").start(this::read);
    }

    private void read() {
        try {
            for (Optional<byte[]> message = socket.next(); message.isPresent(); message = socket.next()) {
                receive(message.get());
            }
        } catch (IOException e) {
            // The client has gone, as clients go.
        }
        received.add(END);
        if (!ended) {
            user.interrupt();
        }
    }

    private void receive(byte[] message) {
        if (message.length > 1 && message[0] == INPUT) {
            received.add(Arrays.copyOfRange(message, 1, message.length));
        } else if (message.length > 1 && (message[0] & 0xFF) == CLOSES && message[1] == INPUT) {
            received.add(END);
        }
    }

    public InputStream in() {
        return new MessageInput(this::nextInput);
    }

    private Optional<byte[]> nextInput() throws IOException {
        try {
            byte[] message = received.take();
            return message == END ? Optional.empty() : Optional.of(message);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the client has gone");
        }
    }

    public OutputStream out() {
        return new Output(OUTPUT);
    }

    public OutputStream err() {
        return new Output(ERRORS);
    }

    /** Says how it ended, and good-bye. */
    public void end(byte[] status) throws IOException {
        ended = true;
        new Output(STATUS).write(status, 0, status.length);
        socket.close();
    }

    /** Waits until the client has said good-bye too. */
    @Override
    public void close() {
        try {
            reader.join(Duration.ofSeconds(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        reader.interrupt();
    }

    private final class Output extends OutputStream {
        private final int channel;

        Output(int channel) {
            this.channel = channel;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (length == 0) {
                return;
            }
            byte[] message = new byte[length + 1];
            message[0] = (byte) channel;
            System.arraycopy(bytes, offset, message, 1, length);
            socket.send(message);
        }
    }
}
