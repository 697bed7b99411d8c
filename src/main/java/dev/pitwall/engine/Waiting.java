package dev.pitwall.engine;

/** A request in the queue of a placement, and whether it waits for a load. */
record Waiting(Request request, Hands.Cold cold) {
}
