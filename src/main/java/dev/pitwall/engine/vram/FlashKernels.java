package dev.pitwall.engine.vram;

import java.util.Optional;
import java.util.stream.IntStream;

/**
 * For which heads CUDA has flash attention (ggml-cuda/fattn.cu of ggml 0.20, seen on a card of compute capability 9.0). For
 * others llama.cpp computes attention with the whole matrix of weights; or, with a quantised cache, on the processor.
 */
final class FlashKernels {
    private static final int GROUPED = 2;

    private final Metadata keys;
    private final PerLayer perLayer;

    FlashKernels(Metadata keys, PerLayer perLayer) {
        this.keys = keys;
        this.perLayer = perLayer;
    }

    /** @return the heads that have no kernel, in words; empty if all have one */
    Optional<String> missing(LayerPlan plan, boolean encoder) {
        return IntStream.range(0, plan.layers().size()).filter(i -> encoder || plan.layers().get(i).keys() > 0)
                .mapToObj(i -> missing(plan.layers().get(i).reach(), group(i, plan.layers().get(i).reach())))
                .flatMap(Optional::stream).findFirst();
    }

    /** Heads of the whole that the widest layer has. */
    long heads() {
        return IntStream.range(0, (int) Math.max(1, keys.own("block_count", 1))).mapToLong(this::heads).max().orElse(1);
    }

    private long heads(int layer) {
        return Math.max(1, perLayer.number("attention.head_count", layer).orElse(1L));
    }

    private long group(int layer, Layer.Reach reach) {
        return heads(layer) / Math.max(1, perLayer.kvHeads(layer, reach));
    }

    private Optional<String> missing(Layer.Reach reach, long group) {
        long key = perLayer.keyLength(reach);
        long value = perLayer.valueLength(reach);
        return key == 0 || fits(key, value, group) ? Optional.empty() : Optional.of(key + " for keys and " + value + " for values");
    }

    private static boolean fits(long key, long value, long group) {
        return switch ((int) key) {
            case 40, 64, 72, 80, 96, 112, 128, 256 -> value == key;
            case 192 -> value == 128 && group % 8 == 0;
            case 320 -> value == 256 && group % 32 == 0;
            case 512 -> value == key && group >= GROUPED;
            case 576 -> value == 512 && group >= GROUPED;
            default -> false;
        };
    }
}
