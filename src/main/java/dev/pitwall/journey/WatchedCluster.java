package dev.pitwall.journey;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import java.util.List;
import java.util.Optional;

/** A cluster whose calls are told to a watcher; of a write only its object. */
final class WatchedCluster implements Cluster {
    private final Cluster cluster;
    private final Watching watching;
    private final String system;

    WatchedCluster(Cluster cluster, Watching watching) {
        this.cluster = cluster;
        this.watching = watching;
        this.system = cluster.name() + " api";
    }

    @Override
    public String name() {
        return cluster.name();
    }

    @Override
    public String identity() throws TroubleException, InterruptedException {
        return cluster.identity();
    }

    @Override
    public String version() throws TroubleException, InterruptedException {
        return watching.call(system, "GET version", cluster::version, version -> version);
    }

    @Override
    public Optional<JsonNode> get(ObjectRef object) throws TroubleException, InterruptedException {
        return watching.call(system, "GET " + object, () -> cluster.get(object),
                found -> found.isPresent() ? "200" : "404");
    }

    @Override
    public List<JsonNode> list(ObjectType type, String namespace, String labels)
            throws TroubleException, InterruptedException {
        String text = "LIST " + type.resource() + (namespace.isEmpty() ? "" : " in " + namespace)
                + (labels.isEmpty() ? "" : " with " + labels);
        return watching.call(system, text, () -> cluster.list(type, namespace, labels),
                found -> found.size() + " objects");
    }

    @Override
    public List<JsonNode> picked(ObjectType type, String namespace, String fields)
            throws TroubleException, InterruptedException {
        String text = "LIST " + type.resource() + (namespace.isEmpty() ? "" : " in " + namespace) + " where " + fields;
        return watching.call(system, text, () -> cluster.picked(type, namespace, fields),
                found -> found.size() + " objects");
    }

    @Override
    public List<Owned> owned(ObjectType type, String namespace) throws TroubleException, InterruptedException {
        return watching.call(system, "LIST " + type.resource() + (namespace.isEmpty() ? "" : " in " + namespace),
                () -> cluster.owned(type, namespace), found -> found.size() + " objects");
    }

    @Override
    public List<FieldManager> managers(ObjectRef object) throws TroubleException, InterruptedException {
        return watching.call(system, "GET field managers of " + object, () -> cluster.managers(object),
                found -> found.size() + " managers");
    }

    @Override
    public List<Claim> claims(ObjectRef object, JsonNode fields) throws TroubleException, InterruptedException {
        return watching.call(system, "APPLY " + object + dryRun(Earnest.TRY),
                () -> cluster.claims(object, fields), claims -> claims.isEmpty() ? "200" : "409");
    }

    @Override
    public List<JsonNode> names(ObjectType type) throws TroubleException, InterruptedException {
        return watching.call(system, "LIST names of " + type.resource(), () -> cluster.names(type),
                found -> found.size() + " objects");
    }

    @Override
    public JsonNode create(ObjectRef object, JsonNode manifest, Earnest earnest)
            throws TroubleException, InterruptedException {
        return watching.call(system, "CREATE " + object + dryRun(earnest),
                () -> cluster.create(object, manifest, earnest), made -> "201");
    }

    @Override
    public JsonNode patch(ObjectRef object, JsonNode fields, String resourceVersion, Earnest earnest)
            throws TroubleException, InterruptedException {
        return watching.call(system, "PATCH " + object + dryRun(earnest),
                () -> cluster.patch(object, fields, resourceVersion, earnest), made -> "200");
    }

    private static String dryRun(Earnest earnest) {
        return earnest == Earnest.TRY ? " (dry run)" : "";
    }

    @Override
    public void delete(ObjectRef object) throws TroubleException, InterruptedException {
        watching.call(system, "DELETE " + object, () -> {
            cluster.delete(object);
            return object;
        }, gone -> "200");
    }

    @Override
    public Optional<String> evict(ObjectRef pod) throws TroubleException, InterruptedException {
        return watching.call(system, "EVICT " + pod, () -> cluster.evict(pod), why -> why.orElse("201"));
    }

    @Override
    public boolean may(String verb, ObjectType type, String namespace) throws TroubleException, InterruptedException {
        return watching.call(system, "may " + verb + " " + type.resource()
                + (namespace.isEmpty() ? "" : " in " + namespace), () -> cluster.may(verb, type, namespace),
                allowed -> allowed ? "yes" : "no");
    }

    @Override
    public String user() throws TroubleException, InterruptedException {
        return watching.call(system, "who am I", cluster::user, user -> user);
    }

    @Override
    public String log(ObjectRef pod, String container, int lines) throws TroubleException, InterruptedException {
        return watching.call(system, "LOG " + pod + " " + container, () -> {
            String log = cluster.log(pod, container, lines);
            log.lines().forEach(line -> watching.printed(pod.name(), line));
            return log;
        }, log -> log.lines().count() + " lines");
    }

    @Override
    public Optional<String> logBefore(ObjectRef pod, String container, int lines)
            throws TroubleException, InterruptedException {
        return watching.call(system, "LOG " + pod + " " + container + " --previous",
                () -> cluster.logBefore(pod, container, lines),
                log -> log.map(text -> text.lines().count() + " lines").orElse("none"));
    }

    @Override
    public String ask(ObjectRef service, String port, Verb verb, String path, Optional<String> body)
            throws TroubleException, InterruptedException {
        return watching.call(system, verb + " " + service + " " + path,
                () -> cluster.ask(service, port, verb, path, body), answer -> "200");
    }

    @Override
    public void close() {
        // Its systems close it.
    }
}
