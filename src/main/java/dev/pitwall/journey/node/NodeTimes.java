package dev.pitwall.journey.node;

import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Risk;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** How long the work on a node usually takes and may take, from {@code journey/node-times.yaml}. */
final class NodeTimes {
    private final Map<String, Row> rows = NodeData.named("node-times.yaml", Row.class);

    /** @param basis what the numbers rest on */
    private record Row(int takes, int limit, String basis) {
    }

    Duration takes(String key) {
        return Duration.ofSeconds(rows.get(key).takes());
    }

    Duration limit(String key) {
        return Duration.ofSeconds(rows.get(key).limit());
    }

    /** @param key of the table, for example {@code initramfs} */
    CommandChange command(String machine, String key, List<String> arguments, String summary, Risk risk) {
        return new CommandChange(machine, arguments, summary, risk, takes(key), limit(key));
    }
}
