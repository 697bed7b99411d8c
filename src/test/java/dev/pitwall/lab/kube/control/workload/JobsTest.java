package dev.pitwall.lab.kube.control.workload;

import static dev.pitwall.lab.kube.control.workload.WorkloadLab.conditions;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.admit.Admission;
import dev.pitwall.lab.kube.admit.AdmissionRefusal;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.workload.PodRunner.Life;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JobsTest {
    private static final String CONTAINER = "template: {spec: {restartPolicy: Never, containers: [{name: step, image: i}]}}";

    private final WorkloadLab lab = new WorkloadLab(plane -> List.of(new Jobs(plane)));

    @AfterEach
    void close() {
        lab.close();
    }

    private StoredObject job(String spec) {
        return lab.create(Resource.JOBS, "work", "spec: {" + spec + (spec.isEmpty() ? "" : ", ") + CONTAINER + "}");
    }

    private JsonNode job() {
        return lab.get(Resource.JOBS, "work");
    }

    private JsonNode status() {
        return job().path("status");
    }

    private void everyPod(int seconds, int exitCode) {
        lab.runner.lives(pod -> Optional.of(new Life(seconds, exitCode)));
    }

    @Test
    void aPodThatSucceedsCompletesItsJob() {
        everyPod(5, 0);
        StoredObject job = job("");

        lab.pass(3);
        assertThat(status().path("active").asInt()).isEqualTo(1);
        assertThat(status().path("ready").asInt()).isEqualTo(1);
        assertThat(status().path("startTime").asText()).isEqualTo(WorkloadLab.BEGIN.toString());
        lab.pass(10);

        assertThat(conditions(job())).containsExactly("SuccessCriteriaMet=True CompletionsReached",
                "Complete=True CompletionsReached");
        assertThat(status().path("succeeded").asInt()).isEqualTo(1);
        assertThat(status().has("active")).isFalse();
        assertThat(status().path("ready").asInt(-1)).isZero();
        assertThat(status().path("terminating").asInt(-1)).isZero();
        assertThat(status().path("uncountedTerminatedPods")).isEmpty();
        assertThat(status().path("completionTime").asText()).isEqualTo(WorkloadLab.BEGIN.plusSeconds(6).toString());
        String pod = lab.podsOf(job).getFirst().key().name();
        assertThat(pod).matches("work-[a-z0-9]{5}");
        assertThat(lab.messages(job)).containsExactly("Created pod: " + pod, "Job completed");
    }

    @Test
    void aJobIsGivenTheLabelsByWhichItFindsItsPods() {
        StoredObject job = job("");
        lab.pass(2);

        assertThat(job().at("/spec/selector/matchLabels/batch.kubernetes.io~1controller-uid").asText())
                .isEqualTo(job.uid());
        assertThat(lab.podsOf(job).getFirst().labels()).containsEntry("controller-uid", job.uid())
                .containsEntry("batch.kubernetes.io/controller-uid", job.uid()).containsEntry("job-name", "work")
                .containsEntry("batch.kubernetes.io/job-name", "work");
        assertThat(lab.podTrees(job).getFirst().at("/metadata/finalizers/0").asText()).isEqualTo(
                "batch.kubernetes.io/job-tracking");
    }

    @Test
    void podsRunSideBySideUntilEnoughHaveSucceeded() {
        everyPod(5, 0);
        StoredObject job = job("parallelism: 2, completions: 5");
        lab.pass(3);
        assertThat(status().path("active").asInt()).isEqualTo(2);
        lab.pass(60);

        assertThat(status().path("succeeded").asInt()).isEqualTo(5);
        assertThat(lab.podsOf(job)).hasSize(5);
        assertThat(conditions(job())).contains("Complete=True CompletionsReached");
    }

    @Test
    void aWorkQueueIsDoneWhenOneHasSucceededAndNoneRuns() {
        List<String> first = new ArrayList<>();
        lab.runner.lives(pod -> {
            String uid = pod.at("/metadata/uid").asText();
            if (first.isEmpty()) {
                first.add(uid);
            }
            return Optional.of(first.contains(uid) ? new Life(3, 0) : new Life(20, 1));
        });
        StoredObject job = job("parallelism: 3");
        lab.pass(10);
        assertThat(status().path("active").asInt()).isEqualTo(2);
        assertThat(conditions(job())).isEmpty();
        lab.pass(30);

        assertThat(lab.podsOf(job)).hasSize(3);
        assertThat(status().path("failed").asInt()).isEqualTo(2);
        assertThat(conditions(job())).contains("Complete=True CompletionsReached");
    }

    @Test
    void afterFailuresTheNextPodComesLaterAndLater() {
        everyPod(1, 1);
        StoredObject job = job("backoffLimit: 3");
        lab.pass(300);

        List<Instant> made = lab.podsOf(job).stream().map(PodFacts::created).toList();
        assertThat(made).hasSize(4);
        // A pod is bound a second after it was made and fails a second later; 10, 20 and 40 seconds are waited.
        assertThat(Duration.between(made.get(0), made.get(1))).isEqualTo(Duration.ofSeconds(12));
        assertThat(Duration.between(made.get(1), made.get(2))).isEqualTo(Duration.ofSeconds(22));
        assertThat(Duration.between(made.get(2), made.get(3))).isEqualTo(Duration.ofSeconds(42));
        assertThat(conditions(job())).containsExactly("FailureTarget=True BackoffLimitExceeded",
                "Failed=True BackoffLimitExceeded");
        assertThat(status().path("failed").asInt()).isEqualTo(4);
        assertThat(status().has("completionTime")).isFalse();
        assertThat(lab.messages(job)).endsWith("Job has reached the specified backoff limit");
    }

    @Test
    void theWaitGrowsToTenMinutes() {
        Instant last = WorkloadLab.BEGIN;
        assertThat(FailureDelay.over(0, last)).isEqualTo(Instant.MIN);
        assertThat(FailureDelay.over(1, last)).isEqualTo(last.plusSeconds(10));
        assertThat(FailureDelay.over(6, last)).isEqualTo(last.plusSeconds(320));
        assertThat(FailureDelay.over(7, last)).isEqualTo(last.plusSeconds(600));
        assertThat(FailureDelay.over(60, last)).isEqualTo(last.plusSeconds(600));
    }

    @Test
    void restartsByTheKubeletCountAgainstTheLimit() {
        StoredObject job = lab.create(Resource.JOBS, "work", "spec: {backoffLimit: 2, template: {spec:"
                + " {restartPolicy: OnFailure, containers: [{name: step, image: i}]}}}");
        lab.pass(3);
        PodFacts pod = lab.podsOf(job).getFirst();
        lab.hand.status(pod.key(), tree -> ((ObjectNode)
                tree.at("/status/containerStatuses/0")).put("restartCount", 2));
        lab.pass(10);

        assertThat(conditions(job())).contains("Failed=True BackoffLimitExceeded");
        assertThat(lab.podsOf(job)).isEmpty();
        assertThat(status().path("failed").asInt()).isEqualTo(1);
    }

    @Test
    void atItsDeadlineItsPodsAreDeletedAndItFailsWhenTheyAreGone() {
        StoredObject job = job("activeDeadlineSeconds: 30, parallelism: 2, completions: 2");
        lab.pass(31);

        assertThat(conditions(job())).containsExactly("FailureTarget=True DeadlineExceeded");
        assertThat(status().path("terminating").asInt()).isEqualTo(2);
        lab.pass(5);
        assertThat(conditions(job())).containsExactly("FailureTarget=True DeadlineExceeded",
                "Failed=True DeadlineExceeded");
        assertThat(lab.podsOf(job)).isEmpty();
        assertThat(status().path("failed").asInt()).isEqualTo(2);
        assertThat(lab.reasons(job)).contains("SuccessfulDelete", "DeadlineExceeded");
    }

    @Test
    void aSuspendedJobHasNoPodsAndBeginsAnewWhenItGoesOn() {
        StoredObject job = job("suspend: true");
        lab.pass(5);
        assertThat(conditions(job())).containsExactly("Suspended=True JobSuspended");
        assertThat(status().has("startTime")).isFalse();
        assertThat(lab.podsOf(job)).isEmpty();

        lab.change(Resource.JOBS, "work", tree -> tree.withObjectProperty("spec").put("suspend", false));
        lab.pass(5);
        assertThat(conditions(job())).containsExactly("Suspended=False JobResumed");
        assertThat(status().path("startTime").asText()).isEqualTo(WorkloadLab.BEGIN.plusSeconds(5).toString());
        assertThat(status().path("active").asInt()).isEqualTo(1);

        lab.change(Resource.JOBS, "work", tree -> tree.withObjectProperty("spec").put("suspend", true));
        lab.pass(10);
        assertThat(lab.podsOf(job)).isEmpty();
        assertThat(conditions(job())).containsExactly("Suspended=True JobSuspended");
        assertThat(lab.reasons(job)).containsSubsequence("Suspended", "SuccessfulCreate", "SuccessfulDelete");
    }

    @Test
    void anIndexedJobHasOnePodForEachIndex() {
        everyPod(5, 0);
        StoredObject job = job("completionMode: Indexed, parallelism: 2, completions: 3");
        lab.pass(3);

        JsonNode pod = lab.podTrees(job).getFirst();
        assertThat(pod.at("/metadata/name").asText()).matches("work-0-[a-z0-9]{5}");
        assertThat(pod.at("/metadata/labels/batch.kubernetes.io~1job-completion-index").asText()).isEqualTo("0");
        assertThat(pod.at("/metadata/annotations/batch.kubernetes.io~1job-completion-index").asText()).isEqualTo("0");
        assertThat(pod.at("/spec/hostname").asText()).isEqualTo("work-0");
        assertThat(pod.at("/spec/containers/0/env/0/name").asText()).isEqualTo("JOB_COMPLETION_INDEX");
        assertThat(pod.at("/spec/containers/0/env/0/valueFrom/fieldRef/fieldPath").asText())
                .isEqualTo("metadata.labels['batch.kubernetes.io/job-completion-index']");
        lab.pass(60);

        assertThat(status().path("completedIndexes").asText()).isEqualTo("0-2");
        assertThat(status().path("succeeded").asInt()).isEqualTo(3);
        assertThat(conditions(job())).contains("Complete=True CompletionsReached");
        assertThat(lab.podsOf(job)).hasSize(3);
    }

    @Test
    void anIndexThatFailsTooOftenFailsAloneAndTheOthersGoOn() {
        lab.runner.lives(pod -> Optional.of(new Life(1, pod.at("/metadata/name").asText().startsWith("work-1-") ? 1 : 0)));
        StoredObject job = job("completionMode: Indexed, parallelism: 3, completions: 3, backoffLimitPerIndex: 1");
        lab.pass(120);

        assertThat(status().path("completedIndexes").asText()).isEqualTo("0,2");
        assertThat(status().path("failedIndexes").asText()).isEqualTo("1");
        assertThat(conditions(job())).contains("Failed=True FailedIndexes");
        List<PodFacts> failed = lab.podsOf(job).stream().filter(pod -> pod.phase().equals("Failed")).toList();
        assertThat(failed).hasSize(2);
        assertThat(failed.get(1).object().tree().at("/metadata/annotations/batch.kubernetes.io~1job-index-failure-count")
                .asText()).isEqualTo("1");
        assertThat(Duration.between(failed.get(0).created(), failed.get(1).created())).isEqualTo(Duration.ofSeconds(12));
    }

    @Test
    void aSuccessPolicyEndsAJobEarly() {
        lab.runner.lives(pod -> pod.at("/metadata/name").asText().startsWith("work-0-") ? Optional.of(new Life(2, 0))
                : Optional.empty());
        StoredObject job = job("completionMode: Indexed, parallelism: 3, completions: 3,"
                + " successPolicy: {rules: [{succeededIndexes: '0'}]}");
        lab.pass(20);

        assertThat(conditions(job())).containsExactly("SuccessCriteriaMet=True SuccessPolicy",
                "Complete=True SuccessPolicy");
        assertThat(status().path("succeeded").asInt()).isEqualTo(1);
        assertThat(status().has("failed")).isFalse();
        assertThat(lab.podsOf(job)).hasSize(1);
    }

    @Test
    void aPolicySaysWhichFailuresEndTheJob() {
        everyPod(1, 42);
        StoredObject job = job("podFailurePolicy: {rules: [{action: FailJob, onExitCodes: {operator: In, values: [42]}}]}");
        lab.pass(10);

        PodFacts pod = lab.podsOf(job).getFirst();
        assertThat(conditions(job())).containsExactly("FailureTarget=True PodFailurePolicy",
                "Failed=True PodFailurePolicy");
        assertThat(lab.messages(job)).endsWith("Container step for pod default/" + pod.key().name()
                + " failed with exit code 42 matching FailJob rule at index 0");
    }

    @Test
    void aPolicySaysWhichFailuresDoNotCount() {
        List<String> seen = new ArrayList<>();
        lab.runner.lives(pod -> {
            String uid = pod.at("/metadata/uid").asText();
            if (!seen.contains(uid)) {
                seen.add(uid);
            }
            return Optional.of(new Life(1, seen.indexOf(uid) < 2 ? 7 : 0));
        });
        StoredObject job = job("backoffLimit: 0, podFailurePolicy: {rules: [{action: Ignore,"
                + " onExitCodes: {operator: NotIn, values: [42]}}]}");
        lab.pass(120);

        assertThat(lab.podsOf(job)).hasSize(3);
        assertThat(status().has("failed")).isFalse();
        assertThat(conditions(job())).contains("Complete=True CompletionsReached");
    }

    @Test
    void aDeletedPodCountsAsFailedAndIsReplaced() {
        StoredObject job = job("");
        lab.pass(5);
        PodFacts first = lab.podsOf(job).getFirst();
        lab.hand.delete(first.key());
        lab.pass(20);

        assertThat(lab.has(Resource.PODS, first.key().name())).isFalse();
        assertThat(status().path("failed").asInt()).isEqualTo(1);
        assertThat(status().path("active").asInt()).isEqualTo(1);
    }

    @Test
    void anUnboundPodThatIsDeletedReallyGoes() {
        lab.runner.hold(pod -> true);
        StoredObject job = job("");
        lab.pass(2);
        PodFacts first = lab.podsOf(job).getFirst();
        lab.hand.delete(first.key());
        lab.pass(20);

        assertThat(lab.has(Resource.PODS, first.key().name())).isFalse();
        assertThat(lab.podsOf(job)).hasSize(1);
    }

    @Test
    void podsOfAJobThatHasGoneLoseTheirFinalizer() {
        StoredObject job = job("");
        lab.pass(5);
        lab.store.purge(job.key());
        lab.pass(5);

        assertThat(lab.podTrees(job).getFirst().path("metadata").has("finalizers")).isFalse();
    }

    @Test
    void aFinishedJobGoesWhenItsTimeIsOver() {
        everyPod(1, 0);
        StoredObject job = job("ttlSecondsAfterFinished: 60");
        lab.pass(61);
        assertThat(job().path("metadata").has("deletionTimestamp")).isFalse();
        lab.pass(5);

        // The garbage collector takes it from here.
        assertThat(job().at("/metadata/finalizers/0").asText()).isEqualTo("foregroundDeletion");
        assertThat(lab.podsOf(job)).hasSize(1);
    }

    @Test
    void anOrphanThatItSelectsIsAdoptedAndCounted() {
        lab.create(Resource.PODS, "stray", "{metadata: {labels: {app: mine}}, spec: {containers: [{name: step}]},"
                + " status: {phase: Pending}}");
        everyPod(5, 0);
        StoredObject job = lab.create(Resource.JOBS, "work", "spec: {manualSelector: true, selector: {matchLabels:"
                + " {app: mine}}, template: {metadata: {labels: {app: mine}}, spec: {restartPolicy: Never,"
                + " containers: [{name: step}]}}}");
        lab.pass(20);

        assertThat(lab.podsOf(job)).extracting(pod -> pod.key().name()).containsExactly("stray");
        assertThat(conditions(job())).contains("Complete=True CompletionsReached");
    }

    @Test
    void aRefusedPodIsToldAndTriedAgain() {
        boolean[] full = {true};
        lab.admit(request -> {
            if (full[0] && request.operation() == Admission.Operation.CREATE && request.resource().equals(Resource.PODS)) {
                throw AdmissionRefusal.forbidden("exceeded quota: small");
            }
        });
        StoredObject job = job("");
        lab.pass(3);
        assertThat(lab.reasons(job)).contains("FailedCreate");
        full[0] = false;
        lab.pass(10);

        assertThat(status().path("active").asInt()).isEqualTo(1);
    }

    @Test
    void aPodIsCountedOnceEvenIfItCannotBeLetGoAtFirst() {
        everyPod(2, 1);
        boolean[] down = {true};
        lab.admit(request -> {
            if (down[0] && request.operation() == Admission.Operation.UPDATE && request.resource().equals(Resource.PODS)
                    && !JobPod.isTracked(request.object())) {
                throw AdmissionRefusal.forbidden("failed calling webhook");
            }
        });
        StoredObject job = job("backoffLimit: 0");
        lab.pass(20);
        assertThat(status().at("/uncountedTerminatedPods/failed")).hasSize(1);
        assertThat(conditions(job())).containsExactly("FailureTarget=True BackoffLimitExceeded");
        down[0] = false;
        lab.pass(60);

        assertThat(status().path("failed").asInt()).isEqualTo(1);
        assertThat(status().path("uncountedTerminatedPods")).isEmpty();
        assertThat(conditions(job())).contains("Failed=True BackoffLimitExceeded");
        assertThat(lab.podTrees(job).getFirst().path("metadata").has("finalizers")).isFalse();
    }

    @Test
    void fewerAtATimeMeansThatSomeAreDeleted() {
        StoredObject job = job("parallelism: 3, completions: 6");
        lab.pass(3);
        lab.change(Resource.JOBS, "work", tree -> tree.withObjectProperty("spec").put("parallelism", 1));
        lab.pass(5);

        assertThat(lab.podsOf(job)).hasSize(1);
        assertThat(status().path("active").asInt()).isEqualTo(1);
    }

    @Test
    void indexesAreWrittenAsRanges() {
        assertThat(Indexes.parse("0-2,5,9-12", 11)).containsExactly(0, 1, 2, 5, 9, 10);
        assertThat(Indexes.format(Indexes.parse("0,1,3-5,7", 20))).isEqualTo("0,1,3-5,7");
        assertThat(Indexes.parse("", 5)).isEmpty();
    }
}
