package dev.pitwall.journey;

import java.time.InstantSource;

/**
 * Systems whose every call is told to a watcher: the command or call, how it ended and how long it took. Neither the
 * contents of files nor the parameters of a write are told.
 */
public final class WatchedSystems extends SystemsAround {
    private final Watching watching;

    public WatchedSystems(Systems systems, Watcher watcher, InstantSource clock) {
        super(systems);
        this.watching = new Watching(watcher, clock);
    }

    @Override
    protected Machine around(Machine machine) {
        return new WatchedMachine(machine, watching);
    }

    @Override
    protected Proxmox around(Proxmox api, String node) {
        return new WatchedProxmox(api, node + " api", watching);
    }

    @Override
    protected Cluster around(Cluster cluster) {
        return new WatchedCluster(cluster, watching);
    }

    @Override
    protected Helm around(Helm helm) {
        return new WatchedHelm(helm, watching);
    }

    @Override
    protected Talos around(Talos talos) {
        return new WatchedTalos(talos, watching);
    }

    @Override
    protected ImageFactory around(ImageFactory factory) {
        return new WatchedImageFactory(factory, watching);
    }
}
