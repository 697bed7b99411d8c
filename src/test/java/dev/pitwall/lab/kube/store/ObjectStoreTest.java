package dev.pitwall.lab.kube.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Preconditions;
import dev.pitwall.lab.world.Listening;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ObjectStoreTest {
    private static final ObjectKey WEB = new ObjectKey(Resource.PODS, "default", "web");

    private final ObjectStore store = new ObjectStore(InstantSource.system(), (resource, object) -> Map.of(), 4);

    @Test
    void an_update_that_changes_nothing_makes_no_new_version() {
        StoredObject made = store.create(WEB, body(1L));
        assertThat(store.update(WEB, body(1L)).revision()).isEqualTo(made.revision());
        assertThat(store.revision()).isEqualTo(made.revision());
    }

    @Test
    void a_listener_is_told_once_a_change_outside_the_lock_and_not_of_what_changed_nothing() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (Listening listening = store.onChange(() -> {
            // Another thread can read the store meanwhile.
            assertThat(CompletableFuture.supplyAsync(() -> store.find(WEB)).orTimeout(60, TimeUnit.SECONDS).join())
                    .isPresent();
            calls.incrementAndGet();
        })) {
            store.put(WEB, body(1));
            store.put(WEB, body(1));
            store.put(WEB, body(2));
        }
        store.put(WEB, body(3));
        assertThat(calls).hasValue(2);
    }

    @Test
    void the_generation_counts_changes_of_the_specification_only() {
        store.create(WEB, body(1));
        ObjectNode labelled = body(1);
        labelled.putObject("metadata").putObject("labels").put("a", "b");
        assertThat(store.update(WEB, labelled).tree().at("/metadata/generation").asInt()).isEqualTo(1);
        assertThat(store.update(WEB, body(2)).tree().at("/metadata/generation").asInt()).isEqualTo(2);
    }

    @Test
    void an_update_from_an_old_version_is_refused() {
        StoredObject made = store.create(WEB, body(1));
        store.update(WEB, body(2));
        ObjectNode stale = body(3);
        stale.putObject("metadata").put("resourceVersion", Long.toString(made.revision()));
        assertThatThrownBy(() -> store.update(WEB, stale)).isInstanceOf(StoreRefusal.class)
                .hasMessageContaining("Operation cannot be fulfilled on pods \"web\": the object has been modified");
    }

    @Test
    void an_object_with_finalizers_stays_until_the_last_is_taken_off() {
        ObjectNode held = body(1);
        held.putObject("metadata").putArray("finalizers").add("kubemoot.ai/unload");
        store.create(WEB, held);
        assertThat(store.delete(WEB, 0, Preconditions.NONE).gone()).isFalse();
        assertThat(store.get(WEB).tree().at("/metadata").has("deletionTimestamp")).isTrue();
        store.update(WEB, body(1));
        assertThat(store.find(WEB)).isEmpty();
    }

    @Test
    void a_deletion_of_another_object_of_the_same_name_is_refused() {
        store.create(WEB, body(1));
        Preconditions other = new Preconditions(Optional.of("another-uid"), OptionalLong.empty());
        assertThatThrownBy(() -> store.delete(WEB, 0, other)).isInstanceOf(StoreRefusal.class);
        assertThat(store.find(WEB)).isPresent();
    }

    @Test
    void a_watcher_that_is_too_slow_is_told_so() {
        StoredObject made = store.create(WEB, body(0));
        WatchCursor slow = store.watch(Resource.PODS, made.revision());
        for (int i = 1; i < 10; i++) {
            store.update(WEB, body(i));
        }
        assertThatThrownBy(() -> slow.next(Duration.ZERO)).isInstanceOf(StoreRefusal.class)
                .hasMessageStartingWith("too old resource version: " + made.revision());
        assertThatThrownBy(() -> store.watch(Resource.PODS, made.revision())).isInstanceOf(StoreRefusal.class);
    }

    @Test
    void changes_of_one_resource_do_not_push_those_of_another_out_of_the_window() throws InterruptedException {
        ObjectKey node = new ObjectKey(Resource.NODES, "", "n1");
        long before = store.revision();
        store.create(node, body(1));
        store.create(WEB, body(0));
        for (int i = 1; i < 10; i++) {
            store.update(WEB, body(i));
        }
        assertThat(store.watch(node.resource(), before).next(Duration.ZERO)).hasSize(1);
    }

    private static ObjectNode body(long value) {
        ObjectNode body = Json.object();
        body.putObject("spec").put("value", value);
        return body;
    }
}
