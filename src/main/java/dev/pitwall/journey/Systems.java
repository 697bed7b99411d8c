package dev.pitwall.journey;

import dev.pitwall.card.TroubleException;

import dev.pitwall.site.Supply;
import java.util.List;
import java.util.Optional;

/** The ways into the machines of one site. What is opened here is closed with this. */
public interface Systems extends AutoCloseable {

    /**
     * The shell of a host or node, or the inside of a VM by its guest agent.
     *
     * @param name as the site names it, or as {@link GuestMachine#name} does
     * @throws TroubleException of kind MISSING if the site has no shell of that name
     */
    Machine machine(String name) throws TroubleException;

    /**
     * What tells a machine from all others in whatever site it is: the pinned key of its shell, or its address while
     * none is pinned.
     *
     * @param name as the site names it; a name without a shell stands for itself
     */
    default String identity(String name) {
        return name;
    }

    /**
     * Names of the shells of machines that may be the inside of a VM: all but those of Proxmox hosts and jump hosts.
     */
    default List<String> nodeShells() {
        return List.of();
    }

    /**
     * The API that a Proxmox node belongs to: its own access if the site has one of that name, else one of its cluster.
     *
     * @throws TroubleException of kind MISSING if no access of the site knows the node
     */
    Proxmox proxmox(String node) throws TroubleException, InterruptedException;

    /** The API of the site's cluster; empty for a site without one. */
    default Optional<Cluster> cluster() throws TroubleException, InterruptedException {
        return Optional.empty();
    }

    /** Helm on the site's cluster; empty for a site without one. */
    default Optional<Helm> helm() throws TroubleException, InterruptedException {
        return Optional.empty();
    }

    /** The machine API of the site's Talos nodes; empty for a site without a talosconfig. */
    default Optional<Talos> talos() throws TroubleException, InterruptedException {
        return Optional.empty();
    }

    /** The Image Factory that the site's Talos images come from. */
    default Optional<ImageFactory> imageFactory() throws TroubleException {
        return Optional.empty();
    }

    /** Where something lies that is fetched. */
    default String address(Supply supply) {
        return supply.usual();
    }

    @Override
    void close();
}
