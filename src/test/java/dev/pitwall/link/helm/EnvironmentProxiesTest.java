package dev.pitwall.link.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.pitwall.card.Trouble;
import dev.pitwall.link.Troubles;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Charts come through the proxy that the environment names. */
class EnvironmentProxiesTest {
    private static final String INDEX = "entries: {gpu-operator: [{version: v26.3.3, urls: [a.tgz]}]}";

    private static Charts charts(Map<String, String> environment) {
        return new Charts(new NetworkTrouble(new Words()), InstantSource.system(), environment);
    }

    private static Proxy chosen(String address, String... environment) {
        return new EnvironmentProxies(Map.of(environment[0], environment[1], environment[2], environment[3]))
                .select(URI.create(address)).getFirst();
    }

    @Test
    void theSchemeDecidesAndWhatIsExceptedGoesDirectly() {
        assertThat(chosen("https://helm.ngc.nvidia.com/x", "HTTPS_PROXY", "http://proxy.lan:3128", "NO_PROXY", "lan"))
                .hasToString("HTTP @ proxy.lan/<unresolved>:3128");
        assertThat(chosen("https://a.lan/x", "HTTPS_PROXY", "http://proxy:3128", "NO_PROXY", "x, .lan")).isEqualTo(Proxy.NO_PROXY);
        assertThat(chosen("https://lan/x", "HTTPS_PROXY", "http://proxy:3128", "no_proxy", "lan")).isEqualTo(Proxy.NO_PROXY);
        assertThat(chosen("https://wlan/x", "https_proxy", "proxy", "no_proxy", "lan")).hasToString("HTTP @ proxy/<unresolved>:80");
        assertThat(chosen("http://a/x", "HTTPS_PROXY", "http://proxy:3128", "X", "")).isEqualTo(Proxy.NO_PROXY);
        assertThat(chosen("http://127.0.0.1:1/x", "HTTP_PROXY", "http://proxy:3128", "X", "")).isEqualTo(Proxy.NO_PROXY);
        assertThat(chosen("http://a/x", "HTTP_PROXY", "socks5://proxy", "X", "").type()).isEqualTo(Proxy.Type.SOCKS);
    }

    @Test
    void anIndexIsReadThroughTheProxyThatWantsASignIn() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        HttpServer proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        proxy.createContext("/", exchange -> {
            String signIn = exchange.getRequestHeaders().getFirst("Proxy-Authorization");
            asked.add(exchange.getRequestURI() + " " + signIn);
            byte[] answer = INDEX.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(signIn == null ? 407 : 200, signIn == null ? -1 : answer.length);
            if (signIn != null) {
                exchange.getResponseBody().write(answer);
            }
            exchange.close();
        });
        proxy.start();
        try (Charts charts = charts(Map.of("http_proxy", "http://me:pass@127.0.0.1:" + proxy.getAddress().getPort()))) {
            assertThat(charts.versions("http://charts.example/stable", "gpu-operator")).containsExactly("v26.3.3");
        } finally {
            proxy.stop(0);
        }
        assertThat(asked).containsExactly("http://charts.example/stable/index.yaml null",
                "http://charts.example/stable/index.yaml Basic bWU6cGFzcw==");
    }

    @Test
    void aProxyThatIsNotThereAndOneThatIsNoneAreOneClearSentence() throws Exception {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        try (Charts charts = charts(Map.of("HTTPS_PROXY", "http://me:secret@127.0.0.1:" + free))) {
            Trouble trouble = Troubles.of(() -> charts.versions("https://charts.example", "gpu-operator"));
            assertThat(trouble.sentence()).contains("charts.example").contains("is not reached through the proxy 127.0.0.1:"
                    + free + ": connection refused").doesNotContain("secret");
            assertThat(trouble.next()).contains("HTTPS_PROXY", "NO_PROXY");
        }
        try (Charts charts = charts(Map.of("HTTPS_PROXY", "ftp://me:secret@x"))) {
            Trouble trouble = Troubles.of(() -> charts.versions("https://charts.example", "gpu-operator"));
            assertThat(trouble.what()).isEqualTo("HTTPS_PROXY of the environment is not the address of a proxy");
        }
    }

    @Test
    void aRegistryIsToldFromARepository() {
        try (Charts charts = charts(Map.of())) {
            Trouble trouble = Troubles.of(() -> charts.versions("oci://nvcr.io/nvidia", "gpu-operator"));
            assertThat(trouble.what()).isEqualTo("oci://nvcr.io/nvidia is a registry of images, and Pitwall reads charts from"
                    + " repositories only");
            assertThat(trouble.next()).contains("index.yaml");
        }
    }
}
