package dev.pitwall.ui.setup;

import java.util.List;

/**
 * What stands below the list of steps: what one run can make of several of them. A button that cannot be pressed says why.
 *
 * @param word     how many can be made now
 * @param together makes those
 * @param walks    goes on up to a floor
 */
record AscentBar(String word, Actions.Button together, Actions.Button walk, List<Walk> walks) {

    /**
     * @param last id of the last step wanted
     * @param why  it cannot be walked to; empty if it can
     */
    record Walk(String last, String text, String why) {
    }

    AscentBar {
        walks = List.copyOf(walks);
    }
}
