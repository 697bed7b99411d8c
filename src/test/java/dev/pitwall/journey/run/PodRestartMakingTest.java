package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.PodRestart;
import dev.pitwall.journey.operator.PaperCluster;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Pods that begin anew: each is told by its UID, since the next one may have its name. */
class PodRestartMakingTest {
    private final PaperCluster cluster = new PaperCluster();
    private final AtomicLong seconds = new AtomicLong();
    private final Patience patience = new Patience(() -> Instant.ofEpochSecond(seconds.get()),
            time -> seconds.addAndGet(Math.max(1, time.toSeconds())), Duration.ofSeconds(2), Duration.ofMinutes(5), Duration.ofMinutes(3));

    private static String pod(String name, String uid) {
        return "{metadata: {name: " + name + ", namespace: gpu-operator, uid: " + uid + "}}";
    }

    private PodRestartMaking restart(PaperCluster where, String... names) {
        List<PodRestart.Pod> pods = List.of(names).stream()
                .map(name -> new PodRestart.Pod("gpu-operator", name, "old-" + name, "DaemonSet driver")).toList();
        return new PodRestartMaking(new PodRestart("paper", pods, Duration.ofSeconds(30), Duration.ofMinutes(3), "anew"), where, patience);
    }

    private boolean isThere(String name) throws Exception {
        return cluster.get(new ObjectRef(ObjectType.POD, "gpu-operator", name)).isPresent();
    }

    @Test
    void thePodsGoAndThenItStandsAsAfter() throws Exception {
        cluster.with(ObjectType.POD, pod("a", "old-a"), pod("b", "old-b"), pod("other", "x"));
        PodRestartMaking making = restart(cluster, "a", "b");
        assertThat(making.standing(Optional.empty())).isEqualTo(Standing.BEFORE);

        making.make(Optional.empty());

        assertThat(making.standing(Optional.empty())).isEqualTo(Standing.AFTER);
        assertThat(isThere("a") || isThere("b")).isFalse();
        assertThat(isThere("other")).isTrue();
    }

    @Test
    void onePartWasDeletedBeforeTheRunDiedAndOnlyTheRestIsDeleted() throws Exception {
        cluster.with(ObjectType.POD, pod("a", "new-a"), pod("b", "old-b"));
        PodRestartMaking making = restart(cluster, "a", "b");
        assertThat(making.standing(Optional.empty())).isInstanceOf(Standing.Half.class);

        making.make(Optional.empty());

        assertThat(isThere("a")).as("the next pod of that name").isTrue();
        assertThat(isThere("b")).isFalse();
    }

    @Test
    void aPodThatDoesNotGoIsATroubleThatSaysWhatToLookAt() {
        cluster.with(ObjectType.POD, pod("a", "old-a"));
        PaperCluster stuck = new PaperCluster() {
            @Override
            public void delete(ObjectRef object) {
                // Its kubelet never says that it has ended.
            }
        };
        stuck.objects.putAll(cluster.objects);

        assertThatThrownBy(() -> restart(stuck, "a").make(Optional.empty()))
                .isInstanceOfSatisfying(TroubleException.class, e -> {
                    assertThat(e.trouble().where()).isEqualTo("gpu-operator/a");
                    assertThat(e.trouble().next()).contains("finalizers");
                });
        assertThat(seconds.get()).isGreaterThanOrEqualTo(180);
    }

    private static String held(String name, String status) {
        return "{metadata: {name: " + name + ", namespace: gpu-operator, uid: old-" + name + "}, status: " + status + "}";
    }

    private static final String RAN = "{phase: Running, containerStatuses: [{state: {running: {startedAt: '%s'}}}]}";
    private static final String REFUSED = "{phase: Failed, reason: UnexpectedAdmissionError}";

    private PodRestartMaking afterBoot(String... names) {
        List<PodRestart.Pod> pods = List.of(names).stream().map(name -> new PodRestart.Pod("gpu-operator", name, "old-" + name,
                "ReplicaSet model", "2026-01-01T00:00:00Z")).toList();
        return new PodRestartMaking(new PodRestart("paper", pods, PodRestart.Which.REFUSED, Duration.ofSeconds(30),
                Duration.ofMinutes(3), "anew"), cluster, patience);
    }

    @Test
    void afterABootOnlyWhatTheKubeletRefusesGoesAndWhatBeginsAnewStays() throws Exception {
        cluster.with(ObjectType.POD, held("runs", RAN.formatted("2026-01-01T08:00:00Z")), held("refused", REFUSED));
        PodRestartMaking making = afterBoot("runs", "refused", "gone");
        assertThat(making.standing(Optional.empty())).isEqualTo(Standing.BEFORE);

        assertThat(making.make(Optional.empty())).isEqualTo("1 was refused");

        assertThat(making.standing(Optional.empty())).isEqualTo(Standing.AFTER);
        assertThat(isThere("runs")).isTrue();
        assertThat(isThere("refused")).isFalse();
    }

    @Test
    void aPodThatTheKubeletHasNotDecidedOnIsWaitedFor() throws Exception {
        cluster.with(ObjectType.POD, held("slow", RAN.formatted("2026-01-01T00:00:00Z")));
        PodRestartMaking making = new PodRestartMaking(new PodRestart("paper", List.of(new PodRestart.Pod("gpu-operator", "slow",
                "old-slow", "ReplicaSet model", "2026-01-01T00:00:00Z")), PodRestart.Which.REFUSED, Duration.ofSeconds(30),
                Duration.ofMinutes(3), "anew"), cluster, new Patience(() -> Instant.ofEpochSecond(seconds.get()), time -> {
                    if (seconds.addAndGet(Math.max(1, time.toSeconds())) > 10 && seconds.get() < 100) {
                        seconds.set(100);
                        cluster.objects.get(ObjectType.POD).clear();
                        cluster.with(ObjectType.POD, held("slow", REFUSED));
                    }
                }, Duration.ofSeconds(2), Duration.ofMinutes(5), Duration.ofMinutes(3)));

        making.make(Optional.empty());

        assertThat(isThere("slow")).isFalse();
    }

    @Test
    void onePodThatNeverBeginsEndsTheWaitAndIsNoFailure() throws Exception {
        cluster.with(ObjectType.POD, held("waits", "{phase: Pending}"));

        assertThat(afterBoot("waits").make(Optional.empty())).isEqualTo("none was refused");

        assertThat(isThere("waits")).isTrue();
        assertThat(seconds.get()).isGreaterThanOrEqualTo(180);
    }
}
