package dev.pitwall.lab.ssh;

import org.apache.sshd.common.io.IoAcceptor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.HashSet;
import java.util.Set;

/** One machine's port: open, or bound without listening, so that it refuses connections and nobody else gets it. */
final class SshPort {
    private final IoAcceptor acceptor;
    private InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private Socket placeholder;
    private boolean listening;

    SshPort(IoAcceptor acceptor) throws IOException {
        this.acceptor = acceptor;
        Set<SocketAddress> before = new HashSet<>(acceptor.getBoundAddresses());
        acceptor.bind(address);
        Set<SocketAddress> after = new HashSet<>(acceptor.getBoundAddresses());
        after.removeAll(before);
        address = (InetSocketAddress) after.iterator().next();
        listening = true;
    }

    int number() {
        return address.getPort();
    }

    void silence() throws IOException {
        if (!listening) {
            return;
        }
        acceptor.unbind(address);
        listening = false;
        placeholder = new Socket();
        placeholder.setReuseAddress(true);
        placeholder.bind(address);
    }

    void answer() throws IOException {
        if (listening) {
            return;
        }
        release();
        acceptor.bind(address);
        listening = true;
    }

    void release() throws IOException {
        if (placeholder != null) {
            placeholder.close();
            placeholder = null;
        }
    }
}
