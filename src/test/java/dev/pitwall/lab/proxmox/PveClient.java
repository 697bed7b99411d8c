package dev.pitwall.lab.proxmox;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.lab.Lab;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** A client of the lab's Proxmox API that sees reason phrases, signed in as one caller. */
record PveClient(URI base, Consumer<HttpsURLConnection> identity) {
    /** What came back. */
    record Answer(int status, String reason, JsonNode body) {
        JsonNode data() {
            return body.path("data");
        }

        String upid() {
            return data().asText();
        }
    }

    static URI uri(Lab lab, String host) {
        return lab.endpoints().stream().filter(e -> e.system().equals("proxmox") && e.name().equals(host)).findFirst()
                .orElseThrow().uri();
    }

    /** Asks a host with a token of the scene. */
    static PveClient withToken(Lab lab, String host, String id) {
        return new PveClient(uri(lab, host), token(id + "=" + lab.world().<String>read(w -> w.tokens.get(id).secret())));
    }

    /** The token the scene gives a desk: it may do much, and is not root. */
    static PveClient desk(Lab lab, String host) {
        return withToken(lab, host, "pitwall@pve!desk");
    }

    /** Asks a host as root@pam, with a ticket. */
    static PveClient root(Lab lab, String host) throws IOException {
        URI base = uri(lab, host);
        JsonNode login = call(base, "POST", "/api2/json/access/ticket", "username=root%40pam&password="
                + encoded(lab.world().<String>read(w -> w.users.get("root@pam").password())), c -> { }).data();
        return new PveClient(base, cookie(login.path("ticket").asText()).andThen(c -> c.setRequestProperty(
                "CSRFPreventionToken", login.path("CSRFPreventionToken").asText())));
    }

    Answer get(String path) throws IOException {
        return call(base, "GET", "/api2/json" + path, "", identity);
    }

    Answer delete(String path) throws IOException {
        return call(base, "DELETE", "/api2/json" + path, "", identity);
    }

    /** @param pairs names and values in turn */
    Answer post(String path, String... pairs) throws IOException {
        return call(base, "POST", "/api2/json" + path, form(pairs), identity);
    }

    Answer put(String path, String... pairs) throws IOException {
        return call(base, "PUT", "/api2/json" + path, form(pairs), identity);
    }

    /** Waits for a task and says how it ended. */
    String outcome(Answer started) {
        String upid = started.upid();
        String path = "/nodes/" + upid.split(":")[1] + "/tasks/" + encoded(upid);
        await().pollInterval(Duration.ofMillis(20)).until(() ->
                get(path + "/status").data().path("status").asText().equals("stopped"));
        try {
            return get(path + "/status").data().path("exitstatus").asText();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    List<String> log(Answer started) throws IOException {
        String upid = started.upid();
        return get("/nodes/" + upid.split(":")[1] + "/tasks/" + encoded(upid) + "/log?limit=0").data()
                .findValuesAsText("t");
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    static Consumer<HttpsURLConnection> token(String token) {
        return connection -> connection.setRequestProperty("Authorization", "PVEAPIToken=" + token);
    }

    static Consumer<HttpsURLConnection> cookie(String ticket) {
        return connection -> connection.setRequestProperty("Cookie", "PVEAuthCookie=" + encoded(ticket));
    }

    static Answer call(URI base, String method, String path, String form, Consumer<HttpsURLConnection> identity)
            throws IOException {
        HttpsURLConnection connection = (HttpsURLConnection) URI.create(base + path).toURL().openConnection();
        connection.setSSLSocketFactory(trustingAll().getSocketFactory());
        connection.setHostnameVerifier((host, session) -> true);
        connection.setRequestMethod(method);
        identity.accept(connection);
        if (!form.isEmpty()) {
            connection.setDoOutput(true);
            connection.getOutputStream().write(form.getBytes(StandardCharsets.UTF_8));
        }
        int status = connection.getResponseCode();
        try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            return new Answer(status, connection.getResponseMessage(), new ObjectMapper().readTree(in));
        }
    }

    private static String form(String... pairs) {
        return IntStream.range(0, pairs.length / 2)
                .mapToObj(i -> encoded(pairs[2 * i]) + "=" + encoded(pairs[2 * i + 1])).collect(Collectors.joining("&"));
    }

    private static SSLContext trustingAll() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new X509TrustManager() {
                @Override
                public void checkClientTrusted(X509Certificate[] chain, String type) {
                }

                @Override
                public void checkServerTrusted(X509Certificate[] chain, String type) {
                }

                @Override
                public X509Certificate[] getAcceptedIssuers() {
                    return new X509Certificate[0];
                }
            }}, new SecureRandom());
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
