package dev.pitwall;

import dev.pitwall.engine.live.Away;
import dev.pitwall.engine.live.EngineRecord;
import dev.pitwall.engine.live.Entry;
import dev.pitwall.engine.live.MeasuredSpeed;
import dev.pitwall.engine.live.Mode;
import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.engine.live.ProviderId;
import dev.pitwall.engine.live.ProviderView;
import dev.pitwall.engine.vram.MeasuredLoad;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What an earlier run has left; of this one only what is away. */
record RememberedEngine(Kept kept, List<List<Away>> left) implements EngineRecord {
    @Override
    public Kept read() {
        return kept;
    }

    @Override
    public void decided(Mode mode, Set<PlacementId> pins, Map<ProviderId, ProviderView.Hold> holds) {
        // Not read again.
    }

    @Override
    public void measured(List<MeasuredLoad> loads) {
        // Not read again.
    }

    @Override
    public void speeds(List<MeasuredSpeed> speeds) {
        // Not read again.
    }

    @Override
    public void away(List<Away> away) {
        left.add(away);
    }

    @Override
    public void logged(Entry entry) {
        // Not read again.
    }
}
