package dev.pitwall.lab.life;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.lab.scene.SceneFile;
import dev.pitwall.lab.scene.SceneWorld;
import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.World;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

class LabLifeTest {
    private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

    private World world;
    private Instant now;

    @BeforeEach
    void garage() throws Exception {
        world = garage(1);
        now = START;
    }

    @Test
    void aBusyCardGetsWarmAndCoolsDownAgain() {
        CardLife life = new CardLife();
        LabCard card = world.cards.get("pve2/0000:01:00");
        LabModelServer.Loaded model = world.servers.get("ollama-b").loaded.getFirst();
        model.busy = 1;
        run(life, 180, 0.5);
        assertThat(card.utilizationPercent).isBetween(60.0, 100.0);
        assertThat(card.powerW).isBetween(35.0, 50.0);
        assertThat(card.temperatureC).isBetween(58.0, 69.0);
        assertThat(card.smClockMHz).isGreaterThan(1600);
        model.busy = 0;
        run(life, 10, 0.5);
        assertThat(card.utilizationPercent).isLessThan(1);
        assertThat(card.temperatureC).as("cools slowly").isGreaterThan(50);
        run(life, 600, 0.5);
        assertThat(card.temperatureC).isLessThan(34);
        assertThat(card.smClockMHz).isEqualTo(210);
    }

    @Test
    void aFastLabBehavesLikeASlowOne() {
        LabCard card = world.cards.get("pve2/0000:01:00");
        world.servers.get("ollama-b").loaded.getFirst().busy = 1;
        run(new CardLife(), 600, 60);
        assertThat(card.temperatureC).isBetween(58.0, 69.0);
    }

    @Test
    void memoryFollowsWhatIsLoaded() {
        CardLife life = new CardLife();
        LabCard card = world.cards.get("pve2/0000:01:00");
        assertThat(card.memoryUsedMiB).isEqualTo(5177344000L >> 20);
        world.servers.get("ollama-b").loaded.clear();
        run(life, 0.25, 0.25);
        assertThat(card.memoryUsedMiB).as("not back at once").isPositive();
        run(life, 3, 0.25);
        assertThat(card.memoryUsedMiB).isZero();
    }

    @Test
    void requestsComeAndGoAndIdleModelsLeave() {
        RequestLife requests = new RequestLife();
        LabModelServer server = world.servers.get("ollama-c");
        boolean busySeen = false;
        for (int i = 0; i < 1200; i++) {
            run(requests, 0.5, 0.5);
            busySeen |= server.loaded.stream().anyMatch(model -> model.busy > 0);
            assertThat(server.loaded.stream().mapToLong(model -> model.model.vramBytes()).sum())
                    .isLessThan(8188L << 20);
        }
        assertThat(busySeen).isTrue();
        server.installed.clear();
        run(requests, 900, 1);
        assertThat(server.loaded).as("installed nothing any more, so nobody asks and all expire").isEmpty();
    }

    /** As with Ollama: the last time to stay that was asked for counts, and nobody but the answer keeps it. */
    @Test
    void aModelThatIsToldToGoGoesWhenItHasAnswered() {
        RequestLife requests = new RequestLife();
        LabModelServer server = world.servers.get("ollama-b");
        for (int i = 0; i < 600 && server.loaded.stream().noneMatch(model -> model.busy > 0); i++) {
            run(requests, 0.5, 0.5);
        }
        LabModelServer.Loaded model = server.loaded.stream().filter(l -> l.busy > 0).findFirst().orElseThrow();
        model.expiresAt = model.readyAt;
        model.told = true;
        run(requests, 0.5, 0.5);
        assertThat(server.loaded).as("it answers").contains(model);
        run(requests, 120, 0.5);
        assertThat(server.loaded).doesNotContain(model);
    }

    @Test
    void aPinnedModelStays() {
        LabModelServer.Loaded model = world.servers.get("ollama-b").loaded.getFirst();
        model.expiresAt = START.plus(Duration.ofDays(36_500));
        model.busy = 1;
        world.servers.get("ollama-b").installed.clear();
        run(new RequestLife(), 3600, 10);
        assertThat(world.servers.get("ollama-b").loaded).contains(model);
    }

    @Test
    void theSameSeedGivesTheSameRun() throws Exception {
        assertThat(figures(garage(5))).isEqualTo(figures(garage(5))).isNotEqualTo(figures(garage(6)));
    }

    private List<Double> figures(World of) {
        List<LabLife.Behaviour> all = List.of(new RequestLife(), new CardLife(), new VmLife());
        for (int i = 1; i <= 400; i++) {
            Instant at = START.plusMillis(250L * i);
            of.change(w -> all.forEach(behaviour -> behaviour.step(w, at, 0.25)));
        }
        return of.read(w -> w.cards.values().stream().map(card -> card.temperatureC).toList());
    }

    private void run(LabLife.Behaviour behaviour, double seconds, double step) {
        for (double done = 0; done < seconds - 1e-9; done += step) {
            now = now.plusMillis(Math.round(step * 1000));
            world.change(w -> behaviour.step(w, now, step));
        }
    }

    private static World garage(long seed) throws Exception {
        World made = new World(new LabClock(InstantSource.fixed(START)), seed);
        SceneWorld.fill(made, new SceneFile().bundled("garage"));
        return made;
    }
}
