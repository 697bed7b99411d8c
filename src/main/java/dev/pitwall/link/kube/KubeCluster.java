package dev.pitwall.link.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.FieldManager;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.site.ClusterAccess;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import okhttp3.HttpUrl;

/** A cluster over its API server's HTTP interface: what the wizard reads of it, and what it writes. */
public final class KubeCluster implements Cluster {
    private static final String MANAGER = "pitwall";
    private static final String MERGE_PATCH = "application/merge-patch+json";
    /** JSON is YAML. */
    private static final String APPLY_PATCH = "application/apply-patch+yaml";
    private static final String JSON = "application/json";
    /** Objects without all but their metadata; a server that cannot leave it out sends them whole. */
    private static final String METADATA = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
    private static final int PAGE = 500;
    /** A Secret may have one MiB, and a release of Helm often has half of it. */
    private static final int PAGE_OF_SECRETS = 25;
    private static final int LISTS = 3;
    private static final int CONFLICT = 409;
    /** An admission webhook that cannot try (kubernetes: apiserver, admission/plugin/webhook). */
    private static final String CANNOT_TRY = "does not support dry run";
    /** A disruption budget does not allow it now. */
    private static final int TOO_MANY = 429;
    private static final ObjectRef SYSTEM = ObjectRef.of(ObjectType.NAMESPACE, "kube-system");
    private static final ObjectType REVIEW = new ObjectType("authorization.k8s.io", "v1", "selfsubjectaccessreviews",
            "SelfSubjectAccessReview", ObjectType.Scope.CLUSTER);
    private static final ObjectType WHO = new ObjectType("authentication.k8s.io", "v1", "selfsubjectreviews",
            "SelfSubjectReview", ObjectType.Scope.CLUSTER);

    private final String name;
    private final ClusterCalls calls;
    private volatile String identity = "";

    private KubeCluster(String name, ClusterCalls calls) {
        this.name = name;
        this.calls = calls;
    }

