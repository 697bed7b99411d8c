package dev.pitwall.journey.guest;

import dev.pitwall.card.Source;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.survey.Shown;
import dev.pitwall.journey.survey.VmSurvey;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Collects the rows of "What we found", each with what showed it. */
final class Evidence {
    private static final int MOST_DECIDING = 5;

    private final Situation situation;
    private final List<Found> rows = new ArrayList<>();

    Evidence(Situation situation) {
        this.situation = situation;
    }

    /**
     * A row out of what the VM's survey rests on.
     *
     * @param shown    name of the reading, for example {@code config}
     * @param deciding what the lines that decide contain; empty text for none
     */
    void vm(String shown, String name, String value, Mark mark, String deciding) {
        add(situation.vm().map(VmSurvey::shown).orElse(Map.of()), shown, name, value, mark, deciding);
    }

    void host(String shown, String name, String value, Mark mark, String deciding) {
        add(situation.host().shown(), shown, name, value, mark, deciding);
    }

    void datacenter(String shown, String name, String value, Mark mark, String deciding) {
        add(situation.datacenter().map(d -> d.shown()).orElse(Map.of()), shown, name, value, mark, deciding);
    }

    private void add(Map<String, Shown> all, String shown, String name, String value, Mark mark, String deciding) {
        Shown by = all.getOrDefault(shown, unnamed(all, shown));
        rows.add(new Found(name, value, mark, by.source(), by.at(), by.raw(), lines(by.raw(), deciding)));
    }

    /** For a fact whose reading was not kept: it is of the same moment as the others. */
    private Shown unnamed(Map<String, Shown> all, String shown) {
        Instant at = all.values().stream().map(Shown::at).max(Comparator.naturalOrder()).orElse(Instant.EPOCH);
        return new Shown(new Source(Source.Kind.PROXMOX, situation.host().host(), shown), at, "", true);
    }

    private static List<Integer> lines(String raw, String deciding) {
        List<String> lines = raw.lines().toList();
        return deciding.isEmpty() ? List.of() : IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).contains(deciding)).limit(MOST_DECIDING).mapToObj(i -> i + 1).toList();
    }

    List<Found> rows() {
        return List.copyOf(rows);
    }
}
