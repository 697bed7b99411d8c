package dev.pitwall.link.kube;

import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.link.http.HttpReader;
import okhttp3.HttpUrl;

/** Where objects lie on an API server. */
final class ObjectPath {
    private ObjectPath() {
    }

    /** @param namespace empty text for all namespaces, and for a type of the whole cluster */
    static HttpUrl.Builder all(HttpReader http, ObjectType type, String namespace) {
        HttpUrl.Builder url = http.at(type.group().isEmpty() ? "api" : "apis");
        if (!type.group().isEmpty()) {
            url.addPathSegment(type.group());
        }
        url.addPathSegment(type.version());
        if (!namespace.isEmpty()) {
            url.addPathSegment("namespaces").addPathSegment(namespace);
        }
        return url.addPathSegment(type.plural());
    }

    static HttpUrl.Builder of(HttpReader http, ObjectRef object) {
        return all(http, object.type(), object.namespace()).addPathSegment(object.name());
    }
}