    /**
     * Reads the kubeconfig; contacts nothing.
     *
     * @throws TroubleException if it cannot be used
     */
    public static KubeCluster open(ClusterAccess access, NetworkTrouble troubles, InstantSource clock)
            throws TroubleException {
        OpenServer open = new OpenServer(access, troubles, clock);
        return new KubeCluster(open.server().name(), new ClusterCalls(open, troubles.words()));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String identity() throws TroubleException, InterruptedException {
        if (identity.isEmpty()) {
            identity = need(get(SYSTEM), SYSTEM).at("/metadata/uid").asText();
        }
        return identity;
    }

    @Override
    public String version() throws TroubleException, InterruptedException {
        Asked asked = new Asked("get", name, "the version", "", false);
        return calls.get(asked, http -> http.at("version").build())
                .map(version -> version.path("gitVersion").asText()).orElse("");
    }

    @Override
    public Optional<JsonNode> get(ObjectRef object) throws TroubleException, InterruptedException {
        return found(object).map(KubeCluster::plain);
    }

    private Optional<JsonNode> found(ObjectRef object) throws TroubleException, InterruptedException {
        return calls.get(asked("get", object), http -> ObjectPath.of(http, object).build());
    }

    @Override
    public List<FieldManager> managers(ObjectRef object) throws TroubleException, InterruptedException {
        return found(object).map(FieldManager::of).orElse(List.of());
    }

    @Override
    public List<JsonNode> list(ObjectType type, String namespace, String labels)
            throws TroubleException, InterruptedException {
        return plain(list(type, namespace, new Selection(labels, "", JSON)));
    }

    @Override
    public List<Owned> owned(ObjectType type, String namespace) throws TroubleException, InterruptedException {
        return list(type, namespace, new Selection("", "", JSON)).stream().map(object -> {
            List<FieldManager> managers = FieldManager.of(object);
            return new Owned(plain(object), managers);
        }).toList();
    }

    @Override
    public List<JsonNode> picked(ObjectType type, String namespace, String fields)
            throws TroubleException, InterruptedException {
        return plain(list(type, namespace, new Selection("", fields, JSON)));
    }

    @Override
    public List<JsonNode> names(ObjectType type) throws TroubleException, InterruptedException {
        return plain(list(type, "", new Selection("", "", METADATA)));
    }

    /**
     * Which objects of a type, and in which form.
     *
     * @param accept as the HTTP header
     */
    private record Selection(String labels, String fields, String accept) {
    }

    /** A list that grows old between two pages is begun again: the rest of it would not fit the beginning. */
    private List<JsonNode> list(ObjectType type, String namespace, Selection which)
            throws TroubleException, InterruptedException {
        Asked asked = new Asked("list", name, type.resource(), namespace, false);
        for (int times = 1; ; times++) {
            try {
                return pages(asked, type, namespace, which);
            } catch (ApiRefusal refusal) {
                if (!refusal.gone() || times == LISTS) {
                    throw new TroubleException(refusal.trouble(), refusal);
                }
            }
        }
    }

    private List<JsonNode> pages(Asked asked, ObjectType type, String namespace, Selection which)
            throws ApiRefusal, TroubleException, InterruptedException {
        List<JsonNode> all = new ArrayList<>();
        String next = "";
        do {
            String from = next;
            Optional<JsonNode> page = calls.page(asked, which.accept(), http -> page(ObjectPath.all(http, type, namespace),
                    type.equals(ObjectType.SECRET) ? PAGE_OF_SECRETS : PAGE, which, from));
            page.ifPresent(list -> list.path("items").forEach(item -> all.add(typed(item, type))));
            next = page.map(list -> list.at("/metadata/continue").asText("")).orElse("");
        } while (!next.isEmpty());
        return all;
    }

    private static HttpUrl page(HttpUrl.Builder url, int most, Selection which, String from) {
        url.addQueryParameter("limit", Integer.toString(most));
        if (!which.labels().isEmpty()) {
            url.addQueryParameter("labelSelector", which.labels());
        }
        if (!which.fields().isEmpty()) {
            url.addQueryParameter("fieldSelector", which.fields());
        }
        if (!from.isEmpty()) {
            url.addQueryParameter("continue", from);
        }
        return url.build();
    }

    @Override
    public JsonNode create(ObjectRef object, JsonNode manifest, Earnest earnest)
            throws TroubleException, InterruptedException {
        ObjectNode whole = typed(manifest.deepCopy(), object.type());
        ObjectNode metadata = whole.withObjectProperty("metadata");
        metadata.put("name", object.name());
        if (!object.namespace().isEmpty()) {
            metadata.put("namespace", object.namespace());
        }
        return plain(calls.send("POST", asked("create", object), JSON, whole, http -> written(
                ObjectPath.all(http, object.type(), object.namespace()), earnest)));
    }

    @Override
    public JsonNode patch(ObjectRef object, JsonNode fields, String resourceVersion, Earnest earnest)
            throws TroubleException, InterruptedException {
        ObjectNode patch = fields.deepCopy();
        if (!resourceVersion.isEmpty()) {
            patch.withObjectProperty("metadata").put("resourceVersion", resourceVersion);
        }
        return plain(calls.send("PATCH", asked("patch", object), MERGE_PATCH, patch,
                http -> written(ObjectPath.of(http, object), earnest)));
    }

    /** The API server's own judgement: its 409 names each field and whose it is. */
    @Override
    public List<Claim> claims(ObjectRef object, JsonNode fields) throws TroubleException, InterruptedException {
        ObjectNode configuration = typed(ApplyConflicts.said(fields), object.type());
        ObjectNode metadata = configuration.withObjectProperty("metadata").put("name", object.name());
        if (!object.namespace().isEmpty()) {
            metadata.put("namespace", object.namespace());
        }
        try {
            calls.attempt("PATCH", asked("patch", object), APPLY_PATCH, configuration,
                    http -> written(ObjectPath.of(http, object), Earnest.TRY));
            return List.of();
        } catch (ApiRefusal refusal) {
            List<Claim> claims = ApplyConflicts.of(refusal.status());
            if (!claims.isEmpty() || refusal.trouble().what().contains(CANNOT_TRY)) {
                return claims;
            }
            throw new TroubleException(refusal.trouble(), refusal);
        }
    }

    private static HttpUrl written(HttpUrl.Builder url, Earnest earnest) {
        url.addQueryParameter("fieldManager", MANAGER).addQueryParameter("fieldValidation", "Strict");
        if (earnest == Earnest.TRY) {
            url.addQueryParameter("dryRun", "All");
        }
        return url.build();
    }

    @Override
    public void delete(ObjectRef object) throws TroubleException, InterruptedException {
        ObjectNode options = JsonNodeFactory.instance.objectNode().put("apiVersion", "v1").put("kind", "DeleteOptions")
                .put("propagationPolicy", "Foreground");
        try {
            calls.attempt("DELETE", asked("delete", object), JSON, options, http -> ObjectPath.of(http, object).build());
        } catch (ApiRefusal refusal) {
            // 409: it is on its way out already, as a namespace is while it is emptied.
            if (!refusal.absent() && refusal.code() != CONFLICT) {
                throw new TroubleException(refusal.trouble(), refusal);
            }
        }
    }

    @Override
    public Optional<String> evict(ObjectRef pod) throws TroubleException, InterruptedException {
        ObjectNode eviction = JsonNodeFactory.instance.objectNode().put("apiVersion", "policy/v1").put("kind", "Eviction");
        eviction.putObject("metadata").put("name", pod.name()).put("namespace", pod.namespace());
        try {
            calls.attempt("POST", asked("create", pod), JSON, eviction,
                    http -> ObjectPath.of(http, pod).addPathSegment("eviction").build());
            return Optional.empty();
        } catch (ApiRefusal refusal) {
            if (refusal.absent()) {
                return Optional.empty();
            }
            if (refusal.code() == TOO_MANY) {
                return Optional.of(refusal.trouble().what());
            }
            throw new TroubleException(refusal.trouble(), refusal);
        }
    }

    @Override
    public boolean may(String verb, ObjectType type, String namespace) throws TroubleException, InterruptedException {
        ObjectNode review = typed(JsonNodeFactory.instance.objectNode(), REVIEW);
        ObjectNode attributes = review.putObject("spec").putObject("resourceAttributes");
        String[] resource = type.plural().split("/", 2);
        attributes.put("verb", verb).put("group", type.group()).put("resource", resource[0]);
        if (resource.length > 1) {
            attributes.put("subresource", resource[1]);
        }
        if (!namespace.isEmpty()) {
            attributes.put("namespace", namespace);
        }
        Asked asked = new Asked("create", name, REVIEW.resource(), "", false);
        return calls.send("POST", asked, JSON, review, http -> ObjectPath.all(http, REVIEW, "").build())
                .at("/status/allowed").asBoolean(false);
    }

    /** Servers before 1.28 do not say. */
    @Override
    public String user() throws TroubleException, InterruptedException {
        try {
            return calls.attempt("POST", new Asked("create", name, WHO.resource(), "", false), JSON,
                    typed(JsonNodeFactory.instance.objectNode(), WHO), http -> ObjectPath.all(http, WHO, "").build())
                    .at("/status/userInfo/username").asText("");
        } catch (ApiRefusal refusal) {
            if (refusal.absent() || refusal.forbidden()) {
                return "";
            }
            throw new TroubleException(refusal.trouble(), refusal);
        }
    }

    @Override
    public String log(ObjectRef pod, String container, int lines) throws TroubleException, InterruptedException {
        return calls.text(new Asked("get", name, "the log of " + pod, "", true), http -> ObjectPath.of(http, pod)
                .addPathSegment("log").addQueryParameter("container", container)
                .addQueryParameter("tailLines", Integer.toString(lines)).build());
    }

    /** A kubelet refuses it for a run that there was not, or whose log it has taken away. */
    @Override
    public Optional<String> logBefore(ObjectRef pod, String container, int lines)
            throws TroubleException, InterruptedException {
        try {
            return Optional.of(calls.text(new Asked("get", name, "the log of " + pod, "", true),
                    http -> ObjectPath.of(http, pod).addPathSegment("log").addQueryParameter("container", container)
                            .addQueryParameter("previous", "true")
                            .addQueryParameter("tailLines", Integer.toString(lines)).build()));
        } catch (TroubleException e) {
            if (e.trouble().kind().unreachable()) {
                throw e;
            }
            return Optional.empty();
        }
    }

    @Override
    public String ask(ObjectRef service, String port, Verb verb, String path, Optional<String> body)
            throws TroubleException, InterruptedException {
        return calls.proxied(new ProxyPath("services", service.namespace(), service.name(), number(service, port),
                "http"), verb.name(), path, body);
    }

    private int number(ObjectRef service, String port) throws TroubleException, InterruptedException {
        if (port.chars().allMatch(Character::isDigit)) {
            return Integer.parseInt(port);
        }
        JsonNode there = need(get(service), service);
        for (JsonNode offered : there.at("/spec/ports")) {
            if (offered.path("name").asText().equals(port)) {
                return offered.path("port").asInt();
            }
        }
        throw calls.trouble(Trouble.Kind.MISSING, service.toString(), "kube.noport", "wanted", port);
    }

    private JsonNode need(Optional<JsonNode> found, ObjectRef object) throws TroubleException {
        if (found.isEmpty()) {
            throw calls.trouble(Trouble.Kind.MISSING, object.toString(), "kube.noobject");
        }
        return found.get();
    }

    private Asked asked(String verb, ObjectRef object) {
        return new Asked(verb, name, object.toString(), object.namespace(), true);
    }

    /** Without what only field managers look at. */
    private static JsonNode plain(JsonNode object) {
        if (object.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
        }
        return object;
    }

    private static List<JsonNode> plain(List<JsonNode> objects) {
        objects.forEach(KubeCluster::plain);
        return objects;
    }

    /** Items of a list come without their type. */
    private static ObjectNode typed(JsonNode object, ObjectType type) {
        return ((ObjectNode) object).put("apiVersion", type.apiVersion()).put("kind", type.kind());
    }

    @Override
    public void close() {
        calls.close();
    }
}
