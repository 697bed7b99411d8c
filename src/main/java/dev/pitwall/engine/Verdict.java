package dev.pitwall.engine;

import java.util.List;

/** What a policy says about a load that is wanted. */
public sealed interface Verdict {

    /**
     * Load it there.
     *
     * @param victims placements of that provider that go to make room; all idle, none pinned
     */
    record Load(Provider provider, List<Placement> victims, Reason reason) implements Verdict {
        public Load {
            victims = List.copyOf(victims);
        }
    }

    /** It cannot be loaded now; asked again when something becomes free. */
    record Blocked() implements Verdict {
    }

    /** It could be loaded, but it is better not to yet; asked again when something becomes free, and at that time. */
    record Defer(double until, Reason reason) implements Verdict {
    }
}
