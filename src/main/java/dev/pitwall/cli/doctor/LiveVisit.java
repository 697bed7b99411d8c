package dev.pitwall.cli.doctor;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.cli.ExitCode;
import dev.pitwall.cli.OpenSite;
import dev.pitwall.cli.OpenSites;
import dev.pitwall.cli.Output;
import dev.pitwall.cli.journey.RunOutput;
import dev.pitwall.doctor.SiteDoctor;
import dev.pitwall.doctor.SiteDoctors;
import dev.pitwall.doctor.Treatment;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Watcher;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The Doctor at a live site: looks, and cures what it is told to. */
final class LiveVisit {
    private static final Duration FIRST_ANSWERS = Duration.ofSeconds(20);
    /** Each of them is planned by reading the systems once more. */
    private static final int PLANNED = 3;

    private final OpenSites sites;
    private final SiteDoctors doctors;
    private final Output output;
    private final RunOutput words;

    LiveVisit(OpenSites sites, SiteDoctors doctors, Output output) {
        this.sites = sites;
        this.doctors = doctors;
        this.output = output;
        this.words = new RunOutput(output);
    }

    /** @param treatments of the first findings */
    record Seen(Diagnosis diagnosis, Map<Finding, Treatment> treatments) {
    }

    /**
     * What is to be cured.
     *
     * @param really false to show the plan only
     */
    record Wish(String trap, Optional<String> card, Choices choices, boolean really) {
    }

    Seen look(String site) throws TroubleException, InterruptedException {
        try (OpenSite open = sites.open(site); SiteDoctor doctor = doctors.of(open.live())) {
            open.firstCompleteView(FIRST_ANSWERS);
            Diagnosis diagnosis = doctor.diagnose(Watcher.NONE);
            Map<Finding, Treatment> treatments = new LinkedHashMap<>();
            for (Finding finding : diagnosis.findings().stream().limit(PLANNED).toList()) {
                treatments.put(finding, doctor.treatment(finding, Optional.empty(), Choices.NONE, Watcher.NONE));
            }
            return new Seen(diagnosis, treatments);
        }
    }

    /** @return the exit code */
    int cure(String site, Wish wish, boolean json) throws TroubleException, InterruptedException {
        try (OpenSite open = sites.open(site); SiteDoctor doctor = doctors.of(open.live())) {
            open.firstCompleteView(FIRST_ANSWERS);
            Treatment treatment = doctor.treatment(find(doctor.diagnose(Watcher.NONE), wish.trap()), wish.card(),
                    wish.choices(), Watcher.NONE);
            if (!treatment.canBeMade()) {
                return byHand(treatment);
            }
            if (wish.really()) {
                return words.print(doctor.apply(treatment, words.progress(), new Stop()), json);
            }
            show(treatment, json);
            return output.badUse("--yes", "nothing was changed: this is done only with --yes");
        }
    }

    private static Finding find(Diagnosis diagnosis, String trap) throws TroubleException {
        List<Finding> all = diagnosis.findings();
        Optional<Finding> found = all.stream().filter(f -> f.trap().name().equals(trap)).findFirst();
        if (found.isEmpty()) {
            throw new TroubleException(new Trouble(Trouble.Kind.MISSING, "--fix " + trap, "the Doctor does not find this here now",
                    all.isEmpty() ? "It finds nothing wrong." : "It finds: " + all.stream().map(f -> f.trap().name())
                            .collect(Collectors.joining(", ")) + "."));
        }
        return found.get();
    }

    private void show(Treatment treatment, boolean json) {
        treatment.plan().ifPresent(plan -> {
            if (json) {
                output.json(words.json(plan));
            } else {
                output.text(words.text(plan));
            }
        });
    }

    private int byHand(Treatment treatment) {
        String why = treatment.means() instanceof Treatment.ByHand(String said) ? said : "there is nothing to change now";
        output.note("pitwall: " + treatment.finding().trap().title() + ": " + why);
        output.note("  " + treatment.finding().trap().fix().summary());
        int number = 1;
        for (String step : treatment.finding().trap().fix().steps()) {
            output.note("  " + number++ + ". " + step);
        }
        return ExitCode.FOUND;
    }
}
