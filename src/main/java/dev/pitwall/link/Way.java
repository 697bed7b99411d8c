package dev.pitwall.link;

import dev.pitwall.card.TroubleException;
import dev.pitwall.link.HopRun.Found;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.TlsLook;
import dev.pitwall.link.trust.Words;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** The first hops to any system: its name, its port and, where the JDK checks the certificate, TLS. */
public final class Way {
    private final NetworkTrouble troubles;
    private final Words words;
    private final Limits limits;

    public Way(NetworkTrouble troubles, Limits limits) {
        this.troubles = troubles;
        this.words = troubles.words();
        this.limits = limits;
    }

    /** Announces both hops. */
    public void plan(HopRun run, Place place) {
        run.plan(name(), words.text("hop.name.then")).plan(port(place), words.text("hop.port.then"));
    }

    /** Goes both hops. */
    public InetAddress go(HopRun run, Place place) throws TroubleException, InterruptedException {
        InetAddress address = run.step(name(), words.text("hop.name.now", "host", place.host()),
                () -> resolve(place));
        run.step(port(place), words.text("hop.port.now"), () -> connect(address, place));
        return address;
    }

    /** Looks the name up. */
    public Found<InetAddress> resolve(Place place) throws TroubleException {
        try {
            InetAddress address = InetAddress.getByName(place.socketHost());
            String key = address.getHostAddress().equals(place.socketHost()) ? "hop.name.address" : "hop.name.ok";
            return new Found<>(address, words.text(key, "host", place.host(), "address", address.getHostAddress()));
        } catch (IOException e) {
            throw troubles.failure(e, place, limits.connect());
        }
    }

    /** Connects and hangs up. */
    public Found<InetAddress> connect(InetAddress address, Place place) throws TroubleException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, place.port()), (int) limits.connect().toMillis());
            return new Found<>(address, words.text("hop.port.ok"));
        } catch (IOException e) {
            throw troubles.failure(e, place, limits.connect());
        }
    }

    /** Announces the TLS hop of a service whose certificate is checked by the authorities the JDK knows. */
    public void planTls(HopRun run) {
        run.plan(words.text("hop.tls"), words.text("hop.tls.then"));
    }

    /** Makes a TLS connection and hangs up. */
    public void tls(HopRun run, InetAddress address, Place place) throws TroubleException, InterruptedException {
        run.step(words.text("hop.tls"), words.text("hop.tls.now"), () -> {
            String version = new TlsLook(troubles, limits).trusted(address, place);
            return new Found<>(version, words.text("hop.tls.trusted", "version", version));
        });
    }

    private String name() {
        return words.text("hop.name");
    }

    private String port(Place place) {
        return words.text("hop.port", "port", Integer.toString(place.port()));
    }
}
