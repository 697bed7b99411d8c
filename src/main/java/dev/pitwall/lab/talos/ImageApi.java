package dev.pitwall.lab.talos;

import dev.pitwall.lab.world.World;
import dev.talos.api.machine.ImageServiceGrpc;
import dev.talos.api.machine.ImageServiceListRequest;
import dev.talos.api.machine.ImageServiceListResponse;
import dev.talos.api.machine.ImageServicePullLayerProgress;
import dev.talos.api.machine.ImageServicePullProgress;
import dev.talos.api.machine.ImageServicePullRequest;
import dev.talos.api.machine.ImageServicePullResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;

import java.util.Set;

/** ImageService as far as upgrades need it: installer images are pulled and listed. */
final class ImageApi extends ImageServiceGrpc.ImageServiceImplBase {
    private final World world;
    private final Images images;
    private final Upgrading upgrading;

    ImageApi(World world, Images images, Upgrading upgrading) {
        this.world = world;
        this.images = images;
        this.upgrading = upgrading;
    }

    @Override
    public void list(ImageServiceListRequest request, StreamObserver<ImageServiceListResponse> out) {
        String name = TalosDoor.TARGETS.get().one();
        Set<String> there = world.read(w -> Set.copyOf(w.nodes.get(name).talos.orElseThrow().images));
        there.stream().sorted().forEach(image -> out.onNext(ImageServiceListResponse.newBuilder().setName(image).build()));
        out.onCompleted();
    }

    @Override
    public void pull(ImageServicePullRequest request, StreamObserver<ImageServicePullResponse> out) {
        String name = TalosDoor.TARGETS.get().one();
        String reference = request.getImageRef();
        try {
            progress(out, reference, ImageServicePullLayerProgress.Status.DOWNLOADING);
            images.installer(reference);
            upgrading.pause();
            progress(out, reference, ImageServicePullLayerProgress.Status.EXTRACT_COMPLETE);
            world.change(w -> w.nodes.get(name).talos.orElseThrow().images.add(reference));
            out.onNext(ImageServicePullResponse.newBuilder().setName(reference).build());
            out.onCompleted();
        } catch (FactoryRefusal e) {
            Status status = e.status() == 404 ? Status.NOT_FOUND : Status.UNKNOWN;
            out.onError(status.withDescription("failed to pull image: " + Upgrading.pullFailure(reference, e))
                    .asRuntimeException());
        } catch (io.grpc.StatusRuntimeException e) {
            out.onError(e);
        }
    }

    private static void progress(StreamObserver<ImageServicePullResponse> out, String reference,
                                 ImageServicePullLayerProgress.Status status) {
        out.onNext(ImageServicePullResponse.newBuilder().setPullProgress(ImageServicePullProgress.newBuilder()
                .setLayerId(reference).setProgress(ImageServicePullLayerProgress.newBuilder().setStatus(status))).build());
    }
}
