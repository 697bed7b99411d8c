package dev.pitwall.site;

import dev.pitwall.card.Trouble;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Finds and reads kubeconfig files, without contacting any cluster. */
public interface KubeconfigCatalog {

    /** {@code KUBECONFIG}'s list, {@code ~/.kube/config}, and the default paths of RKE2, k3s, MicroK8s and talosctl. */
    List<Found> find();

    /** Reads one file, or several that are merged as kubectl does. */
    Found read(List<Path> files);

    /**
     * @param files   the files it came from
     * @param origin  why it was looked at, for example {@code KUBECONFIG} or {@code RKE2}
     * @param trouble why it cannot be used, with file and line
     */
    record Found(List<Path> files, String origin, List<ContextEntry> contexts, Optional<String> current,
                 Optional<Trouble> trouble) {
        public Found {
            files = List.copyOf(files);
            contexts = List.copyOf(contexts);
        }
    }

    /** @param auth for example {@code client certificate}, {@code token}, {@code exec kubelogin} */
    record ContextEntry(String name, String cluster, String server, String user, String auth,
                        Optional<Trouble> trouble) {
    }
}
