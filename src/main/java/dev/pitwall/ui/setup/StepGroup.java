package dev.pitwall.ui.setup;

import java.util.List;

/**
 * The steps of one system.
 *
 * @param icon  Feather's name
 * @param title for example {@code Host pve2}
 */
record StepGroup(String icon, String title, List<StepLine> steps) {
    StepGroup {
        steps = List.copyOf(steps);
    }
}
