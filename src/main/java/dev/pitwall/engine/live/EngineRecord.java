package dev.pitwall.engine.live;

import dev.pitwall.card.TroubleException;
import dev.pitwall.engine.vram.MeasuredLoad;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the engine of one site keeps over a restart. */
public interface EngineRecord {

    /** What an earlier run left. */
    Kept read() throws TroubleException;

    void decided(Mode mode, Set<PlacementId> pins, Map<ProviderId, ProviderView.Hold> holds) throws TroubleException;

    /** @param loads all that are known, oldest first */
    void measured(List<MeasuredLoad> loads) throws TroubleException;

    /** @param speeds all that are known, oldest first */
    void speeds(List<MeasuredSpeed> speeds) throws TroubleException;

    void logged(Entry entry) throws TroubleException;

    /** @param log newest first */
    record Kept(Mode mode, Set<PlacementId> pins, Map<ProviderId, ProviderView.Hold> holds, List<MeasuredLoad> loads,
                List<MeasuredSpeed> speeds, List<Entry> log) {
        /** Of a site that has had no engine yet. */
        public static final Kept NOTHING = new Kept(Mode.SUGGEST, Set.of(), Map.of(), List.of(), List.of(), List.of());

        public Kept {
            pins = Set.copyOf(pins);
            holds = Map.copyOf(holds);
            loads = List.copyOf(loads);
            speeds = List.copyOf(speeds);
            log = List.copyOf(log);
        }
    }

    /** Keeps nothing: of sites that cannot be opened again. */
    EngineRecord NONE = new EngineRecord() {
        @Override
        public Kept read() {
            return Kept.NOTHING;
        }

        @Override
        public void decided(Mode mode, Set<PlacementId> pins, Map<ProviderId, ProviderView.Hold> holds) {
            // Ends with the run.
        }

        @Override
        public void measured(List<MeasuredLoad> loads) {
            // Ends with the run.
        }

        @Override
        public void speeds(List<MeasuredSpeed> speeds) {
            // Ends with the run.
        }

        @Override
        public void logged(Entry entry) {
            // Ends with the run.
        }
    };
}
