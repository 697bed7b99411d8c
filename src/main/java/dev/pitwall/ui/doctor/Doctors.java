package dev.pitwall.ui.doctor;

import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.SiteDoctor;
import dev.pitwall.doctor.catalogue.Trap;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.evidence.Evidence;
import dev.pitwall.site.LiveSite;
import java.util.Optional;

/**
 * Who judges. Its catalogue is read when it is first needed, so every method may block and is called in the background.
 */
public interface Doctors {

    /** The Doctor of a connected site. It contacts nothing before its first diagnosis; whoever called it closes it. */
    SiteDoctor of(LiveSite site) throws TroubleException;

    /** Judges what somebody has pasted or saved, by itself. */
    Diagnosis judge(Evidence evidence) throws TroubleException, InterruptedException;

    /** A cause by its name; empty if the catalogue has none of that name. */
    Optional<Trap> named(String trap);
}
