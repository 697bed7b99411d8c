package dev.pitwall.lab.talos;

import dev.pitwall.lab.world.LabTalos;
import dev.pitwall.lab.world.LabTalos.NextImage;
import dev.pitwall.lab.world.World;
import dev.talos.api.machine.Upgrade;
import dev.talos.api.machine.UpgradeRequest;
import io.grpc.Status;

import java.util.Optional;
import java.util.UUID;

/** Upgrades: which images a node takes, and which it refuses. */
final class Upgrading {
    /** Releases that an installer goes back or on from (Talos: pkg/machinery/compatibility). */
    private static final int OLDEST_BEFORE = 3;
    private static final int NEWEST_AFTER = 2;

    private final World world;
    private final Images images;
    private final TalosMachines machines;

    Upgrading(World world, Images images, TalosMachines machines) {
        this.world = world;
        this.images = images;
        this.machines = machines;
    }

    /** MachineService's way: the image is pulled while the client waits, the rest goes on without it. */
    Upgrade upgrade(String name, UpgradeRequest request) {
        refuseWhileBusy(name);
        NextImage image;
        try {
            pause();
            image = images.installer(request.getImage());
        } catch (FactoryRefusal e) {
            throw Sending.plain("error validating installer image \"" + request.getImage() + "\": "
                    + pullFailure(request.getImage(), e));
        }
        Optional<String> unfit = unfit(name, image);
        if (unfit.isPresent()) {
            world.change(w -> KernelText.talos(w.nodes.get(name).talos.orElseThrow(), "upgrade failed: " + unfit.get()));
        } else if (request.getStage()) {
            machines.install(name, image);
            machines.reboot(name);
        } else {
            machines.upgrade(name, image);
        }
        return Upgrade.newBuilder().setAck("Upgrade request received").setActorId(UUID.randomUUID().toString()).build();
    }

    void pause() {
        try {
            world.clock().await(world.clock().instant().plus(TalosMachines.PULL));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Status.CANCELLED.withDescription("context canceled").asRuntimeException();
        }
    }

    /** containerd's words for a reference that the registry does not lead on. */
    static String pullFailure(String image, FactoryRefusal why) {
        String registry = image.contains("/") ? image.substring(0, image.indexOf('/')) : "docker.io";
        String rest = image.contains("/") ? image.substring(image.indexOf('/') + 1) : image;
        int colon = rest.lastIndexOf(':');
        String manifest = "https://" + registry + "/v2/" + (colon < 0 ? rest + "/manifests/latest"
                : rest.substring(0, colon) + "/manifests/" + rest.substring(colon + 1));
        return "failed to pull image \"" + image + "\": failed to resolve reference \"" + image + "\": "
                + (why.status() == 404 ? image + ": not found"
                : "unexpected status from HEAD request to " + manifest + ": 400 Bad Request");
    }

    /** Why an installer of that version does not go onto the release that runs. */
    Optional<String> unfit(String name, NextImage image) {
        String host = world.read(w -> w.nodes.get(name).talos.orElseThrow().version);
        int from = minor(host);
        int to = minor(image.version());
        if (from < to - OLDEST_BEFORE) {
            return Optional.of("host version " + host.substring(1) + " is too old to upgrade to Talos "
                    + image.version().substring(1));
        }
        return from >= to + NEWEST_AFTER ? Optional.of("host version " + host.substring(1)
                + " is too new to downgrade to Talos " + image.version().substring(1)) : Optional.empty();
    }

    private static int minor(String version) {
        return Integer.parseInt(version.split("\\.")[1]);
    }

    void refuseWhileBusy(String name) {
        LabTalos talos = world.read(w -> w.nodes.get(name).talos.orElseThrow());
        if (!world.read(w -> talos.stage.equals("running"))) {
            throw Status.FAILED_PRECONDITION.withDescription("another sequence is already running").asRuntimeException();
        }
    }
}
