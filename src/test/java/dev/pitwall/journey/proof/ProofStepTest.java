package dev.pitwall.journey.proof;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.journey.change.Risk;
import dev.pitwall.journey.operator.PaperCluster;
import dev.pitwall.journey.survey.Proof.Result;
import dev.pitwall.journey.survey.ProofSurvey.Tried;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** What the proof says of each state of a node, and the pods that it would run. */
class ProofStepTest {
    private final ProofScene scene = new ProofScene();

    private Answer look() {
        return scene.look("proof");
    }

    private static List<PodRun> runs(Answer answer) {
        return answer.intended().stream().map(PodRun.class::cast).toList();
    }

    private static JsonNode spec(PodRun run) {
        return run.manifest().path("spec");
    }

    @Test
    void twoPodsThatARestrictedNamespaceTakesAskForTheCardOfThisNode() {
        Answer answer = look();

        assertThat(answer.state()).isEqualTo(State.READY);
        assertThat(answer.why()).isEqualTo("not proved yet");
        List<PodRun> runs = runs(answer);
        assertThat(runs).extracting(PodRun::expects).containsExactly("00000000:01:00.", "Test PASSED");
        for (PodRun run : runs) {
            JsonNode spec = spec(run);
            assertThat(spec.has("nodeName")).isFalse();
            assertThat(spec.at("/nodeSelector/kubernetes.io~1hostname").asText()).isEqualTo("worker-1.lan");
            assertThat(spec.has("runtimeClassName")).isFalse();
            assertThat(spec.path("activeDeadlineSeconds").asLong()).isEqualTo(300);
            assertThat(spec.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
            assertThat(spec.at("/securityContext/seccompProfile/type").asText()).isEqualTo("RuntimeDefault");
            assertThat(spec.at("/containers/0/securityContext")).hasToString(
                    "{\"allowPrivilegeEscalation\":false,\"capabilities\":{\"drop\":[\"ALL\"]}}");
            assertThat(spec.at("/containers/0/resources/limits/nvidia.com~1gpu").asText()).isEqualTo("1");
            assertThat(spec.path("tolerations").findValuesAsText("key")).containsExactly("nvidia.com/gpu", "dedicated");
            assertThat(run.manifest().at("/metadata/labels/app.kubernetes.io~1managed-by").asText()).isEqualTo("pitwall");
            assertThat(run.manifest().at("/metadata/annotations/pitwall.dev~1boot").asText()).isEqualTo("boot-1");
            assertThat(run.pod().name()).matches("[a-z0-9-]{1,63}");
        }
        assertThat(runs.get(0).pod().name()).isNotEqualTo(runs.get(1).pod().name());
    }

    @Test
    void aProofCountsUntilTheNodeIsStartedOrHasAnotherDriver() {
        scene.proved(Result.PASSED, "boot-1", "570.133.20");
        assertThat(look().state()).isEqualTo(State.DONE);
        assertThat(look().why()).isEqualTo("Test PASSED 12 min ago");

        scene.node().withObjectProperty("status").withObjectProperty("nodeInfo").put("bootID", "boot-2");
        assertThat(look().why()).contains("due again").contains("started");

        scene.node().withObjectProperty("status").withObjectProperty("nodeInfo").put("bootID", "boot-1");
        scene.label("nvidia.com/cuda.driver-version.full", "580.1");
        assertThat(look().why()).contains("due again").contains("driver");
    }

    @Test
    void aProofFromBeforeFeatureDiscoveryHadToldTheDriverCounts() {
        scene.proved(Result.PASSED, "boot-1", "");

        assertThat(look().state()).isEqualTo(State.DONE);
    }

    @Test
    void aFailureAndARollCallAskForAnotherTry() {
        scene.proved(Result.FAILED, "boot-1", "570.133.20");
        assertThat(look().state()).isEqualTo(State.READY);
        assertThat(look().why()).isEqualTo("the last proof failed");

        scene.proofs.clear();
        scene.proved(Result.PASSED, "boot-1", "570.133.20").choose("proof-since", ProofScene.NOW.toString());
        assertThat(look().why()).isEqualTo("to be proved again");
        scene.choose("proof-since", ProofScene.NOW.minusSeconds(3600).toString());
        assertThat(look().state()).isEqualTo(State.DONE);
    }

    @Test
    void whatIsMissingBelowIsTold() {
        scene.hasCluster = false;
        assertThat(look().state()).isEqualTo(State.NOT_APPLICABLE);

        ProofScene unknown = new ProofScene();
        unknown.cluster.objects.get(ObjectType.NODE).clear();
        assertThat(unknown.look("proof").state()).isEqualTo(State.WAITING);
        unknown.unread.put("nodes", new Trouble(Trouble.Kind.RIGHTS, "paper", "you may not list nodes", "Ask."));
        assertThat(unknown.look("proof").state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void aNodeThatOffersNothingIsWaitedForAndThePodsAreForeseen() {
        scene.offers("", "");

        assertThat(look().state()).isEqualTo(State.WAITING);
        assertThat(look().why()).contains("offers its cards");
        assertThat(runs(look()).stream().map(ProofStepTest::spec)).isEqualTo(
                runs(new ProofScene().look("proof")).stream().map(ProofStepTest::spec).toList());

        scene.offers("nvidia.com/gpu", "0");
        assertThat(look().why()).contains("healthy");
    }

    @Test
    void aNodeThatTakesNoPodsIsNotTried() {
        scene.node().withObjectProperty("spec").put("unschedulable", true);
        assertThat(look().state()).isEqualTo(State.BLOCKED);
        assertThat(look().why()).contains("kubectl uncordon worker-1");

        ProofScene sick = new ProofScene();
        sick.node().withObjectProperty("spec").withArrayProperty("taints").addObject()
                .put("key", "node.kubernetes.io/memory-pressure").put("effect", "NoSchedule");
        assertThat(sick.look("proof").state()).isEqualTo(State.WAITING);
        assertThat(sick.look("proof").coming()).isPresent();
        assertThat(sick.look("proof").why()).contains("memory-pressure");
    }

    @ParameterizedTest
    @CsvSource({"12.8, READY", "12.5, READY", "12.4, BLOCKED", "11.8, BLOCKED", "13.0, READY"})
    void anImageOfANewerCudaThanTheDriverRunsIsRefused(String most, State state) {
        scene.label("nvidia.com/cuda.runtime-version.full", most);
        assertThat(look().state()).isEqualTo(state);
        if (state == State.BLOCKED) {
            assertThat(look().why()).contains("CUDA 12.5").contains(most).contains("proof-image");
        }
        scene.choose("proof-image", "registry.lan/own/check:1");
        assertThat(look().state()).isEqualTo(State.READY);
        assertThat(spec(runs(look()).getLast()).at("/containers/0/image").asText()).isEqualTo("registry.lan/own/check:1");
    }

    @Test
    void whoHoldsTheCardIsNamedAndCanBeStopped() {
        scene.held("trainer", "pytorch");
        Answer answer = look();
        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.why()).contains("llm/trainer-5d4f-x2x2x (Deployment trainer)").contains("proof-held=pause");

        scene.choose("proof-held", "pause");
        PodRun run = runs(look()).getFirst();
        assertThat(look().state()).isEqualTo(State.READY);
        assertThat(run.pauses()).singleElement().satisfies(p -> assertThat(p.workload().name()).isEqualTo("trainer"));
        assertThat(run.risk()).isEqualTo(Risk.RESTARTS_PODS);
    }

    @Test
    void whatCannotBeStartedAgainIsNotStopped() {
        scene.held("trainer", "pytorch").choose("proof-held", "pause");
        scene.cluster.objects.get(ObjectType.DEPLOYMENT).clear();

        assertThat(look().state()).isEqualTo(State.BLOCKED);
        assertThat(look().why()).contains("not stopped from here");
    }

    @Test
    void aPodThatLeavesAndAnotherProofAreWaitedFor() {
        scene.held("trainer", "pytorch");
        ObjectNode pod = (ObjectNode) scene.cluster.objects.get(ObjectType.POD).getFirst();
        pod.withObjectProperty("metadata").put("deletionTimestamp", "2026-09-01T10:00:00Z");
        assertThat(look().state()).isEqualTo(State.WAITING);
        assertThat(look().coming().orElseThrow().what()).isEqualTo("holder-leaves");

        pod.withObjectProperty("metadata").remove("deletionTimestamp");
        pod.withObjectProperty("metadata").withObjectProperty("labels").put("app.kubernetes.io/managed-by", "pitwall")
                .put("pitwall.dev/proof", "vectoradd").put("pitwall.dev/card", "worker-1-01-00");
        assertThat(look().coming().orElseThrow().what()).isEqualTo("other-proof");
    }

    @Test
    void onlyAllFreeCardsOfANodeSurelyHaveThisOne() {
        scene.slots = List.of("0000:01:00.0", "0000:02:00.0");
        scene.label("nvidia.com/gpu.count", "2").offers("nvidia.com/gpu", "2");

        List<PodRun> runs = runs(look());
        assertThat(spec(runs.get(0)).at("/containers/0/resources/limits/nvidia.com~1gpu").asText()).isEqualTo("2");
        assertThat(spec(runs.get(1)).path("containers")).hasSize(2).allSatisfy(c ->
                assertThat(c.at("/resources/limits/nvidia.com~1gpu").asText()).isEqualTo("1"));
        assertThat(look().notes()).anyMatch(n -> n.contains("2 cards are proved"));

        scene.held("trainer", "pytorch");
        assertThat(spec(runs(look()).get(1)).path("containers")).hasSize(1);
    }

    @Test
    void aPartOfASharedCardIsAskedForByItsOwnName() {
        scene.label("nvidia.com/gpu.replicas", "4").offers("nvidia.com/gpu.shared", "4");
        assertThat(spec(runs(look()).getLast()).at("/containers/0/resources/limits/nvidia.com~1gpu.shared").asText())
                .isEqualTo("1");
        scene.offers("nvidia.com/mig-1g.10gb", "3");
        assertThat(spec(runs(look()).getLast()).at("/containers/0/resources/limits").has("nvidia.com/mig-1g.10gb")).isTrue();
    }

    @Test
    void aRuntimeClassIsNamedWhereTheStandalonePluginNeedsOneItself() {
        scene.cluster.objects.get(ObjectType.CLUSTER_POLICY).clear();
        assertThat(spec(runs(look()).getFirst()).has("runtimeClassName")).isFalse();
        scene.choose("stack", "device-plugin");
        assertThat(spec(runs(look()).getFirst()).path("runtimeClassName").asText()).isEqualTo("nvidia");
        scene.cluster.with(ObjectType.DAEMON_SET, "{metadata: {name: nvidia-device-plugin, namespace: p}, spec: {template: {spec: {}}}}");
        assertThat(spec(runs(look()).getFirst()).has("runtimeClassName")).isFalse();
    }

    @Test
    void theBoundsOfALimitRangeAreKept() {
        scene.cluster.with(ObjectType.LIMIT_RANGE, """
                {metadata: {name: l, namespace: default}, spec: {limits: [{type: Container, max: {cpu: 500m, memory: 512Mi}, min: {cpu: 200m}}]}}
                """);
        JsonNode resources = spec(runs(look()).getFirst()).at("/containers/0/resources");
        assertThat(resources.path("requests")).hasToString("{\"cpu\":\"200m\",\"memory\":\"256Mi\"}");
        assertThat(resources.at("/limits/cpu").asText()).isEqualTo("500m");
        assertThat(resources.at("/limits/memory").asText()).isEqualTo("512Mi");
    }

    @Test
    void theFirstNamespaceThatLetsThePodInAsItIsIsTaken() {
        JsonNode asked = runs(look()).getLast().manifest();
        scene.tried.put("default", new Tried.Refused(new Trouble(Trouble.Kind.REMOTE, "pods", "policy says no", "Ask it.")));
        assertThat(look().state()).isEqualTo(State.BLOCKED);
        assertThat(look().why()).contains("default").contains("policy says no").contains("Ask it.");

        ObjectNode moved = asked.deepCopy();
        moved.withObjectProperty("spec").withObjectProperty("nodeSelector").put("zone", "b");
        scene.tried.put("gpu-operator", new Tried.Admitted(asked, moved));
        assertThat(look().state()).isEqualTo(State.BLOCKED);

        ObjectNode helped = asked.deepCopy();
        ((ObjectNode) helped.path("spec")).withArrayProperty("tolerations").add(PaperCluster.yaml("{key: team, operator: Exists}"));
        scene.tried.put("llm", new Tried.Admitted(asked, helped));
        assertThat(look().state()).isEqualTo(State.READY);
        assertThat(runs(look())).allMatch(r -> r.pod().namespace().equals("llm"));
        assertThat(look().found()).anyMatch(f -> f.value().contains("policies add toleration team"));

        scene.choose("proof-namespace", "gpu-operator");
        assertThat(look().state()).isEqualTo(State.BLOCKED);
        assertThat(look().why()).contains("makes another pod").contains("nodeSelector");
    }
}
