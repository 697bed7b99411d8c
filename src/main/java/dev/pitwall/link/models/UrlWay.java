package dev.pitwall.link.models;

import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.http.HttpClients;
import dev.pitwall.link.http.HttpReader;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Service;
import java.net.URI;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;

/** Straight to an address: a server on the network, or the near end of a port-forward. */
public final class UrlWay implements ServerWay {
    private final Place place;
    private final URI uri;
    private final NetworkTrouble troubles;
    private final OkHttpClient client = HttpClients.usual();

    public UrlWay(String name, URI uri, NetworkTrouble troubles) {
        this.place = Place.of(Service.MODELS, name, uri);
        this.uri = uri;
        this.troubles = troubles;
    }

    @Override
    public HttpReader reader(Limits limits) throws TroubleException {
        HttpUrl url = HttpUrl.parse(uri.toString());
        if (url == null || place.host().isEmpty()) {
            throw troubles.words().failure(Kind.PROTOCOL, place, "http.scheme", "url", uri.toString());
        }
        return new HttpReader(client, url, place, limits, troubles);
    }

    @Override
    public void close() {
        HttpClients.close(client);
    }
}
