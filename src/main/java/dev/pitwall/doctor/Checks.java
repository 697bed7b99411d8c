package dev.pitwall.doctor;

import dev.pitwall.doctor.picture.Check;

import java.util.List;

/** Every check there is. */
final class Checks {

    private Checks() {
    }

    static List<Check> all() {
        return List.of();
    }
}
