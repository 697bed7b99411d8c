package dev.pitwall.journey.run;

/** How making one change ended. */
sealed interface Outcome {

    /** @param message what is worth telling; empty text for nothing */
    record Made(String message) implements Outcome {
    }


    /** @param what something else was there than the preview had */
    record Stopped(String what) implements Outcome {
    }

    /** @param what why it could not be made, and what to do, in sentences */
    record Failed(String what) implements Outcome {
    }
}
