package dev.pitwall.link.ssh;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.HopRun.Found;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Words;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Reads the line with which an SSH server greets, and tells what greets instead. A server may send other lines before
 * {@code SSH-2.0-…} (RFC 4253, 4.2).
 */
final class Greeting {
    private static final int MAX_LINES = 20;
    private static final int MAX_LINE_BYTES = 255;
    private static final int SHOWN = 60;

    private final NetworkTrouble troubles;
    private final Duration limit;

    Greeting(NetworkTrouble troubles, Duration limit) {
        this.troubles = troubles;
        this.limit = limit;
    }

    /** @return the software, for example {@code OpenSSH_9.2p1 Debian-2+deb12u7} */
    Found<String> read(InetAddress address, Place place) throws TroubleException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, place.port()), (int) limit.toMillis());
            socket.setSoTimeout((int) limit.toMillis());
            return greeting(socket.getInputStream(), place);
        } catch (SocketTimeoutException e) {
            throw troubles.words().failure(Kind.PROTOCOL, place, "ssh.mute");
        } catch (IOException e) {
            throw troubles.failure(e, place, limit);
        }
    }

    private Found<String> greeting(InputStream in, Place place) throws IOException, TroubleException {
        String first = line(in);
        String line = first;
        for (int i = 0; i < MAX_LINES && !line.startsWith("SSH-"); i++) {
            line = next(in, first, place);
        }
        if (!line.startsWith("SSH-2.0-") && !line.startsWith("SSH-1.99-")) {
            throw foreign(first, place, troubles.words());
        }
        String software = line.substring(line.indexOf('-', 4) + 1);
        return new Found<>(software, software);
    }

    private String next(InputStream in, String first, Place place) throws IOException, TroubleException {
        try {
            return line(in);
        } catch (EOFException | SocketTimeoutException e) {
            throw foreign(first, place, troubles.words());
        }
    }

    /** The trouble of a server that greets with something else. */
    static TroubleException foreign(String said, Place place, Words words) {
        String visible = said.replaceAll("[^\\x20-\\x7e]", "").strip();
        String shown = visible.length() > SHOWN ? visible.substring(0, SHOWN) + "…" : visible;
        Trouble plain = words.trouble(Kind.PROTOCOL, place, "ssh.foreign");
        return new TroubleException(shown.isEmpty() ? plain : new Trouble(plain.kind(), plain.where(),
                words.text("ssh.foreign.said", "said", shown), plain.next()));
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int b;
        while ((b = in.read()) >= 0 && b != '\n' && line.size() < MAX_LINE_BYTES) {
            line.write(b);
        }
        if (b < 0 && line.size() == 0) {
            throw new EOFException("no greeting");
        }
        return line.toString(StandardCharsets.UTF_8).strip();
    }
}
