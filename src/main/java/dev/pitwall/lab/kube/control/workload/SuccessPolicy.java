package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** The {@code successPolicy} of an Indexed Job: which indexes are enough. [kubernetes: job/success_policy.go] */
final class SuccessPolicy {
    private SuccessPolicy() {
    }

    /** @return the success of the first rule that is met */
    static Optional<JobVerdict> of(JobSpec spec, Set<Integer> succeeded) {
        int number = 0;
        for (JsonNode rule : spec.tree().at("/successPolicy/rules")) {
            if (isMet(rule, spec, succeeded)) {
                return Optional.of(JobVerdict.success("SuccessPolicy", "Matched rules at index " + number));
            }
            number++;
        }
        return Optional.empty();
    }

    private static boolean isMet(JsonNode rule, JobSpec spec, Set<Integer> succeeded) {
        boolean listed = rule.hasNonNull("succeededIndexes");
        Set<Integer> required = listed ? Indexes.parse(rule.path("succeededIndexes").asText(),
                spec.completions().orElse(0)) : succeeded;
        Set<Integer> met = new HashSet<>(required);
        met.retainAll(succeeded);
        return rule.hasNonNull("succeededCount") ? met.size() >= rule.path("succeededCount").asInt()
                : listed && met.size() == required.size();
    }
}
