package dev.pitwall.engine.vram;

/**
 * Bytes of a model's weights.
 *
 * @param card  in the card's memory
 * @param host  looked up by token: they stay in the host's memory
 * @param twice of both: an embedding that is the output too lies in both places, the file has it once
 * @param basis where the figures come from
 */
record Weights(Amount card, Amount host, long twice, Basis basis) {

    enum Basis {
        /** Every tensor's size was read. */
        TENSORS,
        /** The number of weights is known, their sizes follow from how the file is quantised. */
        PARAMETERS,
        /** As PARAMETERS, with a number rounded to a few digits. */
        ROUNDED_PARAMETERS,
        /** The number of weights was counted from the configuration. */
        CONFIGURATION
    }
}
