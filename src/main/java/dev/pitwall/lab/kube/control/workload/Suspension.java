package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.object.Conditions.Condition;
import dev.pitwall.lab.kube.object.Conditions;
import java.time.Instant;
import java.util.Optional;

/** Whether a turn suspends a Job or has it go on, and what its condition says then. */
enum Suspension {
    AS_IT_WAS(Optional.empty(), ""),
    SUSPENDED(Optional.of(new Condition("Suspended", "True", "JobSuspended", "Job suspended")), "Suspended"),
    RESUMED(Optional.of(new Condition("Suspended", "False", "JobResumed", "Job resumed")), "Resumed");

    private final Optional<Condition> condition;
    private final String event;

    Suspension(Optional<Condition> condition, String event) {
        this.condition = condition;
        this.event = event;
    }

    /** What has to be said, as against what the Job says; one that never was suspended says nothing. */
    static Suspension of(JsonNode job, boolean wanted) {
        boolean stands = Conditions.isTrue(job, "Suspended");
        return stands == wanted ? AS_IT_WAS : wanted ? SUSPENDED : RESUMED;
    }

    void write(ObjectNode job, Instant now) {
        condition.ifPresent(said -> JobLedger.condition(job, said, now));
    }

    /** The event's reason and message; empty if nothing has happened. */
    Optional<Condition> said() {
        return condition.map(said -> new Condition(said.type(), said.status(), event, said.message()));
    }
}
