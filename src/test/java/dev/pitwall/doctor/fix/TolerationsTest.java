package dev.pitwall.doctor.fix;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.doctor.Findings;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.operator.PaperCluster;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

import static dev.pitwall.journey.operator.PaperCluster.yaml;
import static org.assertj.core.api.Assertions.assertThat;

class TolerationsTest {
    private final PaperCluster cluster = new PaperCluster();
    private final JsonNode wanted = yaml("{key: team, operator: Exists, effect: NoSchedule}");

    private Tolerations of(String... nodes) {
        return new Tolerations(new Patient(Findings.of("untolerated-custom-taint", nodes), null, cluster,
                new NodeMachines(node -> Optional.empty(), node -> Optional.empty())));
    }

    private List<JsonNode> over(String list) {
        return of().over(yaml(list), List.of(wanted)).valueStream().toList();
    }

    @Test
    void whatIsToleratedAlreadyIsNotAddedAgain() {
        assertThat(over("[{operator: Exists}]")).as("everything").hasSize(1);
        assertThat(over("[{key: team, operator: Exists}]")).as("every effect").hasSize(1);
        assertThat(over("[{key: team, operator: Exists, effect: NoSchedule}]")).hasSize(1);
    }

    @Test
    void whatToleratesLessIsKeptAndTheRestIsAdded() {
        assertThat(over("[{key: team, operator: Exists, effect: NoExecute}]")).hasSize(2).last().isEqualTo(wanted);
        assertThat(over("[{key: team, value: ml, effect: NoSchedule}]")).as("one value only").hasSize(2);
        assertThat(over("[{key: other, operator: Exists}]")).hasSize(2);
        assertThat(over("[]")).containsExactly(wanted);
    }

    @Test
    void taintsOfSeveralNodesAreToleratedOnceEach() throws Exception {
        cluster.with(ObjectType.NODE, "{metadata: {name: a}, spec: {taints: [{key: team, value: x, effect: NoSchedule}]}}",
                "{metadata: {name: b}, spec: {taints: [{key: team, value: y, effect: NoSchedule}, {key: node.kubernetes.io/not-ready, effect: NoExecute}]}}");

        assertThat(of("a", "b").ofNodes()).containsExactly(wanted);
    }

    @Test
    void theTaintsOfControlPlanesAreThoseOfNodesWithThatRole() throws Exception {
        cluster.with(ObjectType.NODE, "{metadata: {name: cp, labels: {node-role.kubernetes.io/control-plane: 'true'}}, spec: {taints: "
                + "[{key: node-role.kubernetes.io/control-plane, effect: NoSchedule}]}}", "{metadata: {name: w}, spec: {taints: [{key: team, effect: NoSchedule}]}}");

        assertThat(of().ofControlPlanes()).containsExactly(
                yaml("{key: node-role.kubernetes.io/control-plane, operator: Exists, effect: NoSchedule}"));
    }
}
