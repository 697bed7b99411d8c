package dev.pitwall.lab.kube.admit;

import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;

/** A volume claim that names no class gets the default one. */
final class DefaultStorageClass implements Admission {
    private static final String MARK = "storageclass.kubernetes.io/is-default-class";

    private final ObjectStore store;

    DefaultStorageClass(ObjectStore store) {
        this.store = store;
    }

    @Override
    public void admit(Request request) {
        boolean bare = request.resource().equals(Resource.VOLUME_CLAIMS) && request.operation() == Operation.CREATE
                && !request.object().path("spec").has("storageClassName");
        if (bare) {
            store.list(Resource.STORAGE_CLASSES, "").objects().stream().map(StoredObject::tree)
                    .filter(found -> found.path("metadata").path("annotations").path(MARK).asText("").equals("true"))
                    .findFirst().ifPresent(found -> request.object().withObjectProperty("spec")
                            .set("storageClassName", found.at("/metadata/name")));
        }
    }
}
