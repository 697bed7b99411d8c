package dev.pitwall.ui.doctor;

import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Finding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The messages about new findings of one site that still show. One goes when a look finds none of its causes any more; but a look
 * that could not see everything it saw when the message was given proves nothing, and takes no message away. To be used on one
 * thread.
 */
final class Alarms {

    /** @param unseen what could not be looked at when it was told */
    private record Told(Set<String> unseen, Runnable away) {
    }

    private final Map<String, Told> told = new LinkedHashMap<>();

    /** @param away takes the one message about all of these away */
    void told(List<Finding> findings, Diagnosis seen, Runnable away) {
        findings.forEach(f -> told.put(f.trap().name(), new Told(Set.copyOf(seen.unseen()), away)));
    }

    /** Somebody has looked again. A message that tells of several stays as long as one of them does. */
    void looked(Diagnosis now) {
        List<String> there = now.findings().stream().filter(Finding::certain).map(f -> f.trap().name()).toList();
        List<String> gone = told.entrySet().stream().filter(t -> !there.contains(t.getKey()))
                .filter(t -> t.getValue().unseen().containsAll(now.unseen())).map(Map.Entry::getKey).toList();
        gone.forEach(cause -> {
            Runnable away = told.remove(cause).away();
            if (told.values().stream().noneMatch(t -> t.away() == away)) {
                away.run();
            }
        });
    }

    /** The site is closed. */
    void end() {
        told.values().forEach(t -> t.away().run());
        told.clear();
    }
}
