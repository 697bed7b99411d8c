package dev.pitwall;

import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.Doctor;
import dev.pitwall.doctor.SiteDoctor;
import dev.pitwall.doctor.Treatment;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.doctor.live.LiveDoctor;
import dev.pitwall.doctor.live.Practice;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.proof.ProofSurveys;
import dev.pitwall.journey.run.Patience;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.link.LabSystems;
import dev.pitwall.site.LiveSite;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.store.DataFolder;
import dev.pitwall.store.Database;
import dev.pitwall.store.RunLocks;
import dev.pitwall.store.SqliteJournal;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A lab with everything running, its site connected as the window connects it, and the Doctor of that site. */
final class Clinic implements AutoCloseable {
    private static final InstantSource CLOCK = InstantSource.system();
    private static final Patience PATIENCE = new Patience(CLOCK, time -> TimeUnit.NANOSECONDS.sleep(time.toNanos()),
            Duration.ofMillis(300), Duration.ofSeconds(30), Duration.ofSeconds(10));

    final LabSystems lab;
    final LiveSite live;
    private final Wiring wiring;
    private final SiteDoctor doctor;
    private final Database database;
    private final Journal journal;

    /** @param faults that are there from the start, as {@code --fault} takes them */
    Clinic(Path dir, String scene, double speed, List<String> faults) throws Exception {
        lab = LabSystems.start(LabOptions.garage(dir.resolve("lab")).withScene(scene).withSpeed(speed).withFaults(faults)
                .withLoginPenalty(Duration.ZERO));
        DataFolder folder = new DataFolder(dir.resolve("home")).create();
        database = Database.open(folder);
        journal = new SqliteJournal(database);
        wiring = new Wiring();
        live = wiring.liveSites(SecondFactor.NONE).open(wiring.siteFile(lab.lab().siteFile()), view -> { });
        doctor = new LiveDoctor(new Practice(Doctor.withCatalogue(), live, lab.open(lab.site()),
                new ProofSurveys(new CardSurveys(CLOCK, live::nodes), journal, lab.site().id(), CLOCK), Wiring.ladder(),
                journal, new RunLocks(folder), PATIENCE));
    }

    void strike(String trap, String card) throws TroubleException {
        lab.lab().switchOn(trap, Optional.of(card).filter(c -> !c.isEmpty()));
    }

    Diagnosis diagnose() throws Exception {
        return doctor.diagnose(Watcher.NONE);
    }

    Treatment treatment(Finding finding) throws Exception {
        return doctor.treatment(finding, Optional.empty(), Choices.NONE, Watcher.NONE);
    }

    RunRecord apply(Treatment treatment) throws Exception {
        return doctor.apply(treatment, Watcher.NONE, new Stop());
    }

    /** @param stop ends the wait for the end of it */
    RunRecord apply(Treatment treatment, Stop stop) throws Exception {
        return doctor.apply(treatment, Watcher.NONE, stop);
    }

    @Override
    public void close() {
        doctor.close();
        live.close();
        database.close();
        wiring.close();
        lab.close();
    }
}
