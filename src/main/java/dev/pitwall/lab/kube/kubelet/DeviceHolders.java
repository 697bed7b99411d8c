package dev.pitwall.lab.kube.kubelet;

import java.util.Collection;
import java.util.Optional;

/** Which container the kubelets have given a device to, as their pod-resources socket tells an exporter. Safe for any number of threads. */
public final class DeviceHolders {
    private final Kubelets kubelets;

    DeviceHolders(Kubelets kubelets) {
        this.kubelets = kubelets;
    }

    /** A container and the pod it is in. */
    public record Holder(String namespace, String pod, String container) {
    }

    /**
     * Who holds a device.
     *
     * @param device its id, or that of the card it is a share of; of several holders of shares, the first
     */
    public Optional<Holder> of(String node, String device) {
        return kubelets.locked(now -> kubelets.kubelet(node).stream().flatMap(kubelet -> kubelet.records().stream()
                .flatMap(record -> record.work().stream().flatMap(PodWork::cells)
                        .filter(cell -> kubelet.book().of(record.uid(), cell.name).values().stream()
                                .flatMap(Collection::stream).anyMatch(id -> isOf(id, device)))
                        .map(cell -> new Holder(record.key().namespace(), record.key().name(), cell.name))))
                .findFirst());
    }

    /** A share's id is its card's with {@code ::n} behind it. */
    private static boolean isOf(String id, String device) {
        return id.equals(device) || id.startsWith(device + "::");
    }
}
