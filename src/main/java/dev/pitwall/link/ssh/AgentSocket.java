package dev.pitwall.link.ssh;

import org.apache.sshd.agent.SshAgent;
import org.apache.sshd.agent.common.AbstractAgentProxy;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/**
 * The agent behind a Unix socket, over the JDK's own channel: SSHD's client for it needs the native APR library.
 * A message is a four-byte length and as many bytes (draft-miller-ssh-agent, section 3).
 */
final class AgentSocket extends AbstractAgentProxy {
    /** OpenSSH's own limit for an agent message. */
    private static final int MAX_MESSAGE_BYTES = 256 * 1024;

    private final SocketChannel channel;

    private AgentSocket(SocketChannel channel) {
        super(null);
        this.channel = channel;
    }

    static SshAgent open(Path socket) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
            return new AgentSocket(channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    protected synchronized Buffer request(Buffer request) throws IOException {
        ByteBuffer out = ByteBuffer.wrap(request.array(), request.rpos(), request.available());
        while (out.hasRemaining()) {
            channel.write(out);
        }
        int length = read(4).getInt();
        if (length < 1 || length > MAX_MESSAGE_BYTES) {
            throw new IOException("the agent's answer has " + length + " bytes");
        }
        return new ByteArrayBuffer(read(length).array());
    }

    private ByteBuffer read(int length) throws IOException {
        ByteBuffer in = ByteBuffer.allocate(length);
        while (in.hasRemaining()) {
            if (channel.read(in) < 0) {
                throw new EOFException("the agent hung up");
            }
        }
        return in.flip();
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
