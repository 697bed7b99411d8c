package dev.pitwall.ui.journal;

import dev.pitwall.ui.icon.Mark;

/**
 * One run in the list.
 *
 * @param tone   name of the CSS pseudo-class of its mark: {@code ok}, {@code failing}, {@code waiting} or {@code grey}
 * @param detail where, on what, and how many changes
 * @param word   what stands where its button would be; empty where there is a button
 */
record RunLine(long number, Mark mark, String tone, String title, String detail, String at, String took, Undoing undoing,
               String word, String spoken) {
}
