package dev.pitwall.link.ssh;

import org.apache.sshd.agent.common.AbstractAgentClient;
import org.apache.sshd.agent.local.AgentImpl;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.security.KeyPair;

/** An SSH agent on a Unix socket that holds keys in memory. */
final class TestAgent implements AutoCloseable {
    private final Path socket;
    private final ServerSocketChannel server;
    private final AgentImpl keys = new AgentImpl();

    TestAgent(Path socket, KeyPair... pairs) throws IOException {
        this.socket = socket;
        for (KeyPair pair : pairs) {
            keys.addIdentity(pair, "test");
        }
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket));
        Thread.ofVirtual().start(this::accept);
    }

    Path socket() {
        return socket;
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel client = server.accept();
                Thread.ofVirtual().start(() -> serve(client));
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private void serve(SocketChannel client) {
        AbstractAgentClient protocol = new AbstractAgentClient(keys) {
            @Override
            protected void reply(Buffer buffer) throws IOException {
                client.write(ByteBuffer.wrap(buffer.array(), buffer.rpos(), buffer.available()));
            }
        };
        try (client) {
            ByteBuffer in = ByteBuffer.allocate(4096);
            while (client.read(in) >= 0) {
                in.flip();
                byte[] bytes = new byte[in.remaining()];
                in.get(bytes);
                in.clear();
                protocol.messageReceived(new ByteArrayBuffer(bytes));
            }
        } catch (IOException e) {
            // The client hung up.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
