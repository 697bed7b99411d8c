package dev.pitwall.journey.consent;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.Set;

/**
 * What a GitOps tool has put on an object that it keeps (argo-cd: docs/user-guide/resource_tracking.md; fluxcd:
 * kustomize-controller and helm-controller, "labels").
 *
 * @param tool   {@code Argo CD} or {@code Flux}
 * @param source for example {@code Application gpu-operator}
 */
public record GitOpsMark(String tool, String source) {
    public static final String ARGO = "Argo CD";
    public static final String FLUX = "Flux";
    private static final String ARGO_ID = "argocd.argoproj.io/tracking-id";
    private static final String ARGO_LABEL = "argocd.argoproj.io/instance";
    /** Argo CD's own label before it wrote tracking ids; many others write it too. */
    private static final String INSTANCE = "app.kubernetes.io/instance";
    private static final String FLUX_RELEASE = "helm.toolkit.fluxcd.io/";
    private static final String FLUX_KUSTOMIZATION = "kustomize.toolkit.fluxcd.io/";

    /** @param applications names of Argo CD's Applications, where the cluster has some */
    public static Optional<GitOpsMark> of(JsonNode object, Set<String> applications) {
        JsonNode labels = object.at("/metadata/labels");
        String tracked = object.at("/metadata/annotations").path(ARGO_ID).asText("").replaceFirst(":.*", "");
        String named = labels.path(ARGO_LABEL).asText("");
        String instance = labels.path(INSTANCE).asText("");
        return flux(labels, FLUX_RELEASE, "HelmRelease").or(() -> flux(labels, FLUX_KUSTOMIZATION, "Kustomization"))
                .or(() -> argo(tracked)).or(() -> argo(named))
                .or(() -> applications.contains(instance) ? argo(instance) : Optional.empty());
    }

    private static Optional<GitOpsMark> argo(String application) {
        return application.isEmpty() ? Optional.empty() : Optional.of(new GitOpsMark(ARGO, "Application " + application));
    }

    private static Optional<GitOpsMark> flux(JsonNode labels, String prefix, String kind) {
        String name = labels.path(prefix + "name").asText("");
        String namespace = labels.path(prefix + "namespace").asText("");
        return name.isEmpty() ? Optional.empty()
                : Optional.of(new GitOpsMark(FLUX, kind + " " + (namespace.isEmpty() ? "" : namespace + "/") + name));
    }
}
