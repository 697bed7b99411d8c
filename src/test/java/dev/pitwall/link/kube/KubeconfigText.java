package dev.pitwall.link.kube;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import dev.pitwall.site.ClusterAccess;

/** Kubeconfigs for tests. */
final class KubeconfigText {
    private KubeconfigText() {
    }

    /**
     * @param cluster lines of the cluster, without indentation
     * @param user    lines of the user
     */
    static String of(String cluster, String user) {
        return """
                apiVersion: v1
                kind: Config
                current-context: basement
                contexts:
                - name: basement
                  context:
                    cluster: home
                    user: me
                clusters:
                - name: home
                  cluster:
                %s
                users:
                - name: me
                  user:
                %s
                """.formatted(indented(cluster), indented(user));
    }

    private static String indented(String lines) {
        return lines.stripTrailing().indent(4).stripTrailing();
    }

    static ClusterAccess access(Path folder, String cluster, String user) {
        return access(folder, of(cluster, user));
    }

    static ClusterAccess access(Path folder, String text) {
        try {
            Path file = Files.writeString(folder.resolve("config"), text);
            return new ClusterAccess(List.of(file), Optional.empty());
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
