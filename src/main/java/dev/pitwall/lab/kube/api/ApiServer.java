package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.admit.AdmissionRefusal;
import dev.pitwall.lab.kube.container.Backends;
import dev.pitwall.lab.kube.container.ContainerShell;
import dev.pitwall.lab.kube.container.LogSource;
import dev.pitwall.lab.kube.schema.Schema;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoreRefusal;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
    private static final Set<String> REVIEWS = Set.of("authorization.k8s.io", "authentication.k8s.io");

    private final ResourceCatalog catalog;
    private final Authenticator authenticator;
    private final Authorizer authorizer;
    private final Impersonation impersonation;
    private final AccessReviews reviews;
    private final Discovery discovery;
    private final Definitions definitions;
    private final Reads reads;
    private final Watches watches;
    private final Writes writes;
    private final Deletions deletions;
    private final Subresources subresources;
    private final Proxy proxy;

    /**
     * @param gate       what objects go through; the cluster's controllers use the same
     * @param gitVersion the cluster's version, for example {@code v1.33.5+rke2r1}
     */
    public ApiServer(ResourceCatalog catalog, ObjectStore store, Authenticator authenticator, Containers containers,
                     Gate gate, InstantSource clock, Supplier<String> gitVersion) {
        Renderer renderer = new Renderer(clock);
        Bodies bodies = gate.bodies();
        ServiceAccountTokens tokens = gate.tokens();
        this.catalog = catalog;
        this.authenticator = authenticator.withTokens(tokens::verify);
        this.authorizer = gate.authorizer();
        this.impersonation = new Impersonation(authorizer);
        this.reviews = new AccessReviews(authorizer, this.authenticator, bodies);
        this.discovery = new Discovery(catalog, gitVersion);
        this.definitions = new Definitions(store, catalog);
        this.reads = new Reads(store, renderer);
        this.watches = new Watches(store, renderer);
        this.writes = new Writes(store, renderer, bodies, gate, clock);
        this.deletions = new Deletions(store, renderer, bodies, gate);
        this.proxy = new Proxy(store, containers.backends());
        this.subresources = new Subresources(
                new PodLogs(store, containers.logs(), clock), proxy, new PortForwards(store, proxy),
                new Execs(store, containers.shell()),
                new Scales(store, bodies, writes, scaleType(catalog)),
                new PodSubresources(store, bodies, deletions, clock), tokens, reads, writes);
    }

    private static ResourceType scaleType(ResourceCatalog catalog) {
        Resource scales = new Resource("autoscaling", "scales");
        return new ResourceType(scales, scales, "v1", "Scale", "scale", true, false, List.of(), List.of(), List.of(),
                List.of(), List.of(), List.of(), false, Map.of(),
                catalog.apiTypes().schema("autoscaling", "v1", "Scale").orElse(Schema.ANY), MissingNode.getInstance(),
                Optional.empty());
    }

    /** What the server asks of running containers. */
    public record Containers(LogSource logs, ContainerShell shell, Backends backends) {
    }

    /** Watches that are open now. */
    public int openWatches() {
        return watches.open();
    }

    @Override
    public void close() {
        definitions.close();
        proxy.close();
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) throws IOException {
        try {
            route(new Call(exchange, impersonation.user(exchange, authenticator.authenticate(exchange))));
        } catch (ApiFailure e) {
            fail(exchange, e.code(), e.status());
        } catch (StoreRefusal e) {
            ApiFailure failure = ApiFailure.from(e, RequestPath.parse(exchange.getRequestPath())
                    .map(RequestPath::group).orElse(""));
            fail(exchange, failure.code(), failure.status());
        } catch (AdmissionRefusal e) {
            ApiFailure failure = RequestPath.parse(exchange.getRequestPath())
                    .map(path -> ApiFailure.from(e, path)).orElseThrow(() -> e);
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
        Optional<RequestPath> resource = RequestPath.parse(path);
        if (resource.isEmpty()) {
            authorizePath(call, trimmed);
            discovery.answer(call, trimmed);
            return;
        }
        RequestPath request = resource.get();
        ResourceType type = catalog.find(request.group(), request.version(), request.plural())
                .orElseThrow(ApiFailure::noSuchPath);
        String verb = verb(call, request);
        authorize(call.user(), verb, request);
        if (REVIEWS.contains(request.group()) && verb.equals("create")) {
            reviews.answer(call, type);
        } else if (request.subresource().isEmpty()) {
            whole(call, verb, type, request);
        } else {
            subresources.answer(call, verb, type, request);
        }
    }

    private void authorizePath(Call call, String path) {
        String verb = call.method().toLowerCase(Locale.ROOT);
        if (!authorizer.allowsPath(call.user(), verb, path)) {
            throw ApiFailure.of(403, "Forbidden", "forbidden: User \"" + call.user().name() + "\" cannot " + verb
                    + " path \"" + path + "\"");
        }
    }

    private static String verb(Call call, RequestPath request) {
        boolean collection = request.isCollection();
        if (Subresources.CONNECTING.contains(request.subresource())) {
            return call.method().equals("GET") ? "get" : "create";
        }
        boolean misplaced = switch (call.method()) {
            case "POST" -> !collection && request.subresource().isEmpty();
            case "PUT", "PATCH" -> collection;
            default -> false;
        };
        if (misplaced) {
            throw ApiFailure.notAllowed();
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
            case "delete" -> deletions.delete(call, type, path);
            case "deletecollection" -> deletions.deleteCollection(call, type, path);
            default -> throw ApiFailure.notAllowed();
        }
    }
}
