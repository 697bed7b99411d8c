package dev.pitwall.lab.kube.seed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.kube.agent.AgentLab;
import dev.pitwall.lab.kube.agent.Builds;
import dev.pitwall.lab.kube.api.ResourceCatalog;
import dev.pitwall.lab.kube.kubelet.ImageCatalog;
import dev.pitwall.lab.kube.kubelet.NamedImages;
import dev.pitwall.lab.kube.store.Resource;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing that a lab starts with may hang in ImagePullBackOff. */
class SeedImagesTest {
    private final ImageCatalog images = ImageCatalog.load();

    @ParameterizedTest
    @ValueSource(strings = {"garage", "talos", "metal"})
    void everyImageOfASceneCanBePulled(String scene) throws Exception {
        AgentLab lab = new AgentLab(scene);
        Instant begin = Seeds.begin(lab.world);
        lab.with(new Seeds(lab.world, lab.hand, begin)).with(new StaticPods(lab.world, lab.hand))
                .with(new Builds(lab.hand, lab.pods, begin));
        lab.world.nodes.values().forEach(node -> lab.create(Resource.NODES, "", node.name,
                "{metadata: {uid: " + node.name + ", labels: {node-role.kubernetes.io/control-plane: 'true'}}}"));
        lab.readyPod("tekton-pipelines", "controller", "{app.kubernetes.io/name: tekton-pipelines-controller}");
        lab.from(begin, begin.plus(Duration.ofHours(1)));

        Set<String> named = new TreeSet<>();
        ResourceCatalog.load().types().forEach(type -> lab.store.list(type.resource(), "").objects()
                .forEach(object -> named.addAll(NamedImages.in(object.tree()))));
        assertThat(named).hasSizeGreaterThan(10).allMatch(images::has);
    }

    @Test
    void soCanThoseThatFaultsBring() throws Exception {
        JsonNode causes = new YAMLMapper().readTree(Path.of("resources/lab/faults.yaml").toFile());
        assertThat(NamedImages.in(causes)).isNotEmpty().allMatch(images::has);
    }
}
