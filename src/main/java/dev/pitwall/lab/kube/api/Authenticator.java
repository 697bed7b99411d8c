package dev.pitwall.lab.kube.api;

import io.undertow.server.HttpServerExchange;
import io.undertow.server.RenegotiationRequiredException;
import io.undertow.server.SSLSessionInfo;
import io.undertow.util.Headers;

import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;

/** Finds out who asks: by bearer token, else by the client certificate that the TLS layer has verified. */
public final class Authenticator {
    private final Map<String, User> tokens;
    private final Function<String, Optional<User>> issued;

    /** @param tokens users by bearer token; empty if there are none */
    public Authenticator(Map<String, User> tokens) {
        this(tokens, token -> Optional.empty());
    }

    private Authenticator(Map<String, User> tokens, Function<String, Optional<User>> issued) {
        this.tokens = Map.copyOf(tokens);
        this.issued = issued;
    }

    /** @param verify who a token belongs to that is none of the known ones */
    Authenticator withTokens(Function<String, Optional<User>> verify) {
        return new Authenticator(tokens, verify);
    }

    /** Whose a bearer token is, with the groups that come with being known; empty if nobody's. */
    Optional<User> byToken(String token) {
        return Optional.ofNullable(tokens.get(token)).or(() -> issued.apply(token))
                .map(Authenticator::withAuthenticated);
    }

    /** @throws ApiFailure 401 if nobody is known by what was sent; there are no anonymous users here */
    User authenticate(HttpServerExchange exchange) {
        String header = exchange.getRequestHeaders().getFirst(Headers.AUTHORIZATION);
        if (header != null) {
            boolean bearer = header.regionMatches(true, 0, "Bearer ", 0, 7);
            return Optional.of(header).filter(text -> bearer).flatMap(text -> byToken(text.substring(7).strip()))
                    .orElseThrow(ApiFailure::unauthorized);
        }
        return certificate(exchange).map(Authenticator::user).map(Authenticator::withAuthenticated)
                .orElseThrow(ApiFailure::unauthorized);
    }

    private static User withAuthenticated(User user) {
        List<String> groups = new ArrayList<>(user.groups());
        groups.add("system:authenticated");
        return new User(user.name(), groups);
    }

    private static Optional<X509Certificate> certificate(HttpServerExchange exchange) {
        SSLSessionInfo session = exchange.getConnection().getSslSessionInfo();
        if (session == null) {
            return Optional.empty();
        }
        try {
            Certificate[] chain = session.getPeerCertificates();
            return chain.length > 0 && chain[0] instanceof X509Certificate leaf ? Optional.of(leaf) : Optional.empty();
        } catch (SSLPeerUnverifiedException | RenegotiationRequiredException e) {
            return Optional.empty();
        }
    }

    private static User user(X509Certificate certificate) {
        String name = "";
        List<String> groups = new ArrayList<>();
        try {
            for (Rdn rdn : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
                switch (rdn.getType()) {
                    case "CN" -> name = rdn.getValue().toString();
                    case "O" -> groups.add(rdn.getValue().toString());
                    default -> { }
                }
            }
        } catch (InvalidNameException e) {
            throw ApiFailure.unauthorized();
        }
        return new User(name, groups);
    }
}
