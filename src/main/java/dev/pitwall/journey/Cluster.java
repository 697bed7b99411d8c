package dev.pitwall.journey;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The Kubernetes API of a site's cluster, signed in. Objects are JSON as the API server gives them, without
 * {@code managedFields}. Writes are made as field manager {@code pitwall}, with strict field validation. A write is
 * sent once: a connection that is cut meanwhile is a trouble, and what became of it has to be read. Thread-safe.
 */
public interface Cluster extends AutoCloseable {

    /** The cluster's name in the site: its context. */
    String name();

    /** What tells this cluster from all others, in whatever site it is: the UID of namespace {@code kube-system}. */
    String identity() throws TroubleException, InterruptedException;

    /** {@code gitVersion}, for example {@code v1.33.5+rke2r1}. */
    String version() throws TroubleException, InterruptedException;

    /** @return empty if there is no such object, or no such type */
    Optional<JsonNode> get(ObjectRef object) throws TroubleException, InterruptedException;

    /**
     * All objects of a type, read in pages.
     *
     * @param namespace empty text for all namespaces, and for a type of the whole cluster
     * @param labels    a label selector; empty text for all
     * @return empty list also where the cluster has no such type
     */
    List<JsonNode> list(ObjectType type, String namespace, String labels)
            throws TroubleException, InterruptedException;

    /**
     * Those objects of a type whose fields have certain values: the pods of one node are few, those of a cluster many.
     * An API server picks them itself; here all are read and picked from.
     *
     * @param fields a field selector of equalities, for example {@code spec.nodeName=worker-1}
     */
    default List<JsonNode> picked(ObjectType type, String namespace, String fields)
            throws TroubleException, InterruptedException {
        return list(type, namespace, "").stream().filter(object -> Arrays.stream(fields.split(","))
                .map(term -> term.split("=", 2)).allMatch(term -> object.at("/" + term[0].replace('.', '/'))
                        .asText("").equals(term[1]))).toList();
    }

    /** As {@link #list}, each with those who have written its fields. */
    default List<Owned> owned(ObjectType type, String namespace) throws TroubleException, InterruptedException {
        return list(type, namespace, "").stream().map(object -> new Owned(object, FieldManager.of(object))).toList();
    }

    /** Those who have written the fields of an object now; empty also where there is no such object. */
    default List<FieldManager> managers(ObjectRef object) throws TroubleException, InterruptedException {
        return get(object).map(FieldManager::of).orElse(List.of());
    }

    /** An object, and who has written its fields. */
    record Owned(JsonNode object, List<FieldManager> managers) {
        public Owned {
            managers = List.copyOf(managers);
        }
    }

    /** All objects of a type with nothing but their metadata; those of some types are large. */
    default List<JsonNode> names(ObjectType type) throws TroubleException, InterruptedException {
        return list(type, "", "").stream().<JsonNode>map(object -> JsonNodeFactory.instance.objectNode()
                .set("metadata", object.path("metadata"))).toList();
    }

    /**
     * Makes an object.
     *
     * @return the object as it was (or would be) stored: admission may have changed it
     * @throws TroubleException with the field and what is wrong with it, if the API server does not take it
     */
    JsonNode create(ObjectRef object, JsonNode manifest, Earnest earnest)
            throws TroubleException, InterruptedException;

    /**
     * Sets fields of an object that is there (JSON merge patch).
     *
     * @param resourceVersion of the object that the fields were judged by: if it has changed since, nothing is written
     *                        and the trouble is of kind BUSY
     */
    JsonNode patch(ObjectRef object, JsonNode fields, String resourceVersion, Earnest earnest)
            throws TroubleException, InterruptedException;

    /**
     * Asks the API server whose fields would be taken if the object got these (server-side apply as {@code pitwall}, dry
     * run): whoever has one of them with another value. Nothing is written. A field that is to go, and an API server that
     * cannot try, tell nothing.
     */
    default List<Claim> claims(ObjectRef object, JsonNode fields) throws TroubleException, InterruptedException {
        return List.of();
    }

    /**
     * A field that somebody has with another value.
     *
     * @param field for example {@code spec.taints}
     */
    record Claim(String manager, FieldManager.Operation operation, String field) {
    }

    /** Removes an object, and what it owns before it. One that is not there is removed already. It may take a while to go. */
    void delete(ObjectRef object) throws TroubleException, InterruptedException;

    /**
     * Asks a pod to leave its node, which its disruption budgets may forbid for now (eviction).
     *
     * @return empty if it leaves, or is not there any more; else why it may not leave yet, in the API server's words
     */
    Optional<String> evict(ObjectRef pod) throws TroubleException, InterruptedException;

    /**
     * Whether the person may do something (SelfSubjectAccessReview). Of a subresource the type's plural has it behind a
     * slash, for example {@code pods/eviction}.
     *
     * @param verb      for example {@code create}
     * @param namespace empty text for all, and for a type of the whole cluster
     */
    boolean may(String verb, ObjectType type, String namespace) throws TroubleException, InterruptedException;

    /** Who the API server takes the person for; empty text where it does not say. */
    default String user() throws TroubleException, InterruptedException {
        return "";
    }

    /** What a container has printed; at most its last lines. */
    String log(ObjectRef pod, String container, int lines) throws TroubleException, InterruptedException;

    /**
     * What a container printed in its run before the present one; at most its last lines.
     *
     * @return empty if there was none, or nobody has kept it
     */
    default Optional<String> logBefore(ObjectRef pod, String container, int lines)
            throws TroubleException, InterruptedException {
        return Optional.empty();
    }

    /**
     * A request to a Service through the API server's proxy.
     *
     * @param port by number or name
     * @param body empty for a GET
     * @return the answer's body
     */
    default String ask(ObjectRef service, String port, String path, Optional<String> body)
            throws TroubleException, InterruptedException {
        return ask(service, port, body.isPresent() ? Verb.POST : Verb.GET, path, body);
    }

    /** As above, with another verb. */
    String ask(ObjectRef service, String port, Verb verb, String path, Optional<String> body)
            throws TroubleException, InterruptedException;

    /** What is asked for by a request. */
    enum Verb { GET, POST, DELETE }

    /** Whether a write is made or only tried (dry run). */
    enum Earnest { MAKE, TRY }

    @Override
    void close();
}
