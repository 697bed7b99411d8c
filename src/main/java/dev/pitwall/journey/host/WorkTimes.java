package dev.pitwall.journey.host;

import com.fasterxml.jackson.core.type.TypeReference;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.pitwall.journey.change.CommandChange;

/** How long the work on a host usually takes and may take, from {@code journey/host-times.yaml}. */
final class WorkTimes {
    private final Map<String, Row> rows = HostData.read("host-times.yaml", new TypeReference<>() { });

    /**
     * @param takesSeconds what a person is told to expect
     * @param limitSeconds when Pitwall stops waiting
     * @param guestSeconds more of the limit for each guest that has to shut down first
     * @param basis        what the numbers rest on
     */
    private record Row(int takesSeconds, int limitSeconds, int guestSeconds, String basis) {
    }

    /** @param key of the table, for example {@code update-grub} */
    CommandChange command(String host, String key, List<String> arguments, String summary) {
        return new CommandChange(host, arguments, summary, takes(key), limit(key, 0));
    }

    Duration takes(String key) {
        return Duration.ofSeconds(rows.get(key).takesSeconds());
    }

    Duration limit(String key, int guests) {
        Row row = rows.get(key);
        return Duration.ofSeconds(row.limitSeconds() + (long) guests * row.guestSeconds());
    }
}
