package dev.pitwall.doctor.live;

import dev.pitwall.doctor.Doctor;
import dev.pitwall.journey.HostLocks;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.Journey;
import dev.pitwall.journey.Surveys;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.run.Ladder;
import dev.pitwall.journey.run.Patience;
import dev.pitwall.journey.run.SiteJourney;
import dev.pitwall.site.LiveSite;

/**
 * What the Doctor of a site works with.
 *
 * @param doctor  judges what was read
 * @param live    the connected site; stays open
 * @param systems the ways into it; closed with the site's Doctor
 * @param surveys read what the steps of the wizard rest on
 * @param ladder  the steps of the wizard
 * @param journal kept open
 * @param locks   shared by all runs of this computer
 */
public record Practice(Doctor doctor, LiveSite live, Systems systems, Surveys surveys, Ladder ladder, Journal journal,
                       HostLocks locks, Patience patience) {

    /** The wizard of the site, on these ways in. */
    Journey wizard(Systems ways) {
        return journey(ways, surveys, ladder);
    }

    /** A wizard of other steps. */
    Journey journey(Systems ways, Surveys what, Ladder steps) {
        return new SiteJourney(new SiteJourney.Equipment(live.site().id(), ways, what, steps, journal, locks, patience));
    }
}
