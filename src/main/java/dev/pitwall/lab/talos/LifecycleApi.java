package dev.pitwall.lab.talos;

import dev.pitwall.lab.world.LabTalos;
import dev.pitwall.lab.world.LabTalos.NextImage;
import dev.pitwall.lab.world.World;
import dev.talos.api.machine.LifecycleServiceGrpc;
import dev.talos.api.machine.LifecycleServiceInstallProgress;
import dev.talos.api.machine.LifecycleServiceUpgradeRequest;
import dev.talos.api.machine.LifecycleServiceUpgradeResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;

import java.time.Instant;
import java.util.Optional;

/**
 * LifecycleService, from Talos 1.13 on: installs an image that was pulled and does not reboot. A failure is an exit code
 * in the stream, not an error of the call (facts: cluster.md 4.5).
 */
final class LifecycleApi extends LifecycleServiceGrpc.LifecycleServiceImplBase {
    private static final String SINCE = "v1.13.0";

    private final World world;
    private final TalosData data;
    private final Images images;
    private final Upgrading upgrading;
    private final TalosMachines machines;

    LifecycleApi(World world, TalosData data, Images images, Upgrading upgrading, TalosMachines machines) {
        this.world = world;
        this.data = data;
        this.images = images;
        this.upgrading = upgrading;
        this.machines = machines;
    }

    @Override
    public void upgrade(LifecycleServiceUpgradeRequest request, StreamObserver<LifecycleServiceUpgradeResponse> out) {
        String name = TalosDoor.TARGETS.get().one();
        String reference = request.getSource().getImageName();
        LabTalos talos = world.read(w -> w.nodes.get(name).talos.orElseThrow());
        if (data.release(world.read(w -> talos.version)).filter(release -> release.isAtLeast(SINCE)).isEmpty()) {
            out.onError(Status.UNIMPLEMENTED.withDescription("unknown service machine.LifecycleService")
                    .asRuntimeException());
        } else if (reference.isEmpty()) {
            out.onError(Status.INVALID_ARGUMENT.withDescription("installer image name is required").asRuntimeException());
        } else if (!world.read(w -> talos.images.contains(reference))) {
            out.onError(Status.INTERNAL.withDescription("upgrade failed: image \"" + reference + "\": not found")
                    .asRuntimeException());
        } else {
            install(name, reference, out);
        }
    }

    private void install(String name, String reference, StreamObserver<LifecycleServiceUpgradeResponse> out) {
        try {
            NextImage image = images.installer(reference);
            say(out, "running Talos installer " + image.version());
            Optional<String> unfit = upgrading.unfit(name, image);
            if (unfit.isPresent()) {
                say(out, "Error: " + unfit.get());
                end(out, 1);
                return;
            }
            Instant done = world.clock().instant().plus(TalosMachines.INSTALL);
            say(out, "copying kernel and initramfs to the boot partition");
            world.clock().await(done);
            machines.install(name, image);
            say(out, "installation of " + image.version() + " complete");
            end(out, 0);
        } catch (FactoryRefusal e) {
            say(out, "Error: " + e.getMessage());
            end(out, 1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            out.onError(Status.CANCELLED.asRuntimeException());
        }
    }

    private static void say(StreamObserver<LifecycleServiceUpgradeResponse> out, String text) {
        send(out, LifecycleServiceInstallProgress.newBuilder().setMessage(text));
    }

    private static void end(StreamObserver<LifecycleServiceUpgradeResponse> out, int code) {
        send(out, LifecycleServiceInstallProgress.newBuilder().setExitCode(code));
        out.onCompleted();
    }

    private static void send(StreamObserver<LifecycleServiceUpgradeResponse> out,
                             LifecycleServiceInstallProgress.Builder progress) {
        out.onNext(LifecycleServiceUpgradeResponse.newBuilder().setProgress(progress).build());
    }
}
