package dev.pitwall.engine.live;

/**
 * A model that was moved to the processor to be measured there, and has to go back.
 *
 * @param stay what it had before
 */
public record Away(PlacementId what, ServerDriver.Stay stay) {
}
