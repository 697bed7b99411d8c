package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.admit.Admission;
import dev.pitwall.lab.kube.admit.Admission.Operation;
import dev.pitwall.lab.kube.admit.AdmissionChain;
import dev.pitwall.lab.kube.container.TokenSource;
import dev.pitwall.lab.kube.rules.CustomRules;
import dev.pitwall.lab.kube.rules.Defaults;
import dev.pitwall.lab.kube.rules.ObjectRules;
import dev.pitwall.lab.kube.rules.Problem;
import dev.pitwall.lab.kube.schema.Schema;
import dev.pitwall.lab.kube.store.ObjectStore;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What an object goes through before it is kept: defaults, admission, validation. What the cluster's own controllers
 * write goes through the same defaults and admission.
 */
public final class Gate {
    private final Defaults defaults = Defaults.load();
    private final ObjectRules rules = new ObjectRules();
    private final AdmissionChain admission;
    private final EscalationCheck escalation;
    private final Preparation preparation;
    private final ResourceCatalog catalog;
    private final Authorizer authorizer;
    private final ServiceAccountTokens tokens;
    private final Bodies bodies;

    /** @param clock the cluster's time */
    public Gate(ResourceCatalog catalog, ObjectStore store, AdmissionChain admission, InstantSource clock) {
        new Bootstrap(store).run();
        this.catalog = catalog;
        this.admission = admission;
        this.authorizer = new Authorizer(store);
        this.escalation = new EscalationCheck(authorizer);
        this.bodies = new Bodies(catalog.apiTypes());
        this.tokens = new ServiceAccountTokens(store, bodies, clock);
        this.preparation = new Preparation(store, tokens, clock);
    }

    Authorizer authorizer() {
        return authorizer;
    }

    ServiceAccountTokens tokens() {
        return tokens;
    }

    /** Tokens of service accounts, for their pods. */
    public TokenSource accounts() {
        return tokens;
    }

    Bodies bodies() {
        return bodies;
    }

    /**
     * The way in for the cluster's own controllers: a new object gets its defaults and what the server gives it, and
     * keeps the status it came with.
     */
    public Admission inside() {
        return request -> {
            switch (request.operation()) {
                case CREATE -> create(request);
                case UPDATE -> {
                    ResourceType type = catalog.type(request.resource());
                    fill(type, request.object());
                    request.before().ifPresent(before -> TemplateGeneration.go(type, request.object(), before));
                    admission.admit(request);
                }
                case DELETE -> admission.admit(request);
            }
        };
    }

    private void create(Admission.Request request) {
        ResourceType type = catalog.type(request.resource());
        ObjectNode object = request.object();
        ObjectNode metadata = object.withObjectProperty("metadata").put("name", request.name());
        if (!request.namespace().isEmpty()) {
            metadata.put("namespace", request.namespace());
        }
        if (!metadata.has("uid")) {
            metadata.put("uid", UUID.randomUUID().toString());
        }
        Optional<JsonNode> status = Optional.ofNullable(object.get("status"));
        preparation.beforeCreate(type, object);
        fill(type, object);
        admission.mutate(request);
        fill(type, object);
        preparation.afterAdmission(type, object);
        TemplateGeneration.begin(type, object);
        status.ifPresent(given -> given.properties().forEach(field ->
                object.withObjectProperty("status").set(field.getKey(), field.getValue())));
        admission.check(request);
    }

    /** Makes a new object what it is to be, in place. @throws ApiFailure or AdmissionRefusal if it must not be kept */
    void create(Call call, Target target, ObjectNode object) {
        preparation.beforeCreate(target.type(), object);
        fill(target.type(), object);
        Admission.Request request = request(call, target, Operation.CREATE, object, Optional.empty());
        admission.mutate(request);
        fill(target.type(), object);
        preparation.afterAdmission(target.type(), object);
        TemplateGeneration.begin(target.type(), object);
        validate(target, object, Optional.empty());
        escalation.check(call.user(), target, object);
        admission.check(request);
        admission.warnings(request).forEach(call::warn);
    }

    /** As {@link #create}, for another version of an object. */
    void update(Call call, Target target, ObjectNode object, ObjectNode before) {
        if (target.subresource().equals("status")) {
            if (target.type().custom()) {
                validate(target, object, Optional.of(before));
            }
            return;
        }
        preparation.beforeUpdate(target, object, before);
        fill(target.type(), object);
        Admission.Request request = request(call, target, Operation.UPDATE, object, Optional.of(before));
        admission.mutate(request);
        fill(target.type(), object);
        preparation.afterUpdate(target.type(), object);
        TemplateGeneration.go(target.type(), object, before);
        validate(target, object, Optional.of(before));
        escalation.check(call.user(), target, object);
        admission.check(request);
        admission.warnings(request).forEach(call::warn);
    }

    void delete(Call call, Target target, ObjectNode object) {
        admission.admit(request(call, target, Operation.DELETE, object, Optional.of(object)));
    }

    private void fill(ResourceType type, ObjectNode object) {
        if (type.custom()) {
            CustomRules.fill(object, type.openApi());
        } else {
            defaults.fill(object, type.schema());
        }
    }

    private void validate(Target target, ObjectNode object, Optional<ObjectNode> before) {
        ResourceType type = target.type();
        List<Problem> problems = new ArrayList<>();
        if (type.custom()) {
            problems.addAll(rules.checkMetadata(type.kind(), object));
            problems.addAll(CustomRules.check(object, before.map(old -> old), type.openApi()));
        } else if (type.schema() != Schema.ANY && type.renames().isEmpty()) {
            problems.addAll(rules.check(type.kind(), object, before, type.schema()));
        }
        if (!problems.isEmpty()) {
            throw ApiFailure.invalid(type.resource().group(), type.kind(), target.name(), problems);
        }
    }

    private static Admission.Request request(Call call, Target target, Operation operation, ObjectNode object,
                                             Optional<JsonNode> before) {
        return new Admission.Request(target.type().stored(), operation, target.namespace(), target.name(),
                target.subresource(), object, before, call.user().name());
    }
}
