package dev.pitwall.lab.kube.admit;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;

/**
 * How an API server's Pod Security plugin is configured: from {@code lab/kube/pod-security.yaml}.
 *
 * @param enforce level of namespaces that have no label for it
 * @param warn    the same for warnings
 * @param exempt  namespaces that it does not look at
 */
public record PodSecurityDefaults(String enforce, String warn, Set<String> exempt) {
    /** As Kubernetes is by itself. */
    static final PodSecurityDefaults NONE = new PodSecurityDefaults("privileged", "privileged", Set.of());

    /** Those of a distribution. */
    public static PodSecurityDefaults of(String distribution) {
        try (InputStream in = PodSecurityDefaults.class.getResourceAsStream("/lab/kube/pod-security.yaml")) {
            return new YAMLMapper().readValue(in, new TypeReference<Map<String, PodSecurityDefaults>>() { })
                    .getOrDefault(distribution, NONE);
        } catch (IOException e) {
            throw new UncheckedIOException("how pod security is configured cannot be read", e);
        }
    }
}
