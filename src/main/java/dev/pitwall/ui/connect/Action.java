package dev.pitwall.ui.connect;

/**
 * What the accent button does now.
 *
 * @param text its name, which says the action
 * @param why  why it cannot be pressed; empty if it can
 * @param kind what happens
 */
record Action(Kind kind, String text, String why) {

    enum Kind { TRUST, TEST, GO_ON, SAVE }

    boolean possible() {
        return why.isEmpty();
    }
}
