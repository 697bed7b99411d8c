package dev.pitwall.site;

import dev.pitwall.card.TroubleException;

import java.util.List;
import java.util.Optional;

/** The embedded homelab, as the rest of the app sees it: something that can be started and gives a site. */
public interface PracticeLab {

    /** What can be started. */
    List<Scene> scenes();

    /** Starts a scene; takes a second or so. Starting one that runs gives the same. */
    Running start(String scene) throws TroubleException;

    /** The lab that serves this site, if it runs in this process. */
    Optional<Running> running(Site site);

    /**
     * @param name      for example {@code garage}
     * @param summary   for example {@code 3 hosts, one RTX A1000 each, RKE2 with 21 nodes}
     * @param available false for a scene this version does not have yet
     */
    record Scene(String name, String summary, boolean available) {
    }

    /**
     * Something that can be broken on purpose.
     *
     * @param trap    its name in the trap vocabulary, for example {@code iommu-off}
     * @param summary one line for people
     * @param cards   ids of the cards it can strike now, for example {@code pve1/0000:01:00}
     */
    record Fault(String trap, String summary, List<String> cards) {
    }

    /** A lab that runs in this process. */
    interface Running extends AutoCloseable {
        Site site();

        /** Faults that can be switched on in this scene. */
        List<Fault> faults();

        /** @param card card id; empty text for the first that fits */
        void breakIt(String trap, String card) throws TroubleException;

        void repair(String trap);

        @Override
        void close();
    }
}
