package dev.pitwall.journey.survey;

import java.time.Duration;
import java.time.Instant;

/**
 * A try of a card that the journal has.
 *
 * @param run    its number
 * @param by     name of what was tried, for example {@code vectoradd}
 * @param boot   boot id of the node when it was tried; empty text where it was not known
 * @param driver version of the node's driver then; empty text where it was not known
 * @param text   what came of it; the first line says it all, the log follows
 */
public record Proof(long run, String by, Result result, Instant at, Duration took, String boot, String driver,
                    String text) {

    /**
     * True if it was tried with this driver. Feature discovery tells a node's driver only some time after the node offers
     * its cards, so one that was not known then or is not known now is no other one.
     */
    public boolean withDriver(String now) {
        return driver.isEmpty() || now.isEmpty() || driver.equals(now);
    }

    /** How a try ended. */
    public enum Result { PASSED, FAILED }
}
