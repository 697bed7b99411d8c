package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.Watcher;

import java.time.InstantSource;

/** The ways into a site, with every read and write told to a watcher. */
final class WatchedSystems implements Systems {
    private final Systems systems;
    private final Watcher watcher;
    private final InstantSource clock;

    WatchedSystems(Systems systems, Watcher watcher, InstantSource clock) {
        this.systems = systems;
        this.watcher = watcher;
        this.clock = clock;
    }

    @Override
    public Machine machine(String name) throws TroubleException {
        return new WatchedMachine(systems.machine(name), new Told(name + " ssh", watcher, clock));
    }

    @Override
    public Proxmox proxmox(String node) throws TroubleException, InterruptedException {
        return new WatchedProxmox(systems.proxmox(node), new Told(node + " api", watcher, clock));
    }

    /** What is behind belongs to the site's own {@link Systems} and stays open. */
    @Override
    public void close() {
    }
}
