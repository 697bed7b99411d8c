package dev.pitwall;

import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.Doctor;
import dev.pitwall.doctor.SiteDoctor;
import dev.pitwall.doctor.catalogue.Trap;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.evidence.Evidence;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.run.Ladder;
import dev.pitwall.site.LiveSite;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.ui.doctor.Doctors;

import java.util.Optional;

/** The Doctor for the window: one catalogue for all sites, read when somebody first asks. */
final class WindowDoctors implements Doctors {
    private final Wiring wiring;
    private final SecondFactor secondFactor;
    private final Ladder ladder;
    private final Journal journal;
    private Optional<Doctor> doctor = Optional.empty();

    WindowDoctors(Wiring wiring, SecondFactor secondFactor, Ladder ladder, Journal journal) {
        this.wiring = wiring;
        this.secondFactor = secondFactor;
        this.ladder = ladder;
        this.journal = journal;
    }

    private synchronized Doctor doctor() {
        if (doctor.isEmpty()) {
            doctor = Optional.of(Doctor.withCatalogue());
        }
        return doctor.get();
    }

    @Override
    public SiteDoctor of(LiveSite site) throws TroubleException {
        return wiring.doctor(site, secondFactor, doctor(), ladder, journal);
    }

    @Override
    public Diagnosis judge(Evidence evidence) throws TroubleException, InterruptedException {
        return doctor().diagnose(evidence);
    }

    @Override
    public Optional<Trap> named(String trap) {
        return doctor().catalogue().named(trap);
    }
}
