package dev.pitwall.link.http;

import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Service;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;

import java.net.URI;

/** The address of an HTTP service as the person wrote it; plain HTTP, or TLS with the authorities the JDK knows. */
public record HttpAddress(Service service, String name, URI uri, Limits limits, NetworkTrouble troubles) {

    public Place place() {
        return Place.of(service, name, uri);
    }

    public boolean tls() {
        return "https".equalsIgnoreCase(uri.getScheme());
    }

    /**
     * Makes a client; nothing is contacted.
     *
     * @throws TroubleException if the address is not one of an HTTP service
     */
    public Connection connect() throws TroubleException {
        HttpUrl url = HttpUrl.parse(uri.toString());
        if (url == null || place().host().isEmpty()) {
            throw troubles.words().failure(Kind.PROTOCOL, place(), "http.scheme", "url", uri.toString());
        }
        OkHttpClient client = HttpClients.usual();
        return new Connection(client, new HttpReader(client, url, place(), limits, troubles));
    }

    /** A client and its reader, which close together. */
    public record Connection(OkHttpClient client, HttpReader http) implements AutoCloseable {
        @Override
        public void close() {
            http.close();
            HttpClients.close(client);
        }
    }
}
