package dev.pitwall.lab.kube.api;

import java.io.IOException;
import java.util.Set;

/** Leads a request for a part of an object to what answers it. */
final class Subresources {
    /** Those that open a connection to what runs; whatever the method, they need {@code get} or {@code create}. */
    static final Set<String> CONNECTING = Set.of("proxy", "portforward", "exec", "attach");

    private final PodLogs logs;
    private final Proxy proxy;
    private final PortForwards forwards;
    private final Execs execs;
    private final Scales scales;
    private final PodSubresources pods;
    private final ServiceAccountTokens tokens;
    private final Reads reads;
    private final Writes writes;

    Subresources(PodLogs logs, Proxy proxy, PortForwards forwards, Execs execs, Scales scales, PodSubresources pods, ServiceAccountTokens tokens,
                 Reads reads, Writes writes) {
        this.logs = logs;
        this.proxy = proxy;
        this.forwards = forwards;
        this.execs = execs;
        this.scales = scales;
        this.pods = pods;
        this.tokens = tokens;
        this.reads = reads;
        this.writes = writes;
    }

    /** @throws ApiFailure 404 if the resource has no such part, 501 if the lab does not have it */
    void answer(Call call, String verb, ResourceType type, RequestPath path) throws IOException {
        if (!type.subresources().contains(path.subresource())) {
            throw ApiFailure.noSuchPath();
        }
        switch (path.subresource()) {
            case "status", "finalize" -> part(call, verb, type, path);
            case "scale" -> scales.answer(call, verb, type, path);
            case "log" -> logs.answer(call, type, path);
            case "proxy" -> proxy.answer(call, path);
            case "portforward" -> forwards.answer(call, type, path);
            case "exec" -> execs.answer(call, type, path);
            case "attach" -> execs.attach(call, type, path);
            case "binding" -> {
                requireCreate(verb);
                pods.bind(call, type, path);
            }
            case "eviction" -> {
                requireCreate(verb);
                pods.evict(call, type, path);
            }
            case "token" -> {
                requireCreate(verb);
                tokens.answer(call, type, path);
            }
            default -> throw ApiFailure.notImplemented(path.plural() + "/" + path.subresource());
        }
    }

    private void part(Call call, String verb, ResourceType type, RequestPath path) throws IOException {
        switch (verb) {
            case "get" -> reads.get(call, type, path);
            case "update" -> writes.update(call, type, path);
            case "patch" -> writes.patch(call, type, path);
            default -> throw ApiFailure.notAllowed();
        }
    }

    private static void requireCreate(String verb) {
        if (!verb.equals("create")) {
            throw ApiFailure.notAllowed();
        }
    }
}
