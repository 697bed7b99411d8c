package dev.pitwall.journey.consent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.Drain;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.HelmChange.Traces;
import dev.pitwall.journey.change.HelmChange.Wanted;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ModelAsk;
import dev.pitwall.journey.change.NodeReboot;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.journey.change.Risk;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a change is, tells which rights it needs. */
class NeededRightsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final NeededRights rights = new NeededRights();

    private static Set<String> words(Set<Right> rights) {
        return rights.stream().map(Right::words).collect(Collectors.toSet());
    }

    private Set<String> toMake(Change change) {
        return words(rights.toMake(change));
    }

    @Test
    void aNodeThatIsDrainedNeedsTheRightToEvictAndToCordon() {
        Drain drain = new Drain("garage", "worker-1", List.of(), Drain.Whom.ALL, MINUTE);

        assertThat(toMake(new NodeReboot("worker-1", Optional.of(drain), List.of(), MINUTE, MINUTE)))
                .containsExactlyInAnyOrder("patch nodes", "list pods in all namespaces", "create pods/eviction in all namespaces");
        assertThat(toMake(new NodeReboot("worker-1", Optional.empty(), List.of(), MINUTE, MINUTE))).isEmpty();
    }

    @Test
    void anObjectIsMadePatchedOrDeletedAndTakenBackTheOtherWay() {
        ObjectRef map = new ObjectRef(ObjectType.CONFIG_MAP, "gpu-operator", "sharing");
        ManifestChange making = ManifestChange.making("garage", map, JSON.objectNode().put("a", 1), "new");

        assertThat(toMake(making)).containsExactlyInAnyOrder("get configmaps in gpu-operator", "create configmaps in gpu-operator");
        assertThat(words(rights.toTakeBack(making))).contains("delete configmaps in gpu-operator");
        assertThat(toMake(new ManifestChange("garage", map, Optional.of(JSON.objectNode()), Optional.of(JSON.objectNode()
                .put("a", 1)), Risk.NONE, "set"))).contains("patch configmaps in gpu-operator");
    }

    @Test
    void aReleaseNeedsWhatItsChartMakesAndUndoWhatItRemoves() {
        HelmChange install = new HelmChange("garage", "gpu-operator", "gpu-operator", Optional.empty(), Optional.of(
                new Wanted("gpu-operator", "v26.3.3", "", Optional.empty(), JSON.objectNode())), List.of(),
                new Traces(List.of("clusterpolicies.nvidia.com"), new TreeMap<>(), List.of("nvidia.com/")), MINUTE, MINUTE);

        assertThat(toMake(install)).contains("create secrets in gpu-operator", "create deployments.apps in gpu-operator",
                "create clusterroles.rbac.authorization.k8s.io", "create customresourcedefinitions.apiextensions.k8s.io");
        assertThat(words(rights.toTakeBack(install))).contains("delete customresourcedefinitions.apiextensions.k8s.io",
                "patch nodes", "delete daemonsets.apps in gpu-operator");
        assertThat(toMake(install.over(new HelmChange.Dead(1, "pending-install")))).contains("delete secrets in gpu-operator");
    }

    @Test
    void aProofNeedsItsPodItsLogAndTheServersProxy() {
        PodRun run = new PodRun("garage", new ObjectRef(ObjectType.POD, "web", "proof"), JSON.objectNode(), "card", "x",
                List.of(new PodRun.Pause(new ObjectRef(ObjectType.DEPLOYMENT, "llm", "ollama"), 1)), MINUTE, MINUTE, "");
        assertThat(toMake(run)).contains("create pods in web", "get pods/log in web", "patch deployments.apps in llm");

        assertThat(toMake(new ModelAsk("garage", new ObjectRef(ObjectType.SERVICE, "llm", "ollama"), 1, "m", "", "", MINUTE,
                MINUTE))).containsExactlyInAnyOrder("get services/proxy in llm", "create services/proxy in llm");
    }

    @Test
    void whatIsOfNoClusterNeedsNone() {
        assertThat(toMake(new FileChange("pve1", "/etc/x", Content.ABSENT, Content.of(""), ""))).isEmpty();
    }
}
