package dev.pitwall.lab.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
class LabHttpThreadsTest {

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
}
