package dev.pitwall.ui.shell;

import java.util.List;

/** Keys and what they do here, for the right end of the status line. */
public record KeyHint(List<String> keys, String word) {
    public KeyHint {
        keys = List.copyOf(keys);
    }
}
