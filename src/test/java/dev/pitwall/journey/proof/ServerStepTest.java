package dev.pitwall.journey.proof;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ModelAsk;
import dev.pitwall.journey.change.ModelChange;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.operator.PaperCluster;
import dev.pitwall.journey.survey.Proof;
import dev.pitwall.journey.survey.ProofSurvey.Answered;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

import static org.assertj.core.api.Assertions.assertThat;

/** What a card gets where nothing serves on it, and what becomes of a server that is there. */
class ServerStepTest {
    private final ProofScene scene = new ProofScene();

    private Answer look() {
        return scene.look("server");
    }

    private static List<Class<?>> kinds(Answer answer) {
        return answer.intended().stream().<Class<?>>map(Object::getClass).toList();
    }

    @Test
    void theChartIsInstalledPinnedToTheNodeWithAModelThatIsAsked() {
        Answer answer = look();

        assertThat(answer.state()).as(answer.why()).isEqualTo(State.READY);
        assertThat(kinds(answer)).containsExactly(ManifestChange.class, HelmChange.class, ModelChange.class, ModelAsk.class);
        HelmChange release = (HelmChange) answer.changes().get(1);
        JsonNode values = release.after().orElseThrow().values();
        assertThat(release.release()).isEqualTo("ollama-worker-1-01-00");
        assertThat(values.at("/nodeSelector/kubernetes.io~1hostname").asText()).isEqualTo("worker-1.lan");
        assertThat(values.at("/ollama/gpu/nvidiaResource").asText()).isEqualTo("nvidia.com/gpu");
        assertThat(values.at("/updateStrategy/type").asText()).isEqualTo("Recreate");
        assertThat(values.path("tolerations").findValuesAsText("key")).containsExactly("dedicated");
        assertThat(values.at("/ollama/models").isMissingNode()).isTrue();
        assertThat(((ModelChange) answer.changes().get(2)).disk()).isEqualTo(ModelChange.Disk.OURS);
        assertThat(answer.notes()).anyMatch(n -> n.contains("port-forward service/ollama-worker-1-01-00"));
        assertThat(release.lines()).allSatisfy(line -> assertThat(line.reason()).isNotBlank());
    }

    @Test
    void everyValueIsAKeyOfTheChart() throws Exception {
        JsonNode chart = PaperCluster.yaml(Files.readString(Path.of("resources/lab/charts/ollama/1.77.0/values.yaml")));
        scene.choose("stack", "device-plugin").choose("server-storage-class", "local-path");
        scene.cluster.objects.get(ObjectType.CLUSTER_POLICY).clear();
        HelmChange release = (HelmChange) look().changes().get(1);

        assertThat(release.lines()).hasSizeGreaterThan(12).allSatisfy(line -> {
            JsonNode at = chart;
            for (String part : line.path().split("\\.")) {
                assertThat(at.has(part)).as(line.path()).isTrue();
                at = at.path(part);
            }
        });
    }

    @Test
    void sharedCardsAreAskedForByTheirNameAndTheTaintOfCardsIsTolerated() {
        scene.label("nvidia.com/gpu.replicas", "4").offers("nvidia.com/gpu.shared", "4");
        JsonNode values = ((HelmChange) look().changes().get(1)).after().orElseThrow().values();
        assertThat(values.at("/ollama/gpu/nvidiaResource").asText()).isEqualTo("nvidia.com/gpu.shared");
        assertThat(values.path("tolerations").findValuesAsText("key")).containsExactly("nvidia.com/gpu", "dedicated");
    }

    @Test
    void plainObjectsNeedNoChart() {
        scene.charts.clear();
        assertThat(look().state()).isEqualTo(State.BLOCKED);
        scene.unread.put("ollama", new Trouble(Trouble.Kind.CONNECT, "helm.otwld.com", "no route", "Check."));
        assertThat(look().why()).contains("helm.otwld.com: no route").contains("ollama-manifests");

        scene.choose("server", "ollama-manifests");
        assertThat(look().state()).isEqualTo(State.READY);
        assertThat(look().changes()).filteredOn(ManifestChange.class::isInstance).extracting(Change::target)
                .containsExactly("namespaces/ollama", "persistentvolumeclaims/ollama-worker-1-01-00 in ollama",
                        "deployments.apps/ollama-worker-1-01-00 in ollama", "services/ollama-worker-1-01-00 in ollama");
    }

    @Test
    void withoutAStorageClassNothingIsMade() {
        scene.cluster.objects.get(ObjectType.STORAGE_CLASS).clear();
        assertThat(look().state()).isEqualTo(State.BLOCKED);
        assertThat(look().why()).contains("default storage class");
        scene.choose("server-storage-class", "fast");
        assertThat(look().why()).isEqualTo("there is no storage class fast");
    }

