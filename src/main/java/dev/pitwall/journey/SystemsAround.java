package dev.pitwall.journey;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.Supply;

import java.util.List;
import java.util.Optional;

/**
 * Systems of somebody else, each way in as it is there unless a subclass puts something around it. Closes nothing: whoever opened
 * the systems closes them.
 */
public abstract class SystemsAround implements Systems {
    private final Systems systems;

    protected SystemsAround(Systems systems) {
        this.systems = systems;
    }

    protected Machine around(Machine machine) {
        return machine;
    }

    /** @param node that was asked for */
    protected Proxmox around(Proxmox api, String node) {
        return api;
    }

    protected Cluster around(Cluster cluster) {
        return cluster;
    }

    protected Helm around(Helm helm) {
        return helm;
    }

    protected Talos around(Talos talos) {
        return talos;
    }

    protected ImageFactory around(ImageFactory factory) {
        return factory;
    }

    @Override
    public final Machine machine(String name) throws TroubleException {
        return around(systems.machine(name));
    }

    @Override
    public final String identity(String name) {
        return systems.identity(name);
    }

    @Override
    public final List<String> nodeShells() {
        return systems.nodeShells();
    }

    @Override
    public final Proxmox proxmox(String node) throws TroubleException, InterruptedException {
        return around(systems.proxmox(node), node);
    }

    @Override
    public final Optional<Cluster> cluster() throws TroubleException, InterruptedException {
        return systems.cluster().map(this::around);
    }

    @Override
    public final Optional<Helm> helm() throws TroubleException, InterruptedException {
        return systems.helm().map(this::around);
    }

    @Override
    public final Optional<Talos> talos() throws TroubleException, InterruptedException {
        return systems.talos().map(this::around);
    }

    @Override
    public final Optional<ImageFactory> imageFactory() throws TroubleException {
        return systems.imageFactory().map(this::around);
    }

    @Override
    public final String address(Supply supply) {
        return systems.address(supply);
    }

    @Override
    public void close() {
        // See above.
    }
}
