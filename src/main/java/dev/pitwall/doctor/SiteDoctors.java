package dev.pitwall.doctor;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.LiveSite;

/** Calls the Doctor to a connected site. */
@FunctionalInterface
public interface SiteDoctors {

    /** Contacts nothing before the first diagnosis. */
    SiteDoctor of(LiveSite site) throws TroubleException;
}
