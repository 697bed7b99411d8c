package dev.pitwall.ui.icon;

/** The shape of a state. Colour comes on top, so that nothing is told by colour alone. */
public enum Mark {
    OK, RING, CLOCK, FAILING, LOCK, QUESTION, MINUS, TRIANGLE, INFO, CIRCLE, SKIP, UNDONE, BUSY, IDLE, LEAVES, PERSON,
    OTHERS, REFUSED, MEASURED, PULLED, SUGGESTED
}
