package dev.pitwall.lab.kube.store;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

class ObjectStoreProperties {
    record Step(String verb, String namespace, String name, int value) {
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return Combinators.combine(Arbitraries.of("create", "update", "put", "delete", "delete-slowly", "purge"),
                Arbitraries.of("a", "b"), Arbitraries.of("x", "y", "z"), Arbitraries.integers().between(0, 3))
                .as(Step::new).list().ofMaxSize(60);
    }

    @Property(tries = 300)
    void a_watcher_that_replays_the_changes_has_what_a_list_has(@ForAll("steps") List<Step> steps)
            throws InterruptedException {
        ObjectStore store = store(1000);
        WatchCursor cursor = store.watch(Resource.PODS, store.list(Resource.PODS, "").revision());
        steps.forEach(step -> run(store, step));

        Map<String, Long> replayed = new TreeMap<>();
        long last = 0;
        for (List<Change> batch = cursor.next(Duration.ZERO); !batch.isEmpty(); batch = cursor.next(Duration.ZERO)) {
            for (Change change : batch) {
                assertThat(change.revision()).isGreaterThan(last);
                last = change.revision();
                replay(change, replayed);
            }
        }
        assertThat(replayed).isEqualTo(revisions(store.list(Resource.PODS, "")));
    }

    @Property(tries = 200)
    void an_earlier_list_can_be_had_again(@ForAll("steps") List<Step> steps) {
        ObjectStore store = store(1000);
        List<Snapshot> seen = new ArrayList<>();
        for (Step step : steps) {
            run(store, step);
            seen.add(store.list(Resource.PODS, ""));
        }
        for (Snapshot snapshot : seen) {
            assertThat(revisions(store.listAt(Resource.PODS, "", snapshot.revision()))).isEqualTo(revisions(snapshot));
        }
    }

    @Property(tries = 100)
    void every_version_says_its_revision_and_keeps_its_identity(@ForAll("steps") List<Step> steps) {
        ObjectStore store = store(1000);
        for (Step step : steps) {
            run(store, step);
            for (StoredObject object : store.list(Resource.PODS, "").objects()) {
                assertThat(object.tree().at("/metadata/resourceVersion").asLong()).isEqualTo(object.revision());
                assertThat(object.tree().at("/metadata/uid").asText()).isEqualTo(object.uid()).isNotEmpty();
                assertThat(object.tree().at("/metadata/creationTimestamp").asText()).isNotEmpty();
                assertThat(object.tree().at("/metadata/generation").asInt()).isPositive();
            }
        }
    }

    private static ObjectStore store(int window) {
        return new ObjectStore(InstantSource.system(), (resource, object) -> Map.of(), window);
    }

    private static void run(ObjectStore store, Step step) {
        ObjectKey key = new ObjectKey(Resource.PODS, step.namespace(), step.name());
        var body = Json.object();
        body.putObject("spec").put("value", step.value());
        try {
            switch (step.verb()) {
                case "create" -> store.create(key, body);
                case "update" -> store.update(key, body);
                case "put" -> store.put(key, body);
                case "delete" -> store.delete(key, 0, Preconditions.NONE);
                case "delete-slowly" -> store.delete(key, 30, Preconditions.NONE);
                default -> store.purge(key);
            }
        } catch (StoreRefusal refused) {
            assertThat(refused.reason()).isIn(StoreRefusal.Reason.NotFound, StoreRefusal.Reason.AlreadyExists);
        }
    }

    private static void replay(Change change, Map<String, Long> objects) {
        switch (change) {
            case Change.Added added -> assertThat(objects.put(added.now().key().row(), added.revision())).isNull();
            case Change.Modified modified -> assertThat(objects.put(modified.now().key().row(), modified.revision()))
                    .isEqualTo(modified.before().revision());
            case Change.Deleted deleted -> assertThat(objects.remove(deleted.last().key().row()))
                    .isEqualTo(deleted.before().revision());
        }
    }

    private static Map<String, Long> revisions(Snapshot snapshot) {
        Map<String, Long> revisions = new TreeMap<>();
        snapshot.objects().forEach(object -> revisions.put(object.key().row(), object.revision()));
        return revisions;
    }
}
