package dev.pitwall.ui.garage;

/** The one thing that can be done about a floor from the Garage. */
public enum FloorAction {
    /** Shows what is known about the cause. */
    DOCTOR("garage.action.doctor"),
    /** Asks the silent source again now. */
    RETRY("garage.action.retry"),
    /** Goes to the step that gets the card back from its owner. */
    TAKE_BACK("garage.action.take-back"),
    /** Goes to the step of a floor that is blocked. */
    SETUP("garage.action.setup"),
    /** Adds the source that could tell. */
    CONNECT("garage.action.connect");

    private final String key;

    FloorAction(String key) {
        this.key = key;
    }

    String key() {
        return key;
    }
}