    @Test
    void aServerOfOthersIsKeptAsItIs() {
        scene.server().answers("llama3.1:8b");
        assertThat(look().state()).isEqualTo(State.DONE);
        assertThat(look().why()).isEqualTo("ollama-a (ollama) serves on this card");

        scene.choose("model", "qwen3:4b");
        assertThat(kinds(look())).containsExactly(ModelChange.class, ModelAsk.class);
        assertThat(((ModelChange) look().changes().getFirst()).inverse().after()).isEqualTo(ModelChange.Presence.ABSENT);
    }

    @Test
    void aServerWithoutAModelGetsOne() {
        scene.server().answers();
        assertThat(look().state()).isEqualTo(State.READY);
        assertThat(((ModelChange) look().changes().getFirst()).model()).isEqualTo("llama3.2:3b");
    }

    @Test
    void aServerThatStartsIsWaitedForAndASilentOneIsTold() {
        Trouble silence = new Trouble(Trouble.Kind.REMOTE, "ollama-a", "no endpoints available", "Look at its pod.");
        scene.server().answers.put(ProofScene.SERVICE, new Answered.Not(silence));
        assertThat(look().state()).isEqualTo(State.BLOCKED);
        assertThat(look().why()).contains("no endpoints available");

        ObjectNode pod = (ObjectNode) scene.cluster.objects.get(ObjectType.POD).getFirst();
        pod.withObjectProperty("status").withArrayProperty("conditions").removeAll();
        assertThat(look().state()).isEqualTo(State.WAITING);
        assertThat(look().coming()).isPresent();
        scene.answers.clear();
        assertThat(look().state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void ourServerIsDoneOnceItsModelHasAnsweredSinceTheNodeWasStarted() {
        scene.server().answers("llama3.2:3b");
        ((ObjectNode) scene.cluster.objects.get(ObjectType.POD).getFirst()).withObjectProperty("metadata")
                .withObjectProperty("labels").put("pitwall.dev/card", "worker-1-01-00");
        assertThat(kinds(look())).containsExactly(ModelAsk.class);
        assertThat(look().why()).contains("has not answered since");

        scene.proofs.add(new Proof(8, "llm/ollama-a llama3.2:3b", Proof.Result.PASSED, ProofScene.NOW, Duration.ZERO,
                "boot-1", "570.133.20", "answered"));
        assertThat(look().state()).isEqualTo(State.DONE);
        assertThat(look().why()).contains("llama3.2:3b has answered");
    }

    @Test
    void kubemootIsToldOfTheServer() {
        scene.server().answers("llama3.1:8b");
        scene.cluster.with(ObjectType.DEFINITION, "{metadata: {name: modelproviders.kubemoot.ai}}");
        scene.cluster.with(ObjectType.MODEL_PROVIDER, "{metadata: {name: other, namespace: moot}, spec: {endpoint: \"http://x.y:1\"}}");
        ManifestChange provider = (ManifestChange) look().changes().getFirst();
        assertThat(provider.object().namespace()).isEqualTo("moot");
        assertThat(provider.after().orElseThrow().path("spec"))
                .hasToString("{\"type\":\"ollama\",\"endpoint\":\"http://ollama-a.llm:11434\"}");

        scene.cluster.with(ObjectType.MODEL_PROVIDER,
                "{metadata: {name: mine, namespace: moot}, spec: {endpoint: \"http://ollama-a.llm.svc:11434\"}}");
        assertThat(look().state()).isEqualTo(State.DONE);
    }

    @Test
    void aCardThatSomethingElseHoldsGetsNone() {
        scene.held("trainer", "pytorch");
        assertThat(look().state()).isEqualTo(State.BLOCKED);
        assertThat(look().why()).contains("Deployment trainer").contains("server=none");
        scene.choose("server", "none");
        assertThat(look().state()).isEqualTo(State.NOT_APPLICABLE);
    }

    @Test
    void aNodeThatOffersNothingIsWaitedForAndAllIsForeseen() {
        List<Change> later = look().changes();
        scene.offers("", "");
        assertThat(look().state()).isEqualTo(State.WAITING);
        assertThat(look().foreseen()).isEqualTo(later);
    }

    @Test
    void whatIsBegunIsWaitedFor() {
        scene.cluster.with(ObjectType.DEPLOYMENT, "{metadata: {name: ollama-worker-1-01-00, namespace: ollama}}");
        assertThat(look().state()).isEqualTo(State.WAITING);
        assertThat(look().coming()).isPresent();
        assertThat(look().why()).contains("it has no pod yet");
    }

    @Test
    void theModelFitsTheCard() {
        ProofData data = ProofData.load();
        assertThat(ServerWish.usual(OptionalLong.of(8188), data).name()).isEqualTo("llama3.2:3b");
        assertThat(ServerWish.usual(OptionalLong.of(2048), data).name()).isEqualTo("smollm2:135m");
        assertThat(ServerWish.usual(OptionalLong.empty(), data).name()).isEqualTo("llama3.2:3b");
    }
}
