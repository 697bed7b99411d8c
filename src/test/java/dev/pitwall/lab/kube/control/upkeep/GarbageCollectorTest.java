package dev.pitwall.lab.kube.control.upkeep;

import static dev.pitwall.lab.kube.control.upkeep.UpkeepRig.owner;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.Kinds;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Preconditions;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GarbageCollectorTest {
    private final UpkeepRig rig = new UpkeepRig(parts -> List.of(new GarbageCollector(parts.plane(), parts.kinds())));

    @AfterEach
    void close() {
        rig.close();
    }

    private StoredObject deployment() {
        return rig.put("apps/v1", "Deployment", "default", "web", "{spec: {replicas: 1}}");
    }

    private StoredObject replicaSet(StoredObject owner) {
        return rig.put("apps/v1", "ReplicaSet", "default", "web-1",
                "{metadata: {ownerReferences: [" + owner("apps/v1", "Deployment", owner) + "]}, spec: {replicas: 1}}");
    }

    private StoredObject pod(String name, String owners) {
        return rig.put("v1", "Pod", "default", name, "{metadata: {ownerReferences: [" + owners + "]},"
                + " spec: {nodeName: a, terminationGracePeriodSeconds: 30}, status: {phase: Running}}");
    }

    private boolean leaves(StoredObject object) {
        return rig.get(object.key()).path("metadata").has("deletionTimestamp");
    }

    private boolean has(StoredObject object) {
        return rig.has(object.key());
    }

    private void delete(StoredObject object, String finalizer) {
        rig.store.delete(object.key(), 0, Preconditions.NONE, body -> {
            if (!finalizer.isEmpty()) {
                body.withObjectProperty("metadata").withArrayProperty("finalizers").add(finalizer);
            }
        });
        rig.pass(0);
    }

    @Test
    void whatAnOwnerLeavesGoesToo() {
        StoredObject web = deployment();
        StoredObject set = replicaSet(web);
        StoredObject pod = pod("web-1-a", owner("apps/v1", "ReplicaSet", set));
        rig.pass(0);
        assertThat(has(pod)).isTrue();
        delete(web, "");
        assertThat(has(web)).isFalse();
        assertThat(has(set)).isFalse();
        assertThat(leaves(pod)).as("a bound pod has its grace").isTrue();
    }

    @Test
    void whatIsMadeForAnOwnerThatIsNotThereGoesAtOnce() {
        StoredObject web = deployment();
        rig.pass(0);
        rig.store.purge(web.key());
        StoredObject set = replicaSet(web);
        rig.pass(0);
        assertThat(has(set)).isFalse();
    }

    @Test
    void anotherObjectOfTheSameNameIsNotTheOwner() {
        StoredObject web = deployment();
        StoredObject set = replicaSet(web);
        rig.store.purge(web.key());
        StoredObject again = deployment();
        rig.pass(0);
        assertThat(has(again)).isTrue();
        assertThat(has(set)).isFalse();
    }

    @Test
    void inTheForegroundTheOwnerGoesLast() {
        StoredObject web = deployment();
        StoredObject set = replicaSet(web);
        StoredObject pod = pod("web-1-a", owner("apps/v1", "ReplicaSet", set));
        rig.pass(0);
        delete(web, "foregroundDeletion");
        assertThat(leaves(web)).isTrue();
        assertThat(leaves(set)).isTrue();
        assertThat(rig.get(set.key()).at("/metadata/finalizers/0").asText()).isEqualTo("foregroundDeletion");
        assertThat(leaves(pod)).isTrue();
        rig.store.purge(pod.key());
        rig.pass(0);
        assertThat(has(set)).isFalse();
        assertThat(has(web)).isFalse();
    }

    @Test
    void aDependentThatDoesNotBlockIsNotWaitedFor() {
        StoredObject web = deployment();
        StoredObject pod = pod("web-a", owner("apps/v1", "Deployment", web).replace("blockOwnerDeletion: true",
                "blockOwnerDeletion: false"));
        rig.pass(0);
        delete(web, "foregroundDeletion");
        assertThat(has(web)).isFalse();
        assertThat(leaves(pod)).isTrue();
    }

    @Test
    void orphansStayAndForgetTheirOwner() {
        StoredObject web = deployment();
        StoredObject set = replicaSet(web);
        rig.pass(0);
        delete(web, "orphan");
        assertThat(has(web)).isFalse();
        assertThat(has(set)).isTrue();
        assertThat(rig.get(set.key()).path("metadata").has("ownerReferences")).isFalse();
        rig.pass(60);
        assertThat(has(set)).isTrue();
    }

    @Test
    void whatHasAnotherOwnerStaysWithThatOne() {
        StoredObject web = deployment();
        StoredObject map = rig.put("v1", "ConfigMap", "default", "shared", "{}");
        StoredObject pod = pod("web-a", owner("apps/v1", "Deployment", web) + ", " + owner("v1", "ConfigMap", map));
        rig.pass(0);
        delete(web, "");
        assertThat(leaves(pod)).isFalse();
        assertThat(rig.get(pod.key()).at("/metadata/ownerReferences")).hasSize(1);
        assertThat(rig.get(pod.key()).at("/metadata/ownerReferences/0/name").asText()).isEqualTo("shared");
    }

    @Test
    void aClusterScopedOwnerOwnsAcrossNamespaces() {
        StoredObject policy = rig.put("nvidia.com/v1", "ClusterPolicy", "", "cluster-policy", "{spec: {}}");
        StoredObject set = rig.put("apps/v1", "DaemonSet", "kube-system", "operand", "{metadata: {ownerReferences: ["
                + owner("nvidia.com/v1", "ClusterPolicy", policy) + "]}, spec: {}}");
        rig.pass(0);
        assertThat(has(set)).isTrue();
        delete(policy, "");
        assertThat(has(set)).isFalse();
    }

    @Test
    void anOwnerInAnotherNamespaceIsNoneAndIsReported() {
        StoredObject web = deployment();
        StoredObject map = rig.put("v1", "ConfigMap", "kube-system", "far", "{metadata: {ownerReferences: ["
                + owner("apps/v1", "Deployment", web) + "]}}");
        rig.pass(0);
        assertThat(has(map)).isFalse();
        assertThat(rig.events("far")).containsExactly("OwnerRefInvalidNamespace: ownerRef [apps/v1/Deployment,"
                + " namespace: kube-system, name: web, uid: " + web.uid() + "] does not exist in namespace"
                + " \"kube-system\"");
    }

    @Test
    void nothingIsDecidedAboutAnOwnerOfAKindThatIsNotServed() {
        StoredObject map = rig.put("v1", "ConfigMap", "default", "odd", "{metadata: {ownerReferences: ["
                + "{apiVersion: example.com/v1, kind: Thing, name: x, uid: 1234}]}}");
        rig.pass(60);
        assertThat(has(map)).isTrue();
    }

    @Test
    void somebodyElsesFinalizerKeepsAnOwnerButNotItsDependents() {
        StoredObject web = rig.put("apps/v1", "Deployment", "default", "web",
                "{metadata: {finalizers: [example.com/mine]}, spec: {replicas: 1}}");
        StoredObject set = replicaSet(web);
        rig.pass(0);
        delete(web, "");
        assertThat(has(set)).as("its owner is still there").isTrue();
        rig.change(web.key(), body -> ((ObjectNode) body.path("metadata")).remove("finalizers"));
        rig.pass(0);
        assertThat(has(set)).isFalse();
    }

    @Test
    void theCollectorLearnsOfKindsThatAreDefinedLater() {
        Resource things = new Resource("example.com", "things");
        Set<Resource> served = new HashSet<>();
        try (UpkeepRig later = new UpkeepRig(parts -> List.of(
                new GarbageCollector(parts.plane(), new Growing(parts.kinds(), things, served))))) {
            ObjectKey map = later.put("v1", "ConfigMap", "default", "owned", "{metadata: {ownerReferences: ["
                    + "{apiVersion: example.com/v1, kind: Thing, name: x, uid: '1234'}]}}").key();
            later.pass(60);
            assertThat(later.has(map)).isTrue();
            ObjectKey thing = new ObjectKey(things, "default", "x");
            later.store.create(thing, UpkeepRig.yaml("{metadata: {uid: '1234'}}"));
            served.add(things);
            later.world.change(w -> { });
            later.pass(1);
            assertThat(later.has(map)).as("its owner is there").isTrue();
            later.store.purge(thing);
            later.pass(1);
            assertThat(later.has(map)).isFalse();
        }
    }

    @Test
    void whatAnOwnerHasLeftGoesAlsoIfItsKindIsTakenAwayWithIt() {
        Resource things = new Resource("example.com", "things");
        Set<Resource> served = new HashSet<>(Set.of(things));
        try (UpkeepRig later = new UpkeepRig(parts -> List.of(
                new GarbageCollector(parts.plane(), new Growing(parts.kinds(), things, served))))) {
            ObjectKey thing = new ObjectKey(things, "default", "x");
            later.store.create(thing, UpkeepRig.yaml("{metadata: {uid: '1234'}}"));
            ObjectKey map = later.put("v1", "ConfigMap", "default", "owned", "{metadata: {ownerReferences: ["
                    + "{apiVersion: example.com/v1, kind: Thing, name: x, uid: '1234'}]}}").key();
            later.pass(1);
            assertThat(later.has(map)).isTrue();
            later.store.purge(thing);
            served.clear();
            later.world.change(w -> { });
            later.pass(1);
            assertThat(later.has(map)).isFalse();
        }
    }

    /** The kinds of a cluster, and one that is defined while it runs. */
    private record Growing(Kinds kinds, Resource more, Set<Resource> served) implements Kinds {
        @Override
        public Set<Resource> resources() {
            Set<Resource> all = new HashSet<>(kinds.resources());
            all.addAll(served);
            return all.size() == kinds.resources().size() ? kinds.resources() : all;
        }

        @Override
        public Set<Resource> namespaced() {
            Set<Resource> all = new HashSet<>(kinds.namespaced());
            all.addAll(served);
            return all;
        }

        @Override
        public Optional<Resource> find(String group, String kind) {
            return kind.equals("Thing") ? served.stream().findFirst() : kinds.find(group, kind);
        }

        @Override
        public Optional<Named> named(Resource resource) {
            return kinds.named(resource);
        }
    }
}
