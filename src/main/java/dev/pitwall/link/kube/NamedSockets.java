package dev.pitwall.link.kube;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

import javax.net.ssl.SSLSocketFactory;

/**
 * TLS sockets that ask for a given server name (SNI). client-java checks {@code tls-server-name} against the
 * certificate but does not send it, so a proxy that routes by name would pick the wrong server.
 */
final class NamedSockets extends SSLSocketFactory {
    private final SSLSocketFactory sockets;
    private final String serverName;

    NamedSockets(SSLSocketFactory sockets, String serverName) {
        this.sockets = sockets;
        this.serverName = serverName;
    }

    @Override
    public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
        return sockets.createSocket(socket, serverName, port, autoClose);
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return sockets.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return sockets.getSupportedCipherSuites();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return sockets.createSocket(host, port);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return sockets.createSocket(host, port, localHost, localPort);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return sockets.createSocket(host, port);
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
            throws IOException {
        return sockets.createSocket(address, port, localAddress, localPort);
    }
}
