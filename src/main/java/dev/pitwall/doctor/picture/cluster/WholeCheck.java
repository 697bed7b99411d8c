package dev.pitwall.doctor.picture.cluster;

import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.doctor.sign.SignBook;

/**
 * Whether the evidence is a cluster's own objects and not what somebody picked out of it. In a report, a setting that is
 * shown is shown because it matters; in a whole cluster it just stands there.
 */
final class WholeCheck implements Check {

    private static final int MANY = 12;

    @Override
    public void look(Picture picture, SignBook book) {
        if (picture.knows("Node") && picture.knows("Pod") || picture.everyObject().limit(MANY).count() == MANY) {
            book.add(Shown.sign("cluster-seen", About.NOTHING, "objects of the cluster", "the cluster's objects were read"));
        }
        picture.objects("ClusterPolicy").stream()
                .filter(policy -> policy.what().path("status").path("state").asText().equals("ready"))
                .forEach(policy -> book.add(Shown.sign("stack-ready", About.NOTHING, policy.from(), "the ClusterPolicy is ready",
                        policy.shown("/status/state"))));
    }
}
