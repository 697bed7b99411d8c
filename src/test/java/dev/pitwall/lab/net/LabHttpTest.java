package dev.pitwall.lab.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.undertow.server.HttpServerExchange;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.TrustManagerFactory;

class LabHttpTest {

    @Test
    void servesHttpsThatAClientTrustingTheAuthorityAccepts() throws Exception {
        LabAuthority authority = new LabAuthority(InstantSource.system());
        try (LabHttp http = new LabHttp();
             HttpClient client = HttpClient.newBuilder().sslContext(trusting(authority)).build()) {
            InetSocketAddress address = http.listen("a", Optional.of(authority.serverContext("pve1", List.of("pve1"))),
                    exchange -> exchange.getOutputStream().write("hello".getBytes(StandardCharsets.UTF_8)));
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create("https://localhost:" + address.getPort() + "/")).build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.body()).isEqualTo("hello");
            assertThat(authority.fingerprint("pve1")).matches("([0-9A-F]{2}:){31}[0-9A-F]{2}");
        }
    }

    @Test
    void carriesAReasonPhrase() throws Exception {
        LabAuthority authority = new LabAuthority(InstantSource.system());
        try (LabHttp http = new LabHttp()) {
            InetSocketAddress address = http.listen("a", Optional.of(authority.serverContext("pve1", List.of())),
                    exchange -> exchange.setStatusCode(500).setReasonPhrase("VM 999 qmp command failed"));
            HttpsURLConnection connection = (HttpsURLConnection) URI
                    .create("https://127.0.0.1:" + address.getPort() + "/").toURL().openConnection();
            connection.setSSLSocketFactory(trusting(authority).getSocketFactory());
            assertThat(connection.getResponseCode()).isEqualTo(500);
            assertThat(connection.getResponseMessage()).isEqualTo("VM 999 qmp command failed");
        }
    }

    @Test
    void anExpiredCertificateIsRefusedByClients() throws Exception {
        LabAuthority authority = new LabAuthority(InstantSource.system());
        LabAuthority.Validity over = new LabAuthority.Validity(Instant.now().minus(Duration.ofDays(400)),
                Instant.now().minus(Duration.ofDays(1)));
        try (LabHttp http = new LabHttp();
             HttpClient client = HttpClient.newBuilder().sslContext(trusting(authority)).build()) {
            InetSocketAddress address = http.listen("a",
                    Optional.of(authority.serverContext("pve1", List.of(), over)), exchange -> { });
            assertThatThrownBy(() -> client.send(
                    HttpRequest.newBuilder(URI.create("https://localhost:" + address.getPort() + "/")).build(),
                    HttpResponse.BodyHandlers.ofString())).isInstanceOf(SSLHandshakeException.class);
        }
    }

    @Test
    void aClientCertificateOfTheAuthorityNamesTheClientAndNoneIsNeeded() throws Exception {
        LabAuthority authority = new LabAuthority(InstantSource.system());
        LabAuthority.ClientIdentity anna = authority.client("anna", List.of("system:masters"));
        try (LabHttp http = new LabHttp()) {
            InetSocketAddress address = http.listen("a", Optional.of(authority.serverContext("api", List.of())),
                    exchange -> exchange.getOutputStream().write(client(exchange).getBytes(StandardCharsets.UTF_8)));
            URI uri = URI.create("https://localhost:" + address.getPort() + "/");
            assertThat(body(uri, context(authority, Optional.of(anna)))).isEqualTo("CN=anna,O=system:masters");
            assertThat(body(uri, trusting(authority))).isEqualTo("nobody");
        }
    }

    @Test
    void aSilentListenerRefusesAndComesBackOnItsPort() throws Exception {
        try (LabHttp http = new LabHttp()) {
            InetSocketAddress address = http.listen("a", Optional.empty(), exchange -> exchange.setStatusCode(204));
            URI uri = URI.create("http://127.0.0.1:" + address.getPort() + "/");
            assertThat(status(uri)).isEqualTo(204);
            http.silence("a");
            assertThatThrownBy(() -> status(uri)).isInstanceOf(ConnectException.class);
            http.answer("a");
            assertThat(status(uri)).isEqualTo(204);
        }
    }

    @Test
    void aSilentListenerCutsWhatItWasSending() throws Exception {
        try (LabHttp http = new LabHttp(); HttpClient client = HttpClient.newHttpClient()) {
            CountDownLatch forever = new CountDownLatch(1);
            InetSocketAddress address = http.listen("a", Optional.empty(), exchange -> {
                exchange.getOutputStream().write("first line\n".getBytes(StandardCharsets.UTF_8));
                exchange.getOutputStream().flush();
                forever.await();
            });
            HttpResponse<InputStream> answer = client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + "/")).build(),
                    HttpResponse.BodyHandlers.ofInputStream());
            assertThat(answer.body().readNBytes(11)).asString(StandardCharsets.UTF_8).isEqualTo("first line\n");
            http.silence("a");
            assertThatThrownBy(() -> answer.body().read()).isInstanceOf(IOException.class);
        }
    }

    @Test
    void anIdleConnectionIsClosed() throws Exception {
        try (LabHttp http = new LabHttp()) {
            InetSocketAddress address = http.listen("a", 0, Optional.empty(), Optional.of(Duration.ofMillis(100)),
                    exchange -> exchange.setStatusCode(204));
            try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
                socket.setSoTimeout(10_000);
                socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                        .startsWith("HTTP/1.1 204");
            }
        }
    }

    private static int status(URI uri) throws Exception {
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        return connection.getResponseCode();
    }

    private static String client(HttpServerExchange exchange) {
        try {
            return ((X509Certificate) exchange.getConnection().getSslSession().getPeerCertificates()[0])
                    .getSubjectX500Principal().getName();
        } catch (SSLPeerUnverifiedException e) {
            return "nobody";
        }
    }

    private static String body(URI uri, SSLContext context) throws Exception {
        try (HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString()).body();
        }
    }

    private static SSLContext trusting(LabAuthority authority) throws Exception {
        return context(authority, Optional.empty());
    }

    private static SSLContext context(LabAuthority authority, Optional<LabAuthority.ClientIdentity> client)
            throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setCertificateEntry("ca", CertificateFactory.getInstance("X.509").generateCertificate(
                new ByteArrayInputStream(authority.caPem().getBytes(StandardCharsets.US_ASCII))));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(client.isPresent() ? keys(client.get()) : null, trust.getTrustManagers(), null);
        return context;
    }

    private static KeyManager[] keys(LabAuthority.ClientIdentity client) throws Exception {
        byte[] der = Base64.getMimeDecoder().decode(client.keyPem().replaceAll("-----.*-----", ""));
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setKeyEntry("client", KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der)),
                new char[0], new Certificate[] {CertificateFactory.getInstance("X.509").generateCertificate(
                        new ByteArrayInputStream(client.certificatePem().getBytes(StandardCharsets.US_ASCII)))});
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, new char[0]);
        return factory.getKeyManagers();
    }
}
