package dev.pitwall.ui.doctor;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.SiteDoctor;
import dev.pitwall.doctor.Treatment;
import dev.pitwall.doctor.catalogue.Trap;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.doctor.evidence.Evidence;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Watcher;
import dev.pitwall.site.LiveSite;
import dev.pitwall.ui.SampleSite;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A Doctor who says what a test wants to hear. Records what is asked of him. */
public final class SampleDoctors implements Doctors {

    public final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile Diagnosis diagnosis = SampleFindings.diagnosis(List.of(SampleFindings.toleration("pve3/0000:01:00")));
    private volatile Diagnosis judged = SampleFindings.NOTHING;
    private volatile Optional<Trouble> trouble = Optional.empty();
    private volatile Optional<RunRecord> run = Optional.empty();
    private volatile Treating treating = finding -> new Treatment(finding, new Treatment.ByHand("it is the owner's"),
            finding.trap().fix().steps());

    /** What cures a finding. */
    public interface Treating {
        Treatment of(Finding finding) throws TroubleException;
    }

    public void finds(Diagnosis next) {
        diagnosis = next;
        trouble = Optional.empty();
    }

    public void fails(Trouble next) {
        trouble = Optional.of(next);
    }

    public void judges(Diagnosis next) {
        judged = next;
    }

    public void treats(Treating next) {
        treating = next;
    }

    public void runs(RunRecord next) {
        run = Optional.of(next);
    }

    @Override
    public SiteDoctor of(LiveSite site) {
        return new SiteDoctor() {
            @Override
            public Diagnosis diagnose(Watcher watcher) throws TroubleException {
                asked.add("diagnose");
                watcher.line(new Watcher.Line(SampleSite.NOW, "pve3 ssh", "lspci -nnk", Optional.of("exit 0"), Optional.empty()));
                if (trouble.isPresent()) {
                    throw new TroubleException(trouble.get());
                }
                return diagnosis;
            }

            @Override
            public Treatment treatment(Finding finding, Optional<String> card, Choices choices, Watcher watcher)
                    throws TroubleException {
                asked.add("treat " + finding.trap().name() + card.map(c -> " of " + c).orElse(""));
                return treating.of(finding);
            }

            @Override
            public RunRecord apply(Treatment treatment, Watcher watcher, Stop stop) {
                asked.add("apply " + treatment.finding().trap().name());
                run.ifPresent(watcher::moved);
                return run.orElseThrow();
            }

            @Override
            public void close() {
                asked.add("close");
            }
        };
    }

    @Override
    public Diagnosis judge(Evidence evidence) throws TroubleException, InterruptedException {
        evidence.each(document -> asked.add("judge " + document.name()));
        return judged;
    }

    @Override
    public Optional<Trap> named(String trap) {
        return Optional.empty();
    }
}
