package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether a VM runs, and since when.
 *
 * @param status {@code running} or {@code stopped}
 * @param qmp    {@code running}, {@code paused}, {@code prelaunch}, ...; the status where it is not told
 * @param lock   for example {@code backup}
 * @param pid    of its process
 * @param uptime in seconds
 */
record VmLife(String status, String qmp, Optional<String> lock, OptionalLong pid, long uptime) {
    private static final String OFF = "off";
    private static final Pattern ON = Pattern.compile("pid (\\d+|unknown), up (\\d+) s");

    /** Of {@code status/current}. */
    static VmLife of(JsonNode current) {
        String status = current.path("status").asText();
        JsonNode pid = current.path("pid");
        return new VmLife(status, current.path("qmpstatus").asText(status),
                Optional.ofNullable(current.path("lock").textValue()),
                pid.asLong() > 0 ? OptionalLong.of(pid.asLong()) : OptionalLong.empty(),
                current.path("uptime").asLong());
    }

    boolean on() {
        return !status.equals("stopped");
    }

    /** Up, and its guest with it. */
    boolean running() {
        return status.equals("running") && qmp.equals("running");
    }

    /** Why it should not be touched now; {@code prelaunch} is a VM that a backup holds (facts 1.11). */
    Optional<String> hindrance() {
        if (lock.isPresent()) {
            return Optional.of("is locked (" + lock.get() + ")");
        }
        return on() && !running() ? Optional.of("is " + (qmp.equals("prelaunch") ? "held by a backup" : qmp))
                : Optional.empty();
    }

    /** As the journal keeps it. */
    String mark() {
        return on() ? "pid " + (pid.isPresent() ? pid.getAsLong() : "unknown") + ", up " + uptime + " s" : OFF;
    }

    /** True if it is on, and its process is another one than that of the mark. */
    boolean startedAfter(String mark) {
        Matcher then = ON.matcher(mark);
        if (!on() || !then.matches()) {
            return on();
        }
        boolean otherProcess = pid.isPresent() && !then.group(1).equals("unknown")
                && !then.group(1).equals(Long.toString(pid.getAsLong()));
        return otherProcess || uptime < Long.parseLong(then.group(2));
    }
}
