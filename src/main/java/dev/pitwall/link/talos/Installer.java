package dev.pitwall.link.talos;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.talos.api.common.ContainerDriver;
import dev.talos.api.common.ContainerdInstance;
import dev.talos.api.common.ContainerdNamespace;
import dev.talos.api.machine.ImageServiceGrpc;
import dev.talos.api.machine.ImageServicePullLayerProgress;
import dev.talos.api.machine.ImageServicePullRequest;
import dev.talos.api.machine.ImageServicePullResponse;
import dev.talos.api.machine.InstallArtifactsSource;
import dev.talos.api.machine.LifecycleServiceGrpc;
import dev.talos.api.machine.LifecycleServiceInstallProgress;
import dev.talos.api.machine.LifecycleServiceUpgradeRequest;
import java.time.Duration;
import java.util.function.Consumer;

/** Installs an image as Talos does it from 1.13 on: pulls it, installs it, and leaves the reboot to whoever asked. */
final class Installer {
    private static final Duration PULL = Duration.ofMinutes(15);
    private static final Duration INSTALL = Duration.ofMinutes(10);
    private static final ContainerdInstance SYSTEM = ContainerdInstance.newBuilder()
            .setDriver(ContainerDriver.CONTAINERD).setNamespace(ContainerdNamespace.NS_SYSTEM).build();

    private final Calls calls;
    private final String node;
    private final Consumer<String> lines;

    Installer(Calls calls, String node, Consumer<String> lines) {
        this.calls = calls;
        this.node = node;
        this.lines = lines;
    }

    void install(String image) throws TroubleException, InterruptedException {
        pull(image);
        LifecycleServiceUpgradeRequest request = LifecycleServiceUpgradeRequest.newBuilder().setContainerd(SYSTEM)
                .setSource(InstallArtifactsSource.newBuilder().setImageName(image)).build();
        Ending ending = calls.make(node, INSTALL, LifecycleServiceGrpc::newBlockingStub, stub -> {
            Ending end = new Ending();
            stub.upgrade(request).forEachRemaining(response -> end.take(response.getProgress()));
            return end;
        });
        // A failure is an exit code in the stream, not an error of the call (facts: cluster.md 4.5).
        if (ending.code != 0) {
            throw new TroubleException(new Trouble(Kind.REMOTE, node, "its installer ended with exit code " + ending.code
                    + (ending.last.isEmpty() ? "" : ": " + ending.last), "The node still runs as before; mend that, then go on."));
        }
    }

    private void pull(String image) throws TroubleException, InterruptedException {
        lines.accept("pulling " + image);
        ImageServicePullRequest request = ImageServicePullRequest.newBuilder().setContainerd(SYSTEM).setImageRef(image)
                .build();
        calls.make(node, PULL, ImageServiceGrpc::newBlockingStub, stub -> {
            stub.pull(request).forEachRemaining(this::tell);
            return image;
        });
    }

    /** Only whole layers: their progress comes many times a second. */
    private void tell(ImageServicePullResponse response) {
        if (response.hasPullProgress() && response.getPullProgress().getProgress().getStatus()
                == ImageServicePullLayerProgress.Status.EXTRACT_COMPLETE) {
            lines.accept("pulled layer " + response.getPullProgress().getLayerId());
        }
    }

    /** What the installer has said. Without an exit code it has not ended well. */
    private final class Ending {
        private int code = -1;
        private String last = "";

        private void take(LifecycleServiceInstallProgress progress) {
            if (progress.hasExitCode()) {
                code = progress.getExitCode();
            } else {
                last = progress.getMessage().strip();
                lines.accept(last);
            }
        }
    }
}
