package dev.pitwall.site;

import dev.pitwall.card.HostReport;
import dev.pitwall.card.Observed;

import java.time.Instant;

/** The last good report of one node of a Proxmox API; each has its own age, since one may be off while others answer. */
record KeptHost(HostReport report, Instant at) {

    Observed<HostReport> observed() {
        return Observed.kept(report.node(), report, at);
    }
}
