package dev.pitwall.doctor;

import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.cluster.ClusterChecks;
import dev.pitwall.doctor.sign.SignTable;

import java.util.ArrayList;
import java.util.List;

/** Every check there is. */
final class Checks {

    private Checks() {
    }

    /** @param table knows the components by their names */
    static List<Check> all(SignTable table) {
        List<Check> checks = new ArrayList<>(ClusterChecks.all(table::component));
        return List.copyOf(checks);
    }
}
