package dev.pitwall.lab.kube.api;

import dev.pitwall.lab.kube.store.StoredObject;

import java.util.function.Predicate;

/** Which objects of a resource a list or watch is about. */
record Filter(String namespace, String name, LabelSelector labels, FieldSelector fields)
        implements Predicate<StoredObject> {

    /** @throws ApiFailure 400 if a selector is wrong */
    static Filter of(Call call, ResourceType type, RequestPath path) {
        return new Filter(path.namespace(), path.name(), LabelSelector.parse(call.query("labelSelector")),
                FieldSelector.parse(call.query("fieldSelector"), type));
    }

    boolean takesAll() {
        return labels.isEmpty() && fields.isEmpty();
    }

    @Override
    public boolean test(StoredObject object) {
        return (namespace.isEmpty() || namespace.equals(object.key().namespace()))
                && (name.isEmpty() || name.equals(object.key().name()))
                && labels.test(object.labels()) && fields.test(object);
    }
}
