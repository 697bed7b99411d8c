package dev.pitwall.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.engine.live.Away;
import dev.pitwall.engine.live.EngineRecord.Kept;
import dev.pitwall.engine.live.Entry;
import dev.pitwall.engine.live.MeasuredSpeed;
import dev.pitwall.engine.live.Mode;
import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.engine.live.ProviderId;
import dev.pitwall.engine.live.ProviderView.Hold;
import dev.pitwall.engine.live.ServerDriver;
import dev.pitwall.engine.live.WallView;
import dev.pitwall.engine.live.Wish;
import dev.pitwall.engine.vram.Amount;
import dev.pitwall.engine.vram.CacheType;
import dev.pitwall.engine.vram.MeasuredLoad;
import dev.pitwall.engine.vram.VramKey;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteEngineTest {
    private static final Instant AT = Instant.ofEpochMilli(1_000_000);
    private static final ProviderId OLLAMA = new ProviderId("ollama-a");
    private static final PlacementId THERE = new PlacementId(OLLAMA, new ModelName("qwen3:8b"));

    @TempDir
    private Path temp;

    private static Entry entry(long number, Optional<Wish> wish) {
        return new Entry(number, AT, Entry.Kind.LOADING, Optional.of(1L), Optional.of(THERE), "Loading", "why", wish);
    }

    @Test
    void whatTheEngineKnowsOutlivesTheProcess() throws Exception {
        List<Wish> wishes = List.of(new Wish.Place(THERE.model(), OLLAMA), new Wish.Move(THERE, OLLAMA), new Wish.Evict(THERE),
                new Wish.Pin(THERE), new Wish.Unpin(THERE), new Wish.Hold(OLLAMA, Optional.of(AT)), new Wish.Release(OLLAMA),
                new Wish.Cancel(THERE), new Wish.Pull(THERE.model(), OLLAMA), new Wish.CancelPull(THERE.model(), OLLAMA),
                new Wish.MeasureSpeed(THERE), new Wish.SetMode(Mode.MANUAL));
        Entry all = entry(7, Optional.of(new Wish.All(wishes)));
        Map<ProviderId, Hold> holds = Map.of(OLLAMA, new Hold(AT, Optional.empty(), "me"));
        MeasuredLoad load = new MeasuredLoad(new VramKey("d1", 4096, 1, CacheType.F16, "RTX A1000"), 5_000_000_000L,
                new Amount(1, 2, 3), MeasuredLoad.Source.CARD, AT);
        MeasuredSpeed speed = new MeasuredSpeed(THERE, Optional.of("d1"), 31.2, OptionalDouble.of(4.1), AT);
        Away away = new Away(THERE, ServerDriver.Stay.ALWAYS);
        try (Database database = Database.open(new DataFolder(temp))) {
            SqliteEngine engine = new SqliteEngine(database, "site");
            assertThat(engine.read()).isEqualTo(Kept.NOTHING);
            engine.decided(Mode.AUTOMATIC, Set.of(THERE), holds);
            engine.measured(List.of(load));
            engine.speeds(List.of(speed));
            engine.away(List.of(away));
            engine.logged(entry(6, Optional.empty()));
            engine.logged(all);
        }
        try (Database database = Database.open(new DataFolder(temp))) {
            assertThat(new SqliteEngine(database, "site").read()).isEqualTo(new Kept(Mode.AUTOMATIC, Set.of(THERE), holds,
                    List.of(load), List.of(speed), List.of(away), List.of(all, entry(6, Optional.empty()))));
            assertThat(new SqliteEngine(database, "other").read()).isEqualTo(Kept.NOTHING);
        }
    }

    @Test
    void theLogKeepsWhatAViewShows() throws Exception {
        try (Database database = Database.open(new DataFolder(temp))) {
            SqliteEngine engine = new SqliteEngine(database, "site");
            for (int number = 1; number <= WallView.LOG + 5; number++) {
                engine.logged(entry(number, Optional.empty()));
            }
            assertThat(engine.read().log()).hasSize(WallView.LOG).first().extracting(Entry::number)
                    .isEqualTo((long) WallView.LOG + 5);
        }
    }
}
