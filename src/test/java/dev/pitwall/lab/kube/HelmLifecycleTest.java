package dev.pitwall.lab.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.ReleaseHistory;
import dev.pitwall.lab.helm.Charts;
import dev.pitwall.lab.helm.HelmRepository;
import dev.pitwall.lab.helm.RealHelm;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.net.LabHttp;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real Helm takes a chart of the lab's repository through its life in the lab's cluster. */
class HelmLifecycleTest {
    private static final String NAMESPACE = "web";

    @Test
    void releaseIsInstalledUpgradedAndUninstalled(@TempDir Path dir) throws Exception {
        RealHelm.require();
        try (KubeLab lab = KubeLab.garage(dir); LabHttp http = new LabHttp();
             HelmRepository repository = new HelmRepository(http, lab.world.clock(), Charts.load())) {
            Path config = dir.resolve("repositories.yaml");
            Helm.repo().add().withRepositoryConfig(config).withName("lab").withUrl(repository.uri()).call();

            install(lab, config);
            JsonNode pod = find(lab, Resource.DEPLOYMENTS, "o-ollama").orElseThrow().at("/spec/template/spec");
            assertThat(pod.at("/containers/0/resources/limits").path("nvidia.com/gpu").asText()).isEqualTo("1");
            assertThat(find(lab, Resource.VOLUME_CLAIMS, "o-ollama")).isPresent();
            assertThat(find(lab, Resource.SECRETS, "sh.helm.release.v1.o.v1")).isPresent();

            Helm.upgrade("lab/ollama").withName("o").withNamespace(NAMESPACE).withRepositoryConfig(config)
                    .withKubeConfig(lab.kubeconfig).reuseValues().set("image.tag", "0.33.0").call();
            assertThat(find(lab, Resource.DEPLOYMENTS, "o-ollama").orElseThrow()
                    .at("/spec/template/spec/containers/0/image").asText()).isEqualTo("ollama/ollama:0.33.0");
            List<ReleaseHistory> history = Helm.history("o").withNamespace(NAMESPACE).withKubeConfig(lab.kubeconfig)
                    .call();
            assertThat(history).extracting(ReleaseHistory::getStatus).containsExactly("superseded", "deployed");
            assertThat(Helm.get("o").values().withNamespace(NAMESPACE).withKubeConfig(lab.kubeconfig).call())
                    .contains("0.33.0").contains("persistentVolume");

            Helm.uninstall("o").withNamespace(NAMESPACE).withKubeConfig(lab.kubeconfig).call();
            assertThat(find(lab, Resource.DEPLOYMENTS, "o-ollama")).isEmpty();
            assertThat(find(lab, Resource.SECRETS, "sh.helm.release.v1.o.v2")).isEmpty();
        }
    }

    private static void install(KubeLab lab, Path config) {
        try {
            Helm.install("lab/ollama").withName("o").withNamespace(NAMESPACE).withRepositoryConfig(config)
                    .withKubeConfig(lab.kubeconfig).set("ollama.gpu.enabled", "true")
                    .set("persistentVolume.enabled", "true").call();
        } catch (IllegalStateException e) {
            if (e.getMessage().contains("unknown format - accepted media types")) {
                abort("the lab's API server takes no protobuf, in which Helm writes its Secrets");
            }
            throw e;
        }
    }

    private static Optional<JsonNode> find(KubeLab lab, Resource resource, String name) {
        return lab.server.store().find(new ObjectKey(resource, NAMESPACE, name)).map(object -> object.tree());
    }
}
