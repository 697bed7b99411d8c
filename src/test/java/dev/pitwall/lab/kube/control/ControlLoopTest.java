package dev.pitwall.lab.kube.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.lab.kube.api.ResourceCatalog;
import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ControlLoopTest {
    private static final Instant BEGIN = Instant.parse("2026-09-01T08:00:00Z");

    /** Never comes to do anything. */
    private static final class Failing implements Controller {
        final List<Instant> turns = new ArrayList<>();

        @Override
        public Set<Resource> watches() {
            return Set.of();
        }

        @Override
        public void observe(Change change) {
            // Nothing is watched.
        }

        @Override
        public Instant act(Instant now) {
            turns.add(now);
            throw new IllegalStateException("on purpose");
        }
    }

    @Test
    void aControllerThatFailsComesAgainLaterAndLater() {
        World world = new World(new LabClock(() -> BEGIN), 1);
        ClusterClock clock = new ClusterClock(world.clock());
        Failing failing = new Failing();
        try (ObjectStore store = new ObjectStore(clock, ResourceCatalog.load(), 64);
             ControlLoop loop = new ControlLoop(world, store, clock, List.of(failing))) {
            loop.live(BEGIN, BEGIN.plus(Duration.ofDays(1)));
        }
        assertThat(failing.turns).hasSizeBetween(50, 150);
        assertThat(Duration.between(failing.turns.get(failing.turns.size() - 2), failing.turns.getLast()))
                .isEqualTo(Duration.ofSeconds(1000));
    }
}
