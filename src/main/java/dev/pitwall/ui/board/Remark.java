package dev.pitwall.ui.board;

import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.Tone;

/** Something that a card has to say of itself. @param text may be empty */
record Remark(Mark mark, Tone tone, String title, String text) {
}
