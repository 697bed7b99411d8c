package dev.pitwall.lab.kube.control.upkeep;

import static dev.pitwall.lab.kube.control.upkeep.UpkeepRig.condition;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Preconditions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NamespacesTest {
    private final UpkeepRig rig = new UpkeepRig(parts -> List.of(
            new ServiceAccounts(parts.plane(), "-----BEGIN CERTIFICATE-----"), new Namespaces(parts.plane(), parts.kinds())));
    private final ObjectKey team = rig.key("v1", "Namespace", "", "team");
    private final ObjectKey account = rig.key("v1", "ServiceAccount", "team", "default");
    private final ObjectKey authority = rig.key("v1", "ConfigMap", "team", "kube-root-ca.crt");

    @AfterEach
    void close() {
        rig.close();
    }

    private void create() {
        rig.put("v1", "Namespace", "", "team", "{spec: {finalizers: [kubernetes]}, status: {phase: Active}}");
        rig.pass(0);
    }

    private void delete() {
        rig.store.delete(team, 0, Preconditions.NONE);
        rig.pass(0);
    }

    @Test
    void everyNamespaceHasItsServiceAccountAndTheAuthorityAtOnce() {
        create();
        assertThat(rig.has(account)).isTrue();
        assertThat(rig.get(authority).path("data").path("ca.crt").asText()).isEqualTo("-----BEGIN CERTIFICATE-----");
    }

    @Test
    void bothComeBackWhenSomebodyTakesOrChangesThem() {
        create();
        rig.store.purge(account);
        rig.change(authority, map -> map.putObject("data").put("ca.crt", "mine"));
        rig.pass(0);
        assertThat(rig.has(account)).isTrue();
        assertThat(rig.get(authority).path("data").path("ca.crt").asText()).startsWith("-----BEGIN");
        rig.store.purge(authority);
        rig.pass(0);
        assertThat(rig.has(authority)).isTrue();
    }

    @Test
    void aNamespaceGoesWithAllThatIsInIt() {
        create();
        rig.put("apps/v1", "Deployment", "team", "web", "{spec: {replicas: 1}}");
        rig.put("kubeflow.org/v1", "Notebook", "team", "lab", "{spec: {}}");
        rig.put("v1", "ConfigMap", "default", "other", "{}");
        delete();
        assertThat(rig.has(team)).isFalse();
        assertThat(rig.has(account)).isFalse();
        assertThat(rig.has(authority)).isFalse();
        assertThat(rig.has(rig.key("apps/v1", "Deployment", "team", "web"))).isFalse();
        assertThat(rig.has(rig.key("kubeflow.org/v1", "Notebook", "team", "lab"))).isFalse();
        assertThat(rig.has(rig.key("v1", "ConfigMap", "default", "other"))).isTrue();
    }

    @Test
    void itWaitsForAFinalizerAndSaysSo() {
        create();
        rig.put("v1", "ConfigMap", "team", "held", "{metadata: {finalizers: [example.com/mine]}}");
        delete();
        JsonNode left = rig.get(team);
        assertThat(left.at("/status/phase").asText()).isEqualTo("Terminating");
        assertThat(condition(left, "NamespaceDeletionDiscoveryFailure"))
                .isEqualTo("False/ResourcesDiscovered/All resources successfully discovered");
        assertThat(condition(left, "NamespaceDeletionGroupVersionParsingFailure"))
                .isEqualTo("False/ParsedGroupVersions/All legacy kube types successfully parsed");
        assertThat(condition(left, "NamespaceDeletionContentFailure")).isEqualTo("False/ContentDeleted/All content"
                + " successfully deleted, may be waiting on finalization");
        assertThat(condition(left, "NamespaceContentRemaining")).isEqualTo("True/SomeResourcesRemain/Some resources"
                + " are remaining: configmaps. has 1 resource instances");
        assertThat(condition(left, "NamespaceFinalizersRemaining")).isEqualTo("True/SomeFinalizersRemain/Some content"
                + " in the namespace has finalizers remaining: example.com/mine in 1 resource instances");
        rig.change(rig.key("v1", "ConfigMap", "team", "held"),
                map -> ((ObjectNode) map.path("metadata")).remove("finalizers"));
        rig.pass(10);
        assertThat(rig.has(team)).isFalse();
    }

    @Test
    void itWaitsForPodsThatTakeTheirTimeToStop() {
        create();
        rig.put("v1", "Pod", "team", "web", "{spec: {nodeName: a, terminationGracePeriodSeconds: 30}, status: {phase: Running}}");
        delete();
        assertThat(rig.get(rig.key("v1", "Pod", "team", "web")).path("metadata").has("deletionTimestamp")).isTrue();
        assertThat(condition(rig.get(team), "NamespaceContentRemaining")).contains("pods. has 1 resource instances");
        rig.store.purge(rig.key("v1", "Pod", "team", "web"));
        rig.pass(20);
        assertThat(rig.has(team)).isFalse();
    }
}
