package dev.pitwall.journey.run;

/** What a change finds where it would be made. */
sealed interface Standing {
    Standing BEFORE = new Before();
    Standing AFTER = new After();

    /** All as the change expects it. */
    record Before() implements Standing {
    }

    /** All as the change would leave it. */
    record After() implements Standing {
    }

    /** Begun by this change and not ended: it can be made from there, and undo takes back what there is of it. */
    record Half() implements Standing {
    }

    /** @param what what is there instead, in one sentence that begins with the place */
    record Other(String what) implements Standing {
    }
}
