package dev.pitwall.link.kube;

import dev.pitwall.link.trust.ClientIdentity;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.kube.Kubeconfig.Cluster;

import okhttp3.Credentials;
import okhttp3.HttpUrl;

/**
 * Where a cluster's API server is and how it is recognised.
 *
 * @param base          without a slash at its end unless it is the root
 * @param authority     certificates in PEM; empty means those this machine trusts
 * @param proxyLogin    value of {@code Proxy-Authorization}
 */
record ServerTrust(HttpUrl base, Optional<byte[]> authority, boolean skipVerify, Optional<String> tlsServerName,
                   Proxy proxy, Optional<String> proxyLogin) {

    @Override
    public String toString() {
        return base.toString();
    }

    /** @throws TroubleException with file and line if the entry cannot be used */
    static ServerTrust of(Cluster cluster) throws TroubleException {
        Optional<byte[]> authority = MaterialReader.read(cluster.authority(), "certificate-authority",
                cluster.place());
        if (authority.isPresent()) {
            ClientIdentity.certificates(authority.get(), "certificate authority", cluster.place().text());
        }
        if (authority.isPresent() && cluster.skipVerify()) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, cluster.place().text(),
                    "cluster \"" + cluster.name() + "\" has a certificate authority and insecure-skip-tls-verify",
                    "Remove insecure-skip-tls-verify; kubectl refuses both together too."));
        }
        HttpUrl base = base(cluster, authority.isPresent() || cluster.skipVerify());
        Optional<URI> proxy = proxyUrl(cluster);
        return new ServerTrust(base, authority, cluster.skipVerify(), cluster.tlsServerName(),
                proxy.map(ServerTrust::proxy).orElse(Proxy.NO_PROXY),
                proxy.map(URI::getUserInfo).filter(info -> info.contains(":")).map(info -> Credentials.basic(
                        info.substring(0, info.indexOf(':')), info.substring(info.indexOf(':') + 1))));
    }

    boolean loopback() {
        return base.host().equals("localhost") || base.host().startsWith("127.") || base.host().equals("::1");
    }

    /** A server without a scheme is HTTPS if TLS settings go with it, else HTTP, as in client-go. */
    private static HttpUrl base(Cluster cluster, boolean tlsSettings) throws TroubleException {
        String server = cluster.server();
        String whole = server.contains("://") ? server : (tlsSettings ? "https://" : "http://") + server;
        HttpUrl url = HttpUrl.parse(whole);
        if (url == null) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, cluster.place().text(),
                    "the server of cluster \"" + cluster.name() + "\" is not an address: " + server,
                    "Write it as https://HOST:6443."));
        }
        return url;
    }

    private static Optional<URI> proxyUrl(Cluster cluster) throws TroubleException {
        if (cluster.proxyUrl().isEmpty()) {
            return Optional.empty();
        }
        try {
            URI url = new URI(cluster.proxyUrl().get());
            if (url.getHost() != null && ("http".equals(url.getScheme()) || "socks5".equals(url.getScheme()))) {
                return Optional.of(url);
            }
        } catch (URISyntaxException garbled) {
            // Answered below; the text may hold a password and is not repeated.
        }
        throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, cluster.place().text(),
                "the proxy-url of cluster \"" + cluster.name() + "\" cannot be used",
                "Write it as http://HOST:PORT or socks5://HOST:PORT."));
    }

    private static Proxy proxy(URI url) {
        boolean socks = "socks5".equals(url.getScheme());
        int port = url.getPort() > 0 ? url.getPort() : socks ? 1080 : 80;
        return new Proxy(socks ? Proxy.Type.SOCKS : Proxy.Type.HTTP,
                InetSocketAddress.createUnresolved(url.getHost(), port));
    }
}
