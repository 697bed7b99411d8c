package dev.pitwall.ui.board;

import dev.pitwall.engine.live.ProviderView;
import dev.pitwall.engine.live.ProviderView.PlacementView;
import dev.pitwall.engine.live.ProviderView.State;
import dev.pitwall.engine.live.WallView;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The figures in the page's head.
 *
 * @param tokensPerSecond of all that answer; empty where no server tells
 * @param answering       requests in service; a server that does not tell how many counts as one
 * @param free            bytes
 */
record Summary(OptionalDouble tokensPerSecond, int answering, int waiting, long free, long total) {

    static Summary of(WallView view) {
        List<State.Busy> busy = view.providers().stream().flatMap(p -> p.placements().stream()).map(PlacementView::state)
                .<State.Busy>mapMulti((state, out) -> {
                    switch (state) {
                        case State.Busy b -> out.accept(b);
                        case State.Asked _, State.Loading _, State.Idle _, State.Unloading _, State.Failed _, State.Lost _ -> { }
                    }
                }).toList();
        boolean told = busy.isEmpty() || busy.stream().anyMatch(b -> b.tokensPerSecond().isPresent());
        double rate = busy.stream().mapToDouble(b -> b.tokensPerSecond().orElse(0)).sum();
        return new Summary(told ? OptionalDouble.of(rate) : OptionalDouble.empty(),
                busy.stream().mapToInt(b -> Math.max(1, b.requests())).sum(), view.queue().size(),
                view.providers().stream().flatMap(p -> p.room().stream()).mapToLong(ProviderView.Room::free).sum(),
                view.providers().stream().flatMap(p -> p.room().stream()).mapToLong(ProviderView.Room::total).sum());
    }
}
