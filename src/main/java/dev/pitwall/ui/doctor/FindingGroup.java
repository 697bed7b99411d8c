package dev.pitwall.ui.doctor;

import java.util.List;

/**
 * Entries under one head.
 *
 * @param icon Feather's name of its icon
 */
record FindingGroup(String title, String icon, List<FindingLine> lines) {
    FindingGroup {
        lines = List.copyOf(lines);
    }
}
