package dev.pitwall.ui.shell;

import dev.pitwall.ui.UiThread;
import dev.pitwall.ui.notice.Notices;
import dev.pitwall.ui.theme.Appearance;
import dev.pitwall.ui.words.Texts;

/** What every page of the window works with, there from the first frame on. */
public record Desk(Texts texts, UiThread ui, Appearance appearance, ShellModel shell, Notices notices,
                   Overlay overlay) {
}
