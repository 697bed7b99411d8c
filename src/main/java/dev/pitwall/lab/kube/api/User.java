package dev.pitwall.lab.kube.api;

import java.util.List;

/** Who asks. */
public record User(String name, List<String> groups) {
    /** Members may do everything, whatever the roles say. */
    public static final String MASTERS = "system:masters";

    public User {
        groups = List.copyOf(groups);
    }
}
