package dev.pitwall.ui.setup;

/** The bar below a step. A button that cannot be pressed says why. */
record Actions(Button primary, Primary kind, Button byHand, Button skip, Button undo, Button others,
               boolean othersChosen) {

    /** What the accent button does. */
    enum Primary {
        APPLY,
        /** A run is under way in this window: it can be ended before its next change. */
        STOP,
        /** Goes to the next step that can be acted on. */
        NEXT,
        /** Every step is settled. */
        GARAGE
    }

    /** @param why it cannot be pressed; empty if it can */
    record Button(String text, String why) {
        boolean off() {
            return !why.isEmpty();
        }
    }
}
