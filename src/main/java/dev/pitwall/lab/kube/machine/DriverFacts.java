package dev.pitwall.lab.kube.machine;

import dev.pitwall.lab.world.GuestDriver;

/**
 * The NVIDIA module of a node.
 *
 * @param state  {@code absent}, {@code compiling}, {@code loaded} or {@code failed}
 * @param kernel the running kernel's release
 */
public record DriverFacts(String state, String version, GuestDriver.Source source, String kernel) {

    public boolean isLoaded() {
        return state.equals("loaded");
    }

    /** Loaded, and by the node's own operating system. */
    public boolean isHosts() {
        return isLoaded() && source == GuestDriver.Source.HOST;
    }
}
