package dev.pitwall.engine.live;

import dev.pitwall.engine.vram.Amount;
import dev.pitwall.engine.vram.Quantisations;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the name of a model says of its size, as makers of GGUF files write it: {@code Qwen2.5-Coder-3B-Instruct-Q4_K_M},
 * {@code mixtral-8x7b-q5_0}, {@code SmolLM2-135M-F16}. Half as much or half as much again is well possible.
 */
final class NamedSize {
    /** Eight times seven billions share what is not an expert's: about six sevenths of the product (Mixtral: 46.7 of 56). */
    private static final double SHARED = 0.85;
    /** Context memory and buffers beside the weights. */
    private static final double BESIDE_WEIGHTS = 1.15;
    private static final double SPREAD = 0.5;
    /** The most usual quantisation, {@code Q4_K_M}, where the name tells none. */
    private static final double USUAL_BITS = 4.9;
    private static final double BYTE = 8;
    /** Not the {@code A3B} of those that are active at a time. */
    private static final Pattern PARAMETERS =
            Pattern.compile("(?<![A-Z0-9.])(?:(\\d{1,3})X)?(\\d{1,4}(?:\\.\\d{1,2})?)([BM])(?![A-Z0-9])");
    private static final Pattern TYPE = Pattern.compile("(?<![A-Z0-9])(BF16|F16|F32|MXFP4|I?Q[1-8](?:_[A-Z0-9]{1,3}){0,2})(?![A-Z0-9])");

    private final Quantisations types = Quantisations.load();

    /** @return bytes; empty where the name has no number of parameters */
    Optional<Amount> of(ModelName model) {
        String name = model.text().toUpperCase(Locale.ROOT);
        Matcher parameters = PARAMETERS.matcher(name);
        double most = 0;
        while (parameters.find()) {
            most = Math.max(most, number(parameters));
        }
        return most == 0 ? Optional.empty()
                : Optional.of(Amount.about(Math.round(most * bits(name) / BYTE * BESIDE_WEIGHTS), SPREAD));
    }

    private static double number(Matcher parameters) {
        double each = Double.parseDouble(parameters.group(2)) * (parameters.group(3).equals("B") ? 1e9 : 1e6);
        return parameters.group(1) == null ? each : each * Integer.parseInt(parameters.group(1)) * SHARED;
    }

    private double bits(String name) {
        Matcher type = TYPE.matcher(name);
        OptionalDouble bits = OptionalDouble.empty();
        while (type.find()) {
            OptionalDouble found = types.bits(type.group(1));
            bits = found.isPresent() ? found : bits;
        }
        return bits.orElse(USUAL_BITS);
    }
}
