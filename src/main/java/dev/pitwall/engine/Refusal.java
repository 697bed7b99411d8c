package dev.pitwall.engine;

/** Why a request is refused; never for being late. */
public enum Refusal {
    /** The model needs more than any card has. */
    TOO_LARGE("too-large"),
    /** It would fit a card, but pins and holds leave too little of every card it fits. */
    PINNED_OUT("pinned-out"),
    /** The policy places models once, and this one got no place. */
    NOT_PLACED("not-placed");

    private final String wireName;

    Refusal(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }
}
