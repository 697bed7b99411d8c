package dev.pitwall.engine.vram;

/** What a recurrent layer keeps of one sequence, in f32 values (llama-hparams.cpp: n_embd_r and n_embd_s). */
final class StateValues {
    private static final long TOKEN_SHIFTS = 2;
    private static final long DELTA_STREAMS = 3;
    private static final long DELTA_KERNEL = 4;

    private final Metadata keys;
    private final ArchitectureRule rule;

    StateValues(Metadata keys, ArchitectureRule rule) {
        this.keys = keys;
        this.rule = rule;
    }

    long perLayer() {
        long width = keys.own("embedding_length", 0);
        long wkv = keys.own("wkv.head_size", 0);
        if (wkv > 0) {
            return keys.own("token_shift_count", TOKEN_SHIFTS) * width + width * wkv;
        }
        long shortCache = keys.own("shortconv.l_cache", 0);
        if (shortCache > 0) {
            return width * (shortCache - 1);
        }
        long delta = keys.own("kda.head_dim", 0);
        if (delta > 0) {
            long inner = heads() * delta;
            return DELTA_STREAMS * (keys.own("ssm.conv_kernel", DELTA_KERNEL) - 1) * inner + inner * delta;
        }
        if (!keys.has("ssm.state_size") && rule.recurrent() == ArchitectureRule.Recurrent.INTERVAL) {
            long head = keys.own("attention.key_length", heads() == 0 ? 0 : width / heads());
            return head * head * heads();
        }
        return convolution() + keys.own("ssm.state_size", 0) * keys.own("ssm.inner_size", 0);
    }

    private long convolution() {
        long groups = rule.groups() == ArchitectureRule.Groups.IGNORED ? 0 : keys.own("ssm.group_count", 0);
        return Math.max(0, keys.own("ssm.conv_kernel", 1) - 1)
                * (keys.own("ssm.inner_size", 0) + 2 * groups * keys.own("ssm.state_size", 0));
    }

    private long heads() {
        return keys.own("attention.head_count", 0);
    }
}
