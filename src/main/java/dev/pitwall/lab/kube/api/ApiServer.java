package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.ProxyBackends;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.StoreRefusal;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A Kubernetes API server over an {@link ObjectStore}: who asks, may they, and which part of the server answers.
 * Expects to be called in blocking mode on a thread of its own, as watches stay.
 */
public final class ApiServer implements HttpHandler, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);
    private static final Set<String> HEALTH = Set.of("healthz", "livez", "readyz");
    private static final Set<String> SELF_REVIEWS = Set.of("authorization.k8s.io", "authentication.k8s.io");

    private final ResourceCatalog catalog;
    private final Authenticator authenticator;
    private final Authorizer authorizer;
    private final AccessReviews reviews;
    private final Discovery discovery;
    private final Reads reads;
    private final Watches watches;
    private final Writes writes;
    private final PodLogs logs;
    private final Proxy proxy;

    /** @param gitVersion the cluster's version, for example {@code v1.33.5+rke2r1} */
    public ApiServer(ResourceCatalog catalog, ObjectStore store, Authenticator authenticator, ProxyBackends backends,
                     LogSource logSource, InstantSource clock, Supplier<String> gitVersion) {
        Renderer renderer = new Renderer(clock);
        this.catalog = catalog;
        this.authenticator = authenticator;
        this.authorizer = new Authorizer(store);
        this.reviews = new AccessReviews(authorizer);
        this.discovery = new Discovery(catalog, gitVersion);
        this.reads = new Reads(store, renderer);
        this.watches = new Watches(store, renderer);
        this.writes = new Writes(store, renderer);
        this.logs = new PodLogs(store, logSource, clock);
        this.proxy = new Proxy(store, backends);
    }

    /** Watches that are open now. */
    public int openWatches() {
        return watches.open();
    }

    @Override
    public void close() {
        proxy.close();
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) throws IOException {
        try {
            route(new Call(exchange, authenticator.authenticate(exchange)));
        } catch (ApiFailure e) {
            fail(exchange, e.code(), e.status());
        } catch (StoreRefusal e) {
            ApiFailure failure = ApiFailure.from(e, RequestPath.parse(exchange.getRequestPath())
                    .map(RequestPath::group).orElse(""));
            fail(exchange, failure.code(), failure.status());
        } catch (IOException e) {
            // The client has gone; there is nobody to tell.
            LOG.debug("a client hung up during {}", exchange.getRequestPath());
        } catch (RuntimeException e) {
            LOG.error("the lab's API server failed on {} {}", exchange.getRequestMethod(), exchange.getRequestPath(),
                    e);
            fail(exchange, 500, ApiFailure.of(500, "InternalError", "Internal error occurred").status());
        }
    }

    private static void fail(HttpServerExchange exchange, int code, ObjectNode status) throws IOException {
        if (exchange.isResponseStarted()) {
            exchange.getConnection().close();
            return;
        }
        byte[] json = Json.bytes(status);
        exchange.setStatusCode(code);
        exchange.getResponseHeaders().remove(Headers.CONTENT_ENCODING);
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
        exchange.getOutputStream().write(json);
        exchange.getOutputStream().close();
    }

    private void route(Call call) throws IOException {
        String path = call.exchange().getRequestPath();
        String trimmed = path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        if (HEALTH.contains(trimmed.substring(1).split("/")[0])) {
            call.plain("ok");
            return;
        }
        Optional<ObjectNode> document = discovery.answer(call, trimmed);
        if (document.isPresent()) {
            call.answer(document.get());
            return;
        }
        RequestPath request = RequestPath.parse(path).orElseThrow(ApiFailure::noSuchPath);
        ResourceType type = catalog.find(request.group(), request.version(), request.plural())
                .orElseThrow(ApiFailure::noSuchPath);
        if (SELF_REVIEWS.contains(request.group()) && call.method().equals("POST")) {
            reviews.answer(call, type);
            return;
        }
        String verb = verb(call, request);
        authorize(call.user(), verb, request);
        dispatch(call, verb, type, request);
    }

    private static String verb(Call call, RequestPath request) {
        boolean collection = request.isCollection();
        if (request.subresource().equals("proxy")) {
            return call.method().equals("GET") ? "get" : "create";
        }
        return switch (call.method()) {
            case "GET", "HEAD" -> call.flag("watch") ? "watch" : collection ? "list" : "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> collection ? "deletecollection" : "delete";
            default -> throw ApiFailure.notAllowed();
        };
    }

    private void authorize(User user, String verb, RequestPath path) {
        String resource = path.subresource().isEmpty() ? path.plural() : path.plural() + "/" + path.subresource();
        String namespace = path.plural().equals("namespaces") ? path.name() : path.namespace();
        if (authorizer.allows(user, new Authorizer.Wish(verb, path.group(), resource, namespace, path.name()))) {
            return;
        }
        String what = path.group().isEmpty() ? path.plural() : path.plural() + "." + path.group();
        String named = path.name().isEmpty() ? what : what + " \"" + path.name() + "\"";
        String where = namespace.isEmpty() ? " at the cluster scope" : " in the namespace \"" + namespace + "\"";
        throw ApiFailure.forbidden(path, named + " is forbidden: User \"" + user.name() + "\" cannot " + verb
                + " resource \"" + resource + "\" in API group \"" + path.group() + "\"" + where);
    }

    private void dispatch(Call call, String verb, ResourceType type, RequestPath path) throws IOException {
        switch (path.subresource()) {
            case "" -> whole(call, verb, type, path);
            case "status" -> status(call, verb, type, path);
            case "log" -> logs.answer(call, type, path);
            case "proxy" -> proxy.answer(call, path);
            // exec, attach, port-forward, scale, eviction and the like: not served by this lab yet.
            default -> throw type.subresources().contains(path.subresource())
                    ? ApiFailure.notAllowed() : ApiFailure.noSuchPath();
        }
    }

    private void whole(Call call, String verb, ResourceType type, RequestPath path) throws IOException {
        if (!type.allows(verb)) {
            throw ApiFailure.notAllowed();
        }
        switch (verb) {
            case "get" -> reads.get(call, type, path);
            case "list" -> reads.list(call, type, path);
            case "watch" -> watches.watch(call, type, path);
            case "create" -> writes.create(call, type, path);
            case "update" -> writes.update(call, type, path);
            case "patch" -> writes.patch(call, type, path);
            case "delete" -> writes.delete(call, type, path);
            default -> throw ApiFailure.notAllowed();
        }
    }

    private void status(Call call, String verb, ResourceType type, RequestPath path) throws IOException {
        switch (verb) {
            case "get" -> reads.get(call, type, path);
            case "update" -> writes.update(call, type, path);
            case "patch" -> writes.patch(call, type, path);
            default -> throw ApiFailure.notAllowed();
        }
    }
}
