package dev.pitwall.engine;

/**
 * A placement as somebody found it on a live server.
 *
 * @param model     its index in the fleet
 * @param provider  likewise
 * @param work      whether it serves now
 * @param idleSince seconds on the clock of decisions; has no meaning while it serves
 */
public record Found(int model, int provider, Placement.Keeping keeping, Work work, double idleSince) {

    /** Whether it serves now. */
    public enum Work { IDLE, SERVING }
}
