package dev.pitwall.site;

import dev.pitwall.card.TroubleException;

import java.util.List;

/** The embedded homelab, as the rest of the app sees it: something that can be started and gives a site. */
public interface PracticeLab {

    /** What can be started. */
    List<Scene> scenes();

    /** Starts a scene; takes a second or so. Starting one that runs gives the same. */
    Running start(String scene) throws TroubleException;

    /**
     * @param name      for example {@code garage}
     * @param summary   for example {@code 3 hosts, one RTX A1000 each, RKE2 with 21 nodes}
     * @param available false for a scene this version does not have yet
     */
    record Scene(String name, String summary, boolean available) {
    }

    /** A lab that runs in this process. */
    interface Running extends AutoCloseable {
        Site site();

        /** Traps that can be switched on in this scene. */
        List<String> faults();

        /** @param card card id; empty text for the first that fits */
        void breakIt(String trap, String card) throws TroubleException;

        void repair(String trap);

        @Override
        void close();
    }
}
