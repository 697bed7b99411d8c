package dev.pitwall.doctor.picture.cluster;

import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.sign.SignBook;
import dev.pitwall.read.DcgmMetrics;

import java.util.Map;

/** The last Xid of each card as DCGM has it: a gauge that stays until the card is reset (facts: cluster.md 3). */
final class MetricsCheck implements Check {

    @Override
    public void look(Picture picture, SignBook book) {
        picture.outputs(DcgmMetrics.class).forEach(metrics -> metrics.what().devices().forEach(device -> {
            long xid = Math.round(device.figures().getOrDefault("DCGM_FI_DEV_XID_ERRORS", 0.0));
            if (xid > 0) {
                book.add(Shown.sign("xid-in-metrics", Shown.node(device.node().orElse("")), metrics.from(),
                        "the last Xid of a card is " + xid, Map.of("xid", String.valueOf(xid)),
                        metrics.shown("DCGM_FI_DEV_XID_ERRORS{")));
            }
        }));
    }
}
