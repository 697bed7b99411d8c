package dev.pitwall.lab.kube.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.Map;

/**
 * One operand as {@code lab/kube/operator/operands.yaml} has it.
 *
 * @param name        of its DaemonSet, and the value of its label {@code app}
 * @param state       what the ClusterPolicy's messages call it
 * @param part        the ClusterPolicy's section for it
 * @param deploy      the rest of the node label {@code nvidia.com/gpu.deploy.…} that selects its nodes
 * @param main        its main container
 * @param account     its service account
 * @param onDelete    its pods change only when they are deleted
 * @param runtime     it runs under the nvidia runtime class
 * @param toolkitWait its first container waits for the toolkit
 * @param sharing     it takes a sharing configuration
 * @param always      it is deployed whatever the policy says
 * @param nodes       labels that its nodes must have besides
 * @param spec        its pods' spec
 */
record Operand(String name, String state, String part, String deploy, String main, String account, boolean onDelete,
               boolean runtime, boolean toolkitWait, boolean sharing, boolean always, Map<String, String> nodes,
               ObjectNode spec) {
    Operand {
        nodes = nodes == null ? Map.of() : Map.copyOf(nodes);
    }

    boolean isDriver() {
        return part.equals("driver");
    }

    /** @param policy spec of the ClusterPolicy; a section without {@code enabled} is on but for the optional two */
    boolean isEnabled(JsonNode policy) {
        boolean optional = part.equals("dcgm") || part.equals("nodeStatusExporter");
        return always || policy.path(part).path("enabled").asBoolean(!optional);
    }
}
