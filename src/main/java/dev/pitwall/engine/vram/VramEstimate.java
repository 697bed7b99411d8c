package dev.pitwall.engine.vram;

import java.util.List;
import java.util.Optional;

/**
 * What a model needs of a card when all of its layers lie there. A part without a figure is empty: it is not known, or the model
 * has none, and the notes say which.
 *
 * @param weights    on the card
 * @param host       weights that stay in the host's memory
 * @param context    keys, values and states, {@code states} of them states
 * @param compute    buffers for intermediate values
 * @param projector  encoder of pictures and sound, with its buffers
 * @param overhead   of the driver, for one process
 * @param flaws      why no server would load the model's files; empty where nothing is known against it
 * @param notes      what the figures rest on, and what is unsure
 */
public record VramEstimate(String model, String architecture, Use use, Optional<Amount> weights, Optional<Amount> host,
                           Optional<Amount> context, Optional<Long> states, Optional<Amount> compute, Optional<Amount> projector,
                           Amount overhead, List<String> flaws, List<String> notes) {

    public VramEstimate {
        flaws = List.copyOf(flaws);
        notes = List.copyOf(notes);
    }

    /** The sum; empty while weights, context or buffers have no figure. */
    public Optional<Amount> total() {
        return weights.flatMap(w -> context.flatMap(c -> compute.map(b -> w.plus(c).plus(b))))
                .map(sum -> sum.plus(projector.orElse(Amount.ZERO)).plus(overhead));
    }
}
