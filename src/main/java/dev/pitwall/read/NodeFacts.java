package dev.pitwall.read;

import dev.pitwall.card.NodeReport;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a text says of one node. A part that the text does not have is empty, which differs from "there are none".
 *
 * @param labels      all of them
 * @param capacity    by resource name, amounts as printed
 * @param allocated   what the node's pods ask for, by resource name, as {@code kubectl describe} sums it
 * @param pods        {@code namespace/name} of the pods on it, as {@code kubectl describe} lists them
 */
public record NodeFacts(Optional<String> name, Optional<Map<String, String>> labels,
                        Optional<List<NodeReport.Taint>> taints, Optional<Map<String, String>> capacity,
                        Optional<Map<String, String>> allocatable, Optional<List<NodeReport.Condition>> conditions,
                        Optional<Boolean> unschedulable, Info info, Optional<Map<String, String>> allocated,
                        Optional<List<String>> pods) {

    /** @param systemUuid lower case */
    public record Info(Optional<String> systemUuid, Optional<String> kernel, Optional<String> osImage,
                       Optional<String> containerRuntime, Optional<String> kubeletVersion, Optional<String> internalIp) {
    }

    /** The node as the rest of Pitwall knows it; what the text does not say is empty there. */
    public NodeReport report() {
        return new NodeReport(name.orElse(""), info.systemUuid(), labels.orElse(Map.of()), taints.orElse(List.of()),
                amounts(capacity.orElse(Map.of())), amounts(allocatable.orElse(Map.of())), conditions.orElse(List.of()),
                unschedulable.orElse(false), info.kernel(), info.osImage(), info.containerRuntime(),
                info.kubeletVersion(), info.internalIp());
    }

    /** Extended resources only: their names have a domain, for example {@code nvidia.com/gpu}. */
    private static Map<String, Long> amounts(Map<String, String> resources) {
        Map<String, Long> amounts = new HashMap<>();
        resources.forEach((name, amount) -> {
            OptionalLong count = Numbers.quantity(amount);
            if (name.contains("/") && count.isPresent()) {
                amounts.put(name, count.getAsLong());
            }
        });
        return amounts;
    }
}
