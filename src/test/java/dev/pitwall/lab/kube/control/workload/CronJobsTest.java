package dev.pitwall.lab.kube.control.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.ServedKinds;
import dev.pitwall.lab.kube.api.ResourceCatalog;
import dev.pitwall.lab.kube.control.upkeep.GarbageCollector;
import dev.pitwall.lab.kube.control.workload.PodRunner.Life;
import dev.pitwall.lab.kube.object.Owners;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CronJobsTest {
    /** Of 2026-09-01T08:05:00Z, in minutes since 1970. */
    private static final long FIRST = Instant.parse("2026-09-01T08:05:00Z").getEpochSecond() / 60;

    private final WorkloadLab lab = new WorkloadLab(plane -> List.of(new CronJobs(plane), new Jobs(plane),
            new GarbageCollector(plane, new ServedKinds(ResourceCatalog.load()))));

    @AfterEach
    void close() {
        lab.close();
    }

    private StoredObject cron(String schedule, String more) {
        return lab.create(Resource.CRON_JOBS, "tick", "spec: {schedule: '" + schedule + "', " + more
                + "jobTemplate: {metadata: {labels: {app: tick}}, spec: {template: {spec: {restartPolicy: Never,"
                + " containers: [{name: step}]}}}}}");
    }

    private JsonNode status() {
        return lab.get(Resource.CRON_JOBS, "tick").path("status");
    }

    private static String job(int number) {
        return "tick-" + (FIRST + 5L * number);
    }

    private void everyPod(int seconds, int exitCode) {
        lab.runner.lives(pod -> Optional.of(new Life(seconds, exitCode)));
    }

    @Test
    void aJobIsMadeWhenItsTimeHasCome() {
        everyPod(10, 0);
        StoredObject cron = cron("*/5 * * * *", "");
        lab.pass(299);
        assertThat(lab.names(Resource.JOBS)).isEmpty();
        lab.pass(5);

        assertThat(lab.names(Resource.JOBS)).containsExactly(job(0));
        JsonNode made = lab.get(Resource.JOBS, job(0));
        assertThat(made.at("/metadata/labels/app").asText()).isEqualTo("tick");
        assertThat(made.at("/metadata/annotations/batch.kubernetes.io~1cronjob-scheduled-timestamp").asText())
                .isEqualTo("2026-09-01T08:05:00Z");
        assertThat(status().at("/active/0/name").asText()).isEqualTo(job(0));
        assertThat(status().path("lastScheduleTime").asText()).isEqualTo("2026-09-01T08:05:00Z");
        lab.pass(20);

        assertThat(status().has("active")).isFalse();
        assertThat(status().path("lastSuccessfulTime").asText()).isEqualTo("2026-09-01T08:05:11Z");
        assertThat(lab.messages(cron)).containsExactly("Created job " + job(0), "Saw completed job: " + job(0)
                + ", condition: Complete");
    }

    @Test
    void onlySoManyFinishedJobsAreKept() {
        everyPod(10, 0);
        cron("*/5 * * * *", "");
        lab.pass(3650);

        assertThat(lab.names(Resource.JOBS)).hasSize(3).endsWith(job(11));
        assertThat(lab.names(Resource.PODS)).hasSize(3);
    }

    @Test
    void failedOnesHaveALimitOfTheirOwn() {
        everyPod(10, 1);
        lab.create(Resource.CRON_JOBS, "tick", "spec: {schedule: '*/5 * * * *', failedJobsHistoryLimit: 2, jobTemplate:"
                + " {spec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: step}]}}}}}");
        lab.pass(3600);

        assertThat(lab.names(Resource.JOBS)).hasSize(2);
        assertThat(status().has("lastSuccessfulTime")).isFalse();
    }

    @Test
    void forbidWaitsForTheOneBefore() {
        everyPod(420, 0);
        StoredObject cron = cron("*/5 * * * *", "concurrencyPolicy: Forbid, ");
        lab.pass(700);

        assertThat(lab.names(Resource.JOBS)).containsExactly(job(0));
        assertThat(lab.reasons(cron)).contains("JobAlreadyActive");
        lab.pass(100);
        // The start that was missed is made up for as soon as it may.
        assertThat(lab.names(Resource.JOBS)).containsExactly(job(0), job(1));
    }

    @Test
    void replaceDeletesTheOneBefore() {
        StoredObject cron = cron("*/5 * * * *", "concurrencyPolicy: Replace, ");
        lab.pass(610);

        assertThat(lab.names(Resource.JOBS)).containsExactly(job(1));
        assertThat(lab.names(Resource.PODS)).hasSize(1);
        assertThat(lab.messages(cron)).contains("Deleted job " + job(0));
    }

    @Test
    void allowLetsThemRunSideBySide() {
        cron("*/5 * * * *", "concurrencyPolicy: Allow, ");
        lab.pass(610);

        assertThat(status().path("active")).hasSize(2);
    }

    @Test
    void aSuspendedOneStartsNothingAndLooksAtItsDeadlineAfterwards() {
        StoredObject cron = cron("*/5 * * * *", "suspend: true, startingDeadlineSeconds: 60, ");
        lab.pass(500);
        assertThat(lab.names(Resource.JOBS)).isEmpty();

        lab.change(Resource.CRON_JOBS, "tick", object -> object.withObjectProperty("spec").put("suspend", false));
        lab.pass(60);
        assertThat(lab.names(Resource.JOBS)).isEmpty();
        lab.pass(60);
        assertThat(lab.names(Resource.JOBS)).containsExactly(job(1));
        assertThat(lab.reasons(cron)).doesNotContain("TooManyMissedTimes");
    }

    @Test
    void aStartThatWasMissedIsMadeUpForOnce() {
        StoredObject cron = cron("* * * * *", "suspend: true, ");
        lab.pass(3 * 3600);
        lab.change(Resource.CRON_JOBS, "tick", object -> object.withObjectProperty("spec").put("suspend", false));
        lab.pass(5);

        assertThat(lab.names(Resource.JOBS)).hasSize(1);
        assertThat(lab.reasons(cron)).contains("TooManyMissedTimes");
        assertThat(status().path("lastScheduleTime").asText()).isEqualTo("2026-09-01T11:00:00Z");
    }

    @Test
    void hoursAreThoseOfItsTimeZone() {
        cron("30 10 * * *", "timeZone: Europe/Berlin, ");
        lab.pass(2000);

        assertThat(status().path("lastScheduleTime").asText()).isEqualTo("2026-09-01T08:30:00Z");
        assertThat(lab.get(Resource.JOBS, lab.names(Resource.JOBS).getFirst())
                .at("/metadata/annotations/batch.kubernetes.io~1cronjob-scheduled-timestamp").asText())
                .isEqualTo("2026-09-01T10:30:00+02:00");
    }

    @Test
    void whatCannotBeReadIsTold() {
        StoredObject cron = cron("whenever", "");
        lab.pass(60);
        assertThat(lab.messages(cron)).containsExactly(
                "unparseable schedule: \"whenever\" : expected exactly 5 fields, found 1: [whenever]");

        lab.change(Resource.CRON_JOBS, "tick", object -> object.withObjectProperty("spec").put("schedule", "* * * * *")
                .put("timeZone", "Middle/Earth"));
        lab.pass(120);
        assertThat(lab.messages(cron)).last().isEqualTo("invalid timeZone: \"Middle/Earth\": unknown time zone Middle/Earth");
        assertThat(lab.names(Resource.JOBS)).isEmpty();
    }

    @Test
    void aJobThatSomebodyDeletedLeavesTheList() {
        StoredObject cron = cron("*/5 * * * *", "");
        lab.pass(310);
        lab.hand.delete(WorkloadLab.key(Resource.JOBS, job(0)));
        lab.pass(10);

        assertThat(status().has("active")).isFalse();
        assertThat(lab.messages(cron)).endsWith("Active job went missing: " + job(0));
        assertThat(lab.names(Resource.JOBS)).isEmpty();
    }

    @Test
    void aJobMadeFromItByHandIsSeen() {
        StoredObject cron = cron("0 0 * * *", "");
        ObjectNode job = WorkloadLab.yaml("spec: {template: {spec: {restartPolicy: Never, containers: [{name: step}]}}}");
        Owners.own(job, cron, "batch/v1", "CronJob");
        lab.store.create(WorkloadLab.key(Resource.JOBS, "by-hand"), job);
        lab.pass(5);

        assertThat(lab.messages(cron)).contains("Saw a job that the controller did not create or forgot: by-hand");
        assertThat(status().has("active")).isFalse();
    }
}
