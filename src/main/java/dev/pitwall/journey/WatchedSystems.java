package dev.pitwall.journey;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.Supply;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Systems whose every call is told to a watcher: the command or call, how it ended and how long it took. Neither the
 * contents of files nor the parameters of a write are told. It closes nothing, since it has opened nothing.
 */
public final class WatchedSystems implements Systems {
    private final Systems systems;
    private final Watching watching;

    public WatchedSystems(Systems systems, Watcher watcher, InstantSource clock) {
        this.systems = systems;
        this.watching = new Watching(watcher, clock);
    }

    @Override
    public Machine machine(String name) throws TroubleException {
        return new WatchedMachine(systems.machine(name), watching);
    }

    @Override
    public String identity(String name) {
        return systems.identity(name);
    }

    @Override
    public List<String> nodeShells() {
        return systems.nodeShells();
    }

    @Override
    public Proxmox proxmox(String node) throws TroubleException, InterruptedException {
        return new WatchedProxmox(systems.proxmox(node), node + " api", watching);
    }

    @Override
    public Optional<Cluster> cluster() throws TroubleException, InterruptedException {
        return systems.cluster().map(cluster -> new WatchedCluster(cluster, watching));
    }

    @Override
    public Optional<Helm> helm() throws TroubleException, InterruptedException {
        return systems.helm().map(helm -> new WatchedHelm(helm, watching));
    }

    @Override
    public Optional<Talos> talos() throws TroubleException, InterruptedException {
        return systems.talos().map(talos -> new WatchedTalos(talos, watching));
    }

    @Override
    public Optional<ImageFactory> imageFactory() throws TroubleException {
        return systems.imageFactory().map(factory -> new WatchedImageFactory(factory, watching));
    }

    @Override
    public String address(Supply supply) {
        return systems.address(supply);
    }

    @Override
    public void close() {
        // The systems go on after this look or run.
    }
}
