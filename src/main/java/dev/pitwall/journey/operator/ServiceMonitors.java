package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.ClusterSurvey;
import java.util.List;

/** Which ServiceMonitors the cluster's Prometheus looks at (facts: cluster.md 3). */
final class ServiceMonitors {
    private ServiceMonitors() {
    }

    /** The labels that a ServiceMonitor needs; empty where Prometheus takes any, or none is there. */
    static ObjectNode wanted(ClusterSurvey survey) {
        List<JsonNode> all = survey.all(ObjectType.PROMETHEUS);
        return all.size() == 1 && all.getFirst().at("/spec/serviceMonitorSelector/matchLabels") instanceof ObjectNode labels
                ? labels.deepCopy() : JsonNodeFactory.instance.objectNode();
    }

    /** The labels of {@link #wanted} that a ServiceMonitor lacks. */
    static ObjectNode missing(ClusterSurvey survey, JsonNode monitor) {
        ObjectNode missing = wanted(survey);
        monitor.at("/metadata/labels").properties().forEach(label -> {
            if (label.getValue().equals(missing.path(label.getKey()))) {
                missing.remove(label.getKey());
            }
        });
        return missing;
    }
}
