package dev.pitwall.link.http;

import dev.pitwall.card.Trouble;
import dev.pitwall.link.Troubles;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.PinnedTrust;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Service;
import dev.pitwall.link.trust.TlsLook;
import dev.pitwall.link.trust.Words;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import static org.assertj.core.api.Assertions.assertThat;

/** A handshake that ends early says what ended it: a cut, time, or a port without TLS. */
class BrokenHandshakeTest {
    private static final Limits LIMITS = new Limits(Duration.ofMillis(200), Duration.ofMillis(600));

    private final ServerSocket server = listening();
    private final List<Socket> accepted = new CopyOnWriteArrayList<>();
    private final Place place = new Place(Service.PROXMOX, "pve1", "127.0.0.1", server.getLocalPort());
    private final NetworkTrouble troubles = new NetworkTrouble(new Words());

    private enum Manner { HANGS_UP, RESETS, STAYS_MUTE, SPEAKS_PLAIN_TEXT }

    private static ServerSocket listening() {
        try {
            return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void serve(Manner manner) {
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                try {
                    Socket socket = server.accept();
                    accepted.add(socket);
                    assertThat(socket.getInputStream().read(new byte[4096])).isPositive();
                    switch (manner) {
                        case HANGS_UP -> socket.close();
                        case RESETS -> {
                            socket.setSoLinger(true, 0);
                            socket.close();
                        }
                        case STAYS_MUTE -> { }
                        case SPEAKS_PLAIN_TEXT -> socket.getOutputStream()
                                .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    }
                } catch (IOException e) {
                    // The test ended, or the client hung up first.
                }
            }
        });
    }

    private Trouble asked() {
        OkHttpClient client = HttpClients.pinned(new PinnedTrust(Optional.empty(), InstantSource.system()));
        try (HttpReader reader = new HttpReader(client, HttpUrl.get("https://127.0.0.1:" + server.getLocalPort() + "/"),
                place, LIMITS, troubles)) {
            return Troubles.of(() -> reader.get("x"));
        } finally {
            HttpClients.close(client);
        }
    }

    private Trouble looked() {
        return Troubles.of(() -> new TlsLook(troubles, LIMITS).look(InetAddress.getLoopbackAddress(), place,
                new PinnedTrust(Optional.empty(), InstantSource.system())));
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        for (Socket socket : accepted) {
            socket.close();
        }
    }

    @Test
    void aServerThatHangsUpHasCutTheConnectionAndIsAskedOnceMore() {
        serve(Manner.HANGS_UP);

        Trouble trouble = asked();

        assertThat(trouble.kind()).isEqualTo(Trouble.Kind.CONNECT);
        assertThat(trouble.what()).isEqualTo("the connection was cut during the TLS handshake");
        assertThat(accepted).hasSizeGreaterThanOrEqualTo(2);
        assertThat(looked()).isEqualTo(trouble);
    }

    @Test
    void aResetIsACutToo() {
        serve(Manner.RESETS);

        assertThat(asked().kind()).isEqualTo(Trouble.Kind.CONNECT);
        assertThat(looked().kind()).isEqualTo(Trouble.Kind.CONNECT);
    }

    @Test
    void aHandshakeHasTheTimeOfAnAnswerAndIsSlowAfterThat() {
        serve(Manner.STAYS_MUTE);

        assertThat(asked().kind()).isEqualTo(Trouble.Kind.TIMEOUT);
        Trouble looked = looked();
        assertThat(looked.kind()).isEqualTo(Trouble.Kind.TIMEOUT);
        assertThat(looked.what()).isEqualTo("connected, but no TLS handshake within 0.6 s");
    }

    @Test
    void plainTextIsNoTls() {
        serve(Manner.SPEAKS_PLAIN_TEXT);

        Trouble trouble = asked();

        assertThat(trouble.kind()).isEqualTo(Trouble.Kind.TLS);
        assertThat(trouble.what()).isEqualTo("answers, but not with TLS");
        assertThat(looked()).isEqualTo(trouble);
    }
}
