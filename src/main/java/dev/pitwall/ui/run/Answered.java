package dev.pitwall.ui.run;

import dev.pitwall.card.Trouble;

/** What came back from the background. */
public sealed interface Answered<T> {

    record Got<T>(T value) implements Answered<T> {
    }

    record Troubled<T>(Trouble trouble) implements Answered<T> {
    }
}
