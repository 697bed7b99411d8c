package dev.pitwall.engine.vram;

import java.util.List;
import java.util.Optional;

/** Which keys a model's context memory cannot be worked out without. */
final class MissingKeys {
    private final Metadata keys;
    private final ArchitectureRule rule;

    MissingKeys(Metadata keys, ArchitectureRule rule) {
        this.keys = keys;
        this.rule = rule;
    }

    void sayWhatIsMissing(Optional<LayerPlan> plan, Remarks remarks) {
        if (plan.isEmpty()) {
            remarks.add("the number of layers is not told (block_count): no figure for the context");
        } else if (!enough(plan.get())) {
            remarks.add("the size of heads or states is not told (" + String.join(", ", absent()) + "): no figure for the context");
        }
    }

    /** False if layers that have to keep something would keep nothing, because no key says how much. */
    boolean enough(LayerPlan plan) {
        if (plan.layers().isEmpty()) {
            return false;
        }
        boolean attends = plan.attending() > 0;
        boolean recurs = plan.recurrent() > 0;
        return switch (rule.cache()) {
            case NONE, BORROWED -> true;
            case COMPRESSED -> keys.own("attention.key_length", 0) > 0;
            case ATTENTION -> switch (rule.recurrent()) {
                case NONE -> attends;
                case ALL -> recurs;
                case BESIDE_ATTENTION, INTERVAL -> attends && recurs;
                // Told by layer: a file may have one kind only.
                case WITHOUT_KV_HEADS, WITHOUT_KV_HEADS_AND_FFN -> attends || recurs;
            };
        };
    }

    private List<String> absent() {
        List<String> wanted = switch (rule.recurrent()) {
            case NONE -> List.of("embedding_length", "attention.head_count", "attention.key_length");
            case ALL -> List.of("embedding_length", "ssm.inner_size", "ssm.state_size", "wkv.head_size");
            default -> List.of("embedding_length", "attention.head_count", "ssm.inner_size", "ssm.state_size");
        };
        return wanted.stream().filter(k -> keys.own(k).isEmpty()).toList();
    }
}
