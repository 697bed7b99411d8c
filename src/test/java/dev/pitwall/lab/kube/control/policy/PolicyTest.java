package dev.pitwall.lab.kube.control.policy;

import static dev.pitwall.lab.kube.control.upkeep.UpkeepRig.condition;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.upkeep.UpkeepRig;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PolicyTest {
    private final UpkeepRig rig = new UpkeepRig(parts -> List.of(new Quotas(parts.plane()), new Budgets(parts.plane())));

    @AfterEach
    void close() {
        rig.close();
    }

    private ObjectKey pod(String name, String owner, boolean ready) {
        return rig.put("v1", "Pod", "default", name, "{metadata: {labels: {app: web}, ownerReferences: [" + owner
                + "]}, spec: {nodeName: a, containers: [{name: c, resources: {requests: {cpu: 500m, nvidia.com/gpu: '1'}}}]},"
                + " status: {phase: Running, conditions: [{type: Ready, status: '" + (ready ? "True" : "False")
                + "'}]}}").key();
    }

    private StoredObject replicaSet(int replicas) {
        return rig.put("apps/v1", "ReplicaSet", "default", "web", "{spec: {replicas: " + replicas + "}}");
    }

    private static String ownedBy(StoredObject set) {
        return UpkeepRig.owner("apps/v1", "ReplicaSet", set);
    }

    private ObjectKey budget(String amount) {
        return rig.put("policy/v1", "PodDisruptionBudget", "default", "web",
                "{spec: {selector: {matchLabels: {app: web}}, " + amount + "}}").key();
    }

    private String status(ObjectKey budget) {
        JsonNode status = rig.get(budget).path("status");
        return "expected " + status.path("expectedPods").asInt() + ", desired " + status.path("desiredHealthy").asInt()
                + ", current " + status.path("currentHealthy").asInt() + ", allowed "
                + status.path("disruptionsAllowed").asInt();
    }

    @Test
    void aBudgetCountsHealthyPodsAgainstWhatMustStay() {
        ObjectKey budget = budget("minAvailable: 2");
        pod("a", "", true);
        pod("b", "", true);
        ObjectKey third = pod("c", "", true);
        rig.pass(0);
        assertThat(status(budget)).isEqualTo("expected 3, desired 2, current 3, allowed 1");
        assertThat(condition(rig.get(budget), "DisruptionAllowed")).isEqualTo("True/SufficientPods/");
        rig.change(third, pod -> ((ObjectNode) pod.at("/status/conditions/0")).put("status", "False"));
        rig.pass(0);
        assertThat(status(budget)).isEqualTo("expected 3, desired 2, current 2, allowed 0");
        assertThat(condition(rig.get(budget), "DisruptionAllowed")).isEqualTo("False/InsufficientPods/");
        assertThat(rig.get(budget).at("/status/observedGeneration").asInt()).isEqualTo(1);
    }

    @Test
    void aShareIsTakenOfWhatTheOwnerWantsAndRoundedUp() {
        StoredObject set = replicaSet(5);
        ObjectKey budget = budget("maxUnavailable: 30%");
        for (String name : List.of("a", "b", "c", "d")) {
            pod(name, ownedBy(set), true);
        }
        rig.pass(0);
        assertThat(status(budget)).isEqualTo("expected 5, desired 3, current 4, allowed 1");
        rig.change(set.key(), object -> object.withObjectProperty("spec").put("replicas", 4));
        rig.pass(0);
        assertThat(status(budget)).isEqualTo("expected 4, desired 2, current 4, allowed 2");
    }

    @Test
    void anAllowedEvictionCountsUntilItsPodHasGoneOrTwoMinutesHavePassed() {
        ObjectKey budget = budget("minAvailable: 1");
        pod("a", "", true);
        pod("b", "", true);
        rig.pass(0);
        rig.change(budget, object -> object.withObjectProperty("status").put("disruptionsAllowed", 0)
                .putObject("disruptedPods").put("a", rig.now().toString()));
        rig.pass(1);
        assertThat(status(budget)).isEqualTo("expected 2, desired 1, current 1, allowed 0");
        rig.pass(Duration.ofMinutes(2).plusSeconds(2));
        assertThat(status(budget)).isEqualTo("expected 2, desired 1, current 2, allowed 1");
        assertThat(rig.get(budget).path("status").has("disruptedPods")).isFalse();
    }

    @Test
    void nothingMayGoWhileItIsUnknownHowManyThereOughtToBe() {
        ObjectKey budget = budget("maxUnavailable: 1");
        StoredObject set = rig.put("apps/v1", "DaemonSet", "default", "agents", "{spec: {}}");
        pod("a", UpkeepRig.owner("apps/v1", "DaemonSet", set), true);
        rig.pass(0);
        assertThat(condition(rig.get(budget), "DisruptionAllowed"))
                .isEqualTo("False/SyncFailed/daemonsets.apps does not implement the scale subresource");
        assertThat(rig.events("web")).contains("CalculateExpectedPodCountFailed: Failed to calculate the number of"
                + " expected pods: daemonsets.apps does not implement the scale subresource");
    }

    @Test
    void whatAQuotaHasInUseFallsWithDeletionsAndEnds() {
        ObjectKey quota = rig.put("v1", "ResourceQuota", "default", "team", "{spec: {hard: {pods: '5', requests.cpu: '4',"
                + " requests.nvidia.com/gpu: '2', count/deployments.apps: '3'}}}").key();
        ObjectKey a = pod("a", "", true);
        ObjectKey b = pod("b", "", true);
        ObjectKey web = rig.put("apps/v1", "Deployment", "default", "web", "{spec: {}}").key();
        rig.pass(0);
        assertThat(used(quota)).isEqualTo("1 2 1 2");
        rig.store.purge(web);
        rig.store.purge(a);
        rig.pass(0);
        assertThat(used(quota)).isEqualTo("0 1 500m 1");
        rig.change(b, pod -> pod.withObjectProperty("status").put("phase", "Succeeded"));
        rig.pass(0);
        assertThat(used(quota)).isEqualTo("0 0 0 0");
        assertThat(rig.get(quota).at("/status/hard").path("pods").asText()).isEqualTo("5");
    }

    private String used(ObjectKey quota) {
        JsonNode used = rig.get(quota).at("/status/used");
        return used.path("count/deployments.apps").asText() + " " + used.path("pods").asText() + " "
                + used.path("requests.cpu").asText() + " " + used.path("requests.nvidia.com/gpu").asText();
    }
}
