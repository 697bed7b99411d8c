package dev.pitwall.journey.operator;

import dev.pitwall.journey.Helm.Release;
import dev.pitwall.journey.survey.ClusterSurvey;

/** What an operation of Helm that died has left as the newest revision of a release. */
final class DeadRelease {
    private static final String INSTALL = "pending-install";
    private static final int FIRST = 1;

    private DeadRelease() {
    }

    /**
     * True if it is known what counts without it: the revision before, or nothing at all where it is the first one. Of one
     * that was being uninstalled neither is: half of it may be gone.
     */
    static boolean canBeForgotten(Release dead, ClusterSurvey survey) {
        return dead.status().startsWith("pending-") && (!survey.counting(dead.chart()).isEmpty()
                || dead.status().equals(INSTALL) && dead.revision() == FIRST);
    }
}
