package dev.pitwall.doctor.picture.cluster;

import dev.pitwall.doctor.catalogue.SignRef;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.doctor.sign.SignBook;

import java.util.Set;

/**
 * Whether something is seen to work and nothing is seen to fail. Then a setting that elsewhere would be somebody's cure only
 * stands in a configuration that works. Evidence that is said to be a cure is never taken for one.
 */
final class WellCheck implements Check {
    private static final Set<String> WORKS = Set.of("works-said", "gpu-works", "host-sees-gpu", "stack-ready", "pod-running",
            "gpu-in-capacity");
    private static final Set<String> FAILS = Set.of("trouble-unnamed", "is-cure", "crash-loop", "crashing", "init-crash",
            "nvml-failed", "nvml-unknown-error", "module-load-failed", "no-devices-found", "nvidia-insert-no-device", "rm-init-failed",
            "container-without-driver", "container-insufficient-driver", "vm-start-failed", "code-43", "pod-pending", "pod-init",
            "pod-terminating", "insufficient-gpu", "insufficient-mig", "out-of-gpu", "gpu-zero", "gpu-missing-in-capacity",
            "no-gpu-nodes", "nfd-labels-missing", "plugin-without-nvml", "cuda-unknown-error", "cuda-insufficient", "cuda-too-new",
            "image-pull-failed", "oom-killed", "exit-137", "exit-127", "bind-to-vfio-failed", "admission-error",
            "daemonset-desired-zero", "pods-not-created", "no-runtime-handler", "card-held-on-host", "card-on-host-driver",
            "fallen-off", "stuck-in-d3", "iommu-missing", "uvm-missing", "system-not-ready", "devices-busy", "untolerated-taint",
            "untolerated-gpu-taint", "configmap-not-found", "containerd-socket-unreachable", "cannot-stop", "twins-part",
            "versions-differ", "library-mismatch", "build-broke", "headers-missing", "group-not-viable", "bar-unassigned",
            "vram-too-small", "processor-split", "ollama-falls-back", "node-unschedulable", "mig-instances-gone", "cdi-unresolvable",
            "toolkit-write-denied", "unhealthy-by-xid", "allocatable-below-capacity", "pod-security-refuses", "policy-denied");

    @Override
    public void look(Picture picture, SignBook book) {
        boolean cured = book.all().stream().anyMatch(sign -> sign.about().component().equals("cure"));
        if (!cured && WORKS.stream().anyMatch(id -> book.has(SignRef.of(id)))
                && FAILS.stream().noneMatch(id -> book.has(SignRef.of(id)))) {
            book.add(Shown.sign("nothing-amiss", About.NOTHING, "the evidence", "what is seen works, and nothing is seen to fail"));
        }
    }
}
