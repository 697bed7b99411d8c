package dev.pitwall.link.proxmox;

import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.http.HttpClients;
import dev.pitwall.link.http.HttpReader;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.PinnedTrust;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Service;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.SecondFactor;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;

import java.time.InstantSource;

/** The client, the trust and the sign-in of one Proxmox API. Nothing is contacted before the first question. */
final class ProxmoxConnection implements AutoCloseable {
    private final OkHttpClient client;
    private final HttpReader http;
    private final Words words;
    private final ProxmoxApi api;
    private final ProxmoxTasks tasks;

    /** @throws TroubleException if the address cannot be one of a Proxmox API */
    ProxmoxConnection(ProxmoxAccess access, Typed typed, SecondFactor secondFactor, InstantSource clock, Limits limits,
                      NetworkTrouble troubles) throws TroubleException {
        words = troubles.words();
        Place place = Place.of(Service.PROXMOX, access.name(), access.url());
        HttpUrl base = HttpUrl.get(https(access, place));
        PinnedTrust trust = new PinnedTrust(access.fingerprint(), clock);
        client = HttpClients.pinned(trust);
        http = new HttpReader(client, base, place, limits, troubles);
        ProxmoxErrors errors = new ProxmoxErrors(words, place);
        SignIn signIn = switch (access.login()) {
            case ProxmoxAccess.Token token -> new TokenSignIn(token.id(), typed, place, words);
            case ProxmoxAccess.Password login ->
                    new TicketSignIn(login.user(), typed, secondFactor, http, errors, clock);
        };
        api = new ProxmoxApi(http, signIn, errors);
        tasks = new ProxmoxTasks(api, errors, words);
    }

    ProxmoxApi api() {
        return api;
    }

    ProxmoxTasks tasks() {
        return tasks;
    }

    Words words() {
        return words;
    }

    /** A secret is never sent in plain text, so the scheme must be https. */
    private String https(ProxmoxAccess access, Place place) throws TroubleException {
        if (!"https".equalsIgnoreCase(access.url().getScheme()) || place.host().isEmpty()) {
            throw words.failure(Kind.PROTOCOL, place, "proxmox.scheme", "url", access.url().toString());
        }
        return "https://" + place.where() + "/";
    }

    @Override
    public void close() {
        http.close();
        HttpClients.close(client);
    }
}
