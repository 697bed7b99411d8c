package dev.pitwall.cli;

import dev.pitwall.card.TroubleException;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Walks through the lab without a display and takes a picture of each screen. */
@FunctionalInterface
public interface Tour {

    /**
     * @param out   where the pictures go; made if absent
     * @param scene the lab's scene
     * @param say   gets a line for each station
     * @return the stations in the order they were walked
     * @throws TroubleException if the lab does not start or a picture cannot be written
     */
    List<Station> walk(String scene, Path out, Consumer<String> say) throws TroubleException, InterruptedException;

    /**
     * @param what    what was done and seen
     * @param picture the picture taken
     * @param reached false if what should have been seen was not
     */
    record Station(String name, String what, Path picture, boolean reached) {
    }
}
