package dev.pitwall.lab.kube.fault;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.fault.ClusterEdits;
import dev.pitwall.lab.fault.EditRefused;
import dev.pitwall.lab.fault.ObjectRef;
import dev.pitwall.lab.kube.admit.AdmissionRefusal;
import dev.pitwall.lab.kube.api.ResourceCatalog;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoreRefusal;
import dev.pitwall.lab.kube.store.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Faults' edits of the lab's cluster, through admission as anybody's. Safe for any number of threads. */
public final class StoreEdits implements ClusterEdits {
    private final ClusterHand hand;
    private final ResourceCatalog catalog;

    /** @param hand of an administrator */
    public StoreEdits(ClusterHand hand, ResourceCatalog catalog) {
        this.hand = hand;
        this.catalog = catalog;
    }

    @Override
    public Optional<ObjectNode> find(ObjectRef ref) {
        return key(ref).flatMap(hand::find).map(StoredObject::copy);
    }

    @Override
    public boolean has(ObjectRef ref) {
        return key(ref).flatMap(hand::find).isPresent();
    }

    @Override
    public void create(ObjectRef ref, ObjectNode object) {
        ObjectKey key = key(ref).orElseThrow(() -> new EditRefused("no matches for kind \"" + ref.kind()
                + "\" in version \"" + ref.apiVersion() + "\""));
        attempt(() -> hand.create(key, object));
    }

    @Override
    public void change(ObjectRef ref, Consumer<ObjectNode> change) {
        key(ref).ifPresent(key -> attempt(() -> hand.change(key, change)));
    }

    @Override
    public void delete(ObjectRef ref, Grace grace) {
        key(ref).ifPresent(key -> {
            switch (grace) {
                case OWN -> hand.delete(key);
                case SHORT -> hand.delete(key, 1);
            }
        });
    }

    @Override
    public List<ObjectRef> pods(String node, Map<String, String> labels) {
        return pods(node, pod -> pod.labels().entrySet().containsAll(labels.entrySet()));
    }

    @Override
    public List<ObjectRef> refused(String node) {
        return pods(node, pod -> "Failed".equals(pod.fields().get("status.phase"))
                && pod.tree().at("/status/reason").asText().equals("UnexpectedAdmissionError"));
    }

    private List<ObjectRef> pods(String node, Predicate<StoredObject> are) {
        return hand.store().list(Resource.PODS, "").objects().stream()
                .filter(pod -> node.equals(pod.fields().get("spec.nodeName")) && are.test(pod))
                .map(pod -> new ObjectRef("v1", "Pod", pod.key().namespace(), pod.key().name())).toList();
    }

    private static void attempt(Runnable write) {
        try {
            write.run();
        } catch (AdmissionRefusal | StoreRefusal refused) {
            throw new EditRefused(refused.getMessage());
        }
    }

    private Optional<ObjectKey> key(ObjectRef ref) {
        int slash = ref.apiVersion().indexOf('/');
        String group = slash < 0 ? "" : ref.apiVersion().substring(0, slash);
        Optional<Resource> resource = catalog.ofKind(group, ref.apiVersion().substring(slash + 1), ref.kind())
                .map(type -> type.resource());
        return resource.map(found -> new ObjectKey(found, ref.namespace(), ref.name()));
    }
}
