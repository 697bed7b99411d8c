package dev.pitwall.lab.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
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
    void closingLeavesNoThread() throws Exception {
        LabHttp http = new LabHttp();
        InetSocketAddress address = http.listen("a", Optional.empty(), exchange -> exchange.setStatusCode(204));
        status(URI.create("http://127.0.0.1:" + address.getPort() + "/"));
        http.close();
        Awaitility.await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("lab-http")));
    }

    private static int status(URI uri) throws Exception {
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        return connection.getResponseCode();
    }

    private static SSLContext trusting(LabAuthority authority) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setCertificateEntry("ca", CertificateFactory.getInstance("X.509").generateCertificate(
                new ByteArrayInputStream(authority.caPem().getBytes(StandardCharsets.US_ASCII))));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
