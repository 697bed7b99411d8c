package dev.pitwall.link.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.engine.charge.Lease;
import dev.pitwall.engine.charge.Leases;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * The engines' Lease of one cluster. It has one name, and is looked for in every namespace, so that engines that were told of
 * different ones still find each other.
 */
final class KubeLeases implements Leases {
    static final String NAME = "pitwall-engine";
    private static final String GROUP = "/apis/coordination.k8s.io/v1";
    private static final int CONFLICT = 409;
    /** MicroTime has exactly six digits. */
    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'")
            .withZone(ZoneOffset.UTC);

    private final OpenServer open;
    private final Optional<String> wanted;
    private Optional<String> namespace = Optional.empty();

    /** @param wanted namespace; empty takes that of a Lease that is there, else {@code default} */
    KubeLeases(OpenServer open, Optional<String> wanted) {
        this.open = open;
        this.wanted = wanted;
    }

    @Override
    public synchronized Optional<Lease> read() throws TroubleException {
        try {
            return lease(open.server().get(path() + "/" + NAME, "get lease " + NAME + " in " + namespace()));
        } catch (ApiRefusal refusal) {
            if (refusal.absent()) {
                // It may have been deleted and made elsewhere.
                namespace = Optional.empty();
                return Optional.empty();
            }
            throw new TroubleException(refusal.trouble(), refusal);
        }
    }

    @Override
    public synchronized Optional<Lease> write(Lease lease) throws TroubleException {
        boolean fresh = lease.version().isEmpty();
        String asked = (fresh ? "create" : "update") + " lease " + NAME + " in " + namespace();
        try {
            return lease(fresh ? open.server().post(path(), json(lease), asked)
                    : open.server().put(path() + "/" + NAME, json(lease), asked));
        } catch (ApiRefusal refusal) {
            if (refusal.code() == CONFLICT || !fresh && refusal.absent()) {
                return Optional.empty();
            }
            throw new TroubleException(refusal.absent() ? noNamespace() : refusal.trouble(), refusal);
        }
    }

    private Trouble noNamespace() throws TroubleException {
        return new Trouble(Trouble.Kind.MISSING, open.server().where(), "there is no namespace " + namespace()
                + " for the lease of the engine", "Make it, or name another with --namespace.");
    }

    private String path() throws TroubleException {
        return GROUP + "/namespaces/" + namespace() + "/leases";
    }

    private String namespace() throws TroubleException {
        if (namespace.isEmpty()) {
            namespace = Optional.of(found(open.server()).or(() -> wanted).orElse("default"));
        }
        return namespace.get();
    }

    /** The namespace of the Lease that is there. Who may not look everywhere goes by what was wanted. */
    static Optional<String> found(ApiServer server) throws TroubleException {
        try {
            JsonNode items = server.read(server.url(GROUP + "/leases")
                    .addQueryParameter("fieldSelector", "metadata.name=" + NAME).build(), "list leases").path("items");
            return items.valueStream().map(i -> i.path("metadata").path("namespace").asText()).filter(n -> !n.isEmpty())
                    .sorted().findFirst();
        } catch (ApiRefusal refusal) {
            if (refusal.forbidden() || refusal.absent()) {
                return Optional.empty();
            }
            throw new TroubleException(refusal.trouble(), refusal);
        }
    }

    private ObjectNode json(Lease lease) throws TroubleException {
        ObjectNode object = JsonNodeFactory.instance.objectNode().put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
        ObjectNode metadata = object.putObject("metadata").put("name", NAME).put("namespace", namespace());
        if (!lease.version().isEmpty()) {
            metadata.put("resourceVersion", lease.version());
        }
        object.putObject("spec").put("holderIdentity", lease.holder())
                .put("leaseDurationSeconds", (int) Math.max(1, lease.duration().toSeconds()))
                .put("acquireTime", MICROS.format(lease.acquired())).put("renewTime", MICROS.format(lease.renewed()))
                .put("leaseTransitions", lease.transitions());
        return object;
    }

    private static Optional<Lease> lease(JsonNode object) {
        JsonNode spec = object.path("spec");
        return Optional.of(new Lease(spec.path("holderIdentity").asText(""), time(spec.path("acquireTime")),
                time(spec.path("renewTime")), Duration.ofSeconds(Math.max(1, spec.path("leaseDurationSeconds").asInt(1))),
                spec.path("leaseTransitions").asInt(), object.path("metadata").path("resourceVersion").asText()));
    }

    private static Instant time(JsonNode text) {
        try {
            return Instant.parse(text.asText(""));
        } catch (DateTimeParseException absent) {
            return Instant.EPOCH;
        }
    }
}
