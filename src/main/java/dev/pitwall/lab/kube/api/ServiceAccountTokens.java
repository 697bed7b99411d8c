package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.container.TokenSource;
import dev.pitwall.lab.kube.object.Texts;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;

import dev.pitwall.lab.kube.store.Timestamp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Issues and verifies the tokens of service accounts: JSON Web Tokens, signed with a key of this server's own. */
final class ServiceAccountTokens implements TokenSource {
    private static final String ISSUER = "https://kubernetes.default.svc.cluster.local";
    private static final Duration USUAL = Duration.ofHours(1);
    private static final Duration SHORTEST = Duration.ofMinutes(10);
    private static final String ALGORITHM = "SHA256withECDSAinP1363Format";
    private static final String HEADER = "{\"alg\":\"ES256\",\"kid\":\"lab\"}";

    private final ObjectStore store;
    private final InstantSource clock;
    private final Bodies bodies;
    private final KeyPair key;

    ServiceAccountTokens(ObjectStore store, Bodies bodies, InstantSource clock) {
        this.store = store;
        this.bodies = bodies;
        this.clock = clock;
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            this.key = generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("no key for service account tokens can be made", e);
        }
    }

    /** Answers a {@code TokenRequest}. */
    void answer(Call call, ResourceType type, RequestPath path) throws IOException {
        ObjectNode request = bodies.plainObject(call);
        StoredObject account = store.get(Target.of(type, path).key());
        long seconds = request.at("/spec/expirationSeconds").asLong(USUAL.toSeconds());
        if (seconds < SHORTEST.toSeconds()) {
            throw ApiFailure.of(422, "Invalid", "TokenRequest.authentication.k8s.io \"\" is invalid:"
                    + " spec.expirationSeconds: Invalid value: " + seconds + ": may not specify a duration less than 10 minutes");
        }
        Instant end = clock.instant().plusSeconds(seconds);
        List<String> audiences = new ArrayList<>(Texts.list(request.at("/spec/audiences")));
        if (audiences.isEmpty()) {
            audiences.add(ISSUER);
        }
        request.put("kind", "TokenRequest").put("apiVersion", "authentication.k8s.io/v1");
        ObjectNode spec = request.withObjectProperty("spec");
        audiences.forEach(spec.putArray("audiences")::add);
        spec.put("expirationSeconds", seconds);
        ObjectNode metadata = request.withObjectProperty("metadata");
        metadata.put("name", path.name()).put("namespace", path.namespace())
                .put("creationTimestamp", Timestamp.of(clock.instant()));
        request.putObject("status").put("token", token(account, audiences, Optional.of(end)))
                .put("expirationTimestamp", Timestamp.of(end));
        call.answer(201, request);
    }

    @Override
    public Optional<String> token(String namespace, String account, List<String> audiences, long seconds) {
        return store.find(new ObjectKey(Resource.SERVICE_ACCOUNTS, namespace, account)).map(found ->
                token(found, audiences.isEmpty() ? List.of(ISSUER) : audiences,
                        Optional.of(clock.instant().plusSeconds(seconds))));
    }

    /** @param end empty for a token that lasts as long as its secret */
    String token(StoredObject account, List<String> audiences, Optional<Instant> end) {
        ObjectNode claims = Json.object();
        audiences.forEach(claims.putArray("aud")::add);
        end.ifPresent(time -> claims.put("exp", time.getEpochSecond()));
        claims.put("iat", clock.instant().getEpochSecond()).put("iss", ISSUER);
        ObjectNode bound = claims.putObject("kubernetes.io").put("namespace", account.key().namespace());
        bound.putObject("serviceaccount").put("name", account.key().name()).put("uid", account.uid());
        claims.put("nbf", clock.instant().getEpochSecond())
                .put("sub", "system:serviceaccount:" + account.key().namespace() + ":" + account.key().name());
        String text = base64(HEADER.getBytes(StandardCharsets.UTF_8)) + "." + base64(Json.bytes(claims));
        return text + "." + base64(sign(text));
    }

    /** @return empty if this server did not issue it, it has ended, or its account has gone */
    Optional<User> verify(String token) {
        int last = token.lastIndexOf('.');
        String[] parts = token.split("\\.");
        if (parts.length != 3) {
            return Optional.empty();
        }
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initVerify(key.getPublic());
            signature.update(token.substring(0, last).getBytes(StandardCharsets.UTF_8));
            if (!signature.verify(Base64.getUrlDecoder().decode(parts[2]))) {
                return Optional.empty();
            }
            return user(Json.parse(Base64.getUrlDecoder().decode(parts[1])));
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private Optional<User> user(JsonNode claims) {
        boolean over = claims.has("exp") && claims.path("exp").asLong() < clock.instant().getEpochSecond();
        String namespace = claims.path("kubernetes.io").path("namespace").asText();
        JsonNode account = claims.path("kubernetes.io").path("serviceaccount");
        boolean there = store.find(new ObjectKey(Resource.SERVICE_ACCOUNTS, namespace,
                account.path("name").asText())).filter(found -> found.uid().equals(account.path("uid").asText()))
                .isPresent();
        return over || !there ? Optional.empty() : Optional.of(new User(claims.path("sub").asText(),
                List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace)));
    }

    private byte[] sign(String text) {
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(key.getPrivate());
            signature.update(text.getBytes(StandardCharsets.UTF_8));
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a service account token cannot be signed", e);
        }
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
