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

    /** @param away all that are on the processor for a measurement; returns when that is kept, as what follows may be cut off */
    void away(List<Away> away) throws TroubleException;

    void logged(Entry entry) throws TroubleException;

    /** @param away what an earlier run did not put back; @param log newest first */
    record Kept(Mode mode, Set<PlacementId> pins, Map<ProviderId, ProviderView.Hold> holds, List<MeasuredLoad> loads,
                List<MeasuredSpeed> speeds, List<Away> away, List<Entry> log) {
        /** Of a site that has had no engine yet. */
        public static final Kept NOTHING = new Kept(Mode.SUGGEST, Set.of(), Map.of(), List.of(), List.of(), List.of(),
                List.of());

        public Kept {
            pins = Set.copyOf(pins);
            holds = Map.copyOf(holds);
            loads = List.copyOf(loads);
            speeds = List.copyOf(speeds);
            away = List.copyOf(away);
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
        public void away(List<Away> away) {
            // Ends with the run.
        }

        @Override
        public void logged(Entry entry) {
            // Ends with the run.
        }
    };
}
