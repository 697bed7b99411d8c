package dev.pitwall.doctor.live;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.FieldManager;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;

import java.util.List;
import java.util.Optional;

/** A cluster of which the same is read once. What is only tried (a dry run) is passed on. */
record OnceCluster(Cluster cluster, Memo memo) implements Cluster {

    @Override
    public String name() {
        return cluster.name();
    }

    @Override
    public String identity() throws TroubleException, InterruptedException {
        return memo.ask(List.of("identity"), cluster::identity);
    }

    @Override
    public String version() throws TroubleException, InterruptedException {
        return memo.ask(List.of("version"), cluster::version);
    }

    @Override
    public Optional<JsonNode> get(ObjectRef object) throws TroubleException, InterruptedException {
        return memo.ask(List.of("get", object), () -> cluster.get(object));
    }

    @Override
    public List<JsonNode> list(ObjectType type, String namespace, String labels)
            throws TroubleException, InterruptedException {
        return memo.ask(List.of("list", type, namespace, labels), () -> cluster.list(type, namespace, labels));
    }

    @Override
    public List<JsonNode> picked(ObjectType type, String namespace, String fields)
            throws TroubleException, InterruptedException {
        return memo.ask(List.of("picked", type, namespace, fields), () -> cluster.picked(type, namespace, fields));
    }

    @Override
    public List<Owned> owned(ObjectType type, String namespace) throws TroubleException, InterruptedException {
        return memo.ask(List.of("owned", type, namespace), () -> cluster.owned(type, namespace));
    }

    @Override
    public List<FieldManager> managers(ObjectRef object) throws TroubleException, InterruptedException {
        return memo.ask(List.of("managers", object), () -> cluster.managers(object));
    }

    @Override
    public List<Claim> claims(ObjectRef object, JsonNode fields) throws TroubleException, InterruptedException {
        return cluster.claims(object, fields);
    }

    @Override
    public String user() throws TroubleException, InterruptedException {
        return memo.ask(List.of("user"), cluster::user);
    }

    @Override
    public List<JsonNode> names(ObjectType type) throws TroubleException, InterruptedException {
        return memo.ask(List.of("names", type), () -> cluster.names(type));
    }

    @Override
    public JsonNode create(ObjectRef object, JsonNode manifest, Earnest earnest)
            throws TroubleException, InterruptedException {
        onlyTried(earnest);
        return cluster.create(object, manifest, earnest);
    }

    @Override
    public JsonNode patch(ObjectRef object, JsonNode fields, String resourceVersion, Earnest earnest)
            throws TroubleException, InterruptedException {
        onlyTried(earnest);
        return cluster.patch(object, fields, resourceVersion, earnest);
    }

    private static void onlyTried(Earnest earnest) {
        if (earnest == Earnest.MAKE) {
            throw ReadOnce.writes();
        }
    }

    @Override
    public void delete(ObjectRef object) {
        throw ReadOnce.writes();
    }

    @Override
    public Optional<String> evict(ObjectRef pod) {
        throw ReadOnce.writes();
    }

    @Override
    public boolean may(String verb, ObjectType type, String namespace) throws TroubleException, InterruptedException {
        return memo.ask(List.of("may", verb, type, namespace), () -> cluster.may(verb, type, namespace));
    }

    @Override
    public String log(ObjectRef pod, String container, int lines) throws TroubleException, InterruptedException {
        return memo.ask(List.of("log", pod, container, lines), () -> cluster.log(pod, container, lines));
    }

    @Override
    public Optional<String> logBefore(ObjectRef pod, String container, int lines)
            throws TroubleException, InterruptedException {
        return memo.ask(List.of("log before", pod, container, lines), () -> cluster.logBefore(pod, container, lines));
    }

    /** Model servers are asked by POST too; what changes something is not asked here. */
    @Override
    public String ask(ObjectRef service, String port, Verb verb, String path, Optional<String> body)
            throws TroubleException, InterruptedException {
        if (verb == Verb.DELETE) {
            throw ReadOnce.writes();
        }
        return memo.ask(List.of("ask", service, port, verb, path, body),
                () -> cluster.ask(service, port, verb, path, body));
    }

    @Override
    public void close() {
        // Its systems close it.
    }
}
