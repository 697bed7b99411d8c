package dev.pitwall.site;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How the cluster is reached.
 *
 * @param kubeconfigs merged as kubectl does: the first file that names an entry wins
 * @param context     empty means the current context
 */
public record ClusterAccess(List<Path> kubeconfigs, Optional<String> context) {
    public ClusterAccess {
        kubeconfigs = List.copyOf(kubeconfigs);
    }
}
