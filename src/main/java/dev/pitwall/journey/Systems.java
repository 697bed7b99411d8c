package dev.pitwall.journey;

import dev.pitwall.card.TroubleException;

/** The ways into the machines of one site. What is opened here is closed with this. */
public interface Systems extends AutoCloseable {

    /**
     * The shell of a host or node.
     *
     * @param name as the site names it
     * @throws TroubleException of kind MISSING if the site has no shell of that name
     */
    Machine machine(String name) throws TroubleException;

    /**
     * The API that a Proxmox node belongs to: its own access if the site has one of that name, else one of its cluster.
     *
     * @throws TroubleException of kind MISSING if no access of the site knows the node
     */
    Proxmox proxmox(String node) throws TroubleException, InterruptedException;

    @Override
    void close();
}
