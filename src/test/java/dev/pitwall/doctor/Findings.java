package dev.pitwall.doctor;

import dev.pitwall.doctor.catalogue.Trap;
import dev.pitwall.doctor.catalogue.TrapCatalogue;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Finding;

import java.util.List;

/** Findings of causes of the catalogue, as a look would have given them. */
public final class Findings {
    private static final TrapCatalogue CATALOGUE = TrapCatalogue.load();

    private Findings() {
    }

    public static Finding of(String trap, String... nodes) {
        Trap known = CATALOGUE.named(trap).orElseThrow();
        return new Finding(known, 0.9, known.title(), List.of(nodes), List.of(), List.of(), List.of(), List.of());
    }

    /** What a look gives that finds these. */
    public static Diagnosis seen(Finding... findings) {
        return new Diagnosis(List.of(findings), List.of(), List.of(), List.of(), List.of(), List.of(),
                new Diagnosis.Looked(1, 1, 1, 1));
    }
}
