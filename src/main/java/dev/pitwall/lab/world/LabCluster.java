package dev.pitwall.lab.world;

import java.util.Locale;

/**
 * What sort of Kubernetes cluster the nodes form.
 *
 * @param operatorChart     version of the GPU Operator's chart that is installed at the start, for example {@code v26.3.3};
 *                          empty for a bare cluster, where nobody has set up anything for the cards
 * @param operatorNamespace where it is installed
 * @param driver            who brings the NVIDIA module to the nodes: {@code HOST} where the operator was installed with
 *                          {@code driver.enabled=false}
 */
public record LabCluster(Distribution distribution, String operatorChart, String operatorNamespace,
                         GuestDriver.Source driver) {
    /** RKE2 with the operator's own driver. */
    public static final LabCluster USUAL = new LabCluster(Distribution.RKE2, "v26.3.2", "gpu-operator",
            GuestDriver.Source.CONTAINER);

    /** False for a bare cluster. */
    public boolean hasOperator() {
        return !operatorChart.isEmpty();
    }

    /** Kubernetes as it is packaged. Where each has its files: facts, cluster.md 5. */
    public enum Distribution {
        RKE2, K3S, TALOS, KUBEADM;

        /** For example {@code rke2}. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
