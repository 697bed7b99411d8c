package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.admit.AdmissionRefusal;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.EventRecorder.Type;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.cron.Schedule;
import dev.pitwall.lab.kube.cron.ScheduleRefusal;
import dev.pitwall.lab.kube.object.Owners;
import dev.pitwall.lab.kube.rules.Problem;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.StoreRefusal;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One look at a CronJob: Jobs that have ended leave its list, a Job is made if a start is due.
 * [kubernetes: cronjob_controllerv2.go, syncCronJob]
 */
final class CronTurn {
    private static final String SCHEDULED = "batch.kubernetes.io/cronjob-scheduled-timestamp";
    /** So long after a start it is looked at: {@code nextScheduleDelta}. */
    private static final Duration AFTER = Duration.ofMillis(100);
    private static final DateTimeFormatter MISSED = DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss Z",
            Locale.ENGLISH);

    private final ControlPlane plane;
    private final PodMaker maker;
    private final Item cron;
    private final Owner owner;
    private final CronSpec spec;
    private final List<Item> jobs;
    private final Instant now;
    /** References to the Jobs at work, by their uid. */
    private final Map<String, JsonNode> active = new LinkedHashMap<>();
    private Optional<Instant> lastStart;
    private Optional<Instant> lastSuccess;

    /** @param jobs all that are the CronJob's */
    CronTurn(ControlPlane plane, PodMaker maker, Item cron, Owner owner, List<Item> jobs, Instant now) {
        this.plane = plane;
        this.maker = maker;
        this.cron = cron;
        this.owner = owner;
        this.spec = CronSpec.of(cron.tree());
        this.jobs = jobs;
        this.now = now;
        cron.tree().at("/status/active").forEach(job -> active.put(job.path("uid").asText(), job));
        this.lastStart = moment(cron.tree().at("/status/lastScheduleTime"));
        this.lastSuccess = moment(cron.tree().at("/status/lastSuccessfulTime"));
    }

    /** @return when it is to be looked at again though nothing has changed; {@link Instant#MAX} for never */
    Instant take() {
        jobs.forEach(this::look);
        forgetMissing();
        Instant due = owner.isLeaving() ? Instant.MAX : start();
        tidy();
        plane.hand().status(cron.key(), this::write);
        return due;
    }

    private void look(Item job) {
        JsonNode finished = JobVerdict.finished(job.tree());
        boolean listed = active.containsKey(job.uid());
        if (finished.isMissingNode()) {
            if (!listed) {
                warn("UnexpectedJob", "Saw a job that the controller did not create or forgot: " + job.key().name());
            }
            return;
        }
        String condition = finished.path("type").asText();
        if (listed) {
            active.remove(job.uid());
            tell("SawCompletedJob", "Saw completed job: " + job.key().name() + ", condition: " + condition);
        }
        moment(job.tree().at("/status/completionTime")).filter(end -> condition.equals("Complete"))
                .filter(end -> lastSuccess.isEmpty() || end.isAfter(lastSuccess.get()))
                .ifPresent(end -> lastSuccess = Optional.of(end));
    }

    private void forgetMissing() {
        for (JsonNode job : List.copyOf(active.values())) {
            Optional<StoredObject> there = plane.hand().find(key(job.path("name").asText()));
            if (there.filter(found -> found.uid().equals(job.path("uid").asText())).isEmpty()) {
                active.remove(job.path("uid").asText());
                tell("MissingJob", "Active job went missing: " + job.path("name").asText());
            }
        }
    }

    private Instant start() {
        Optional<ZoneId> zone = zone();
        if (zone.isEmpty() || spec.suspended()) {
            return Instant.MAX;
        }
        try {
            Schedule schedule = Schedule.parse(spec.schedule(), zone.get());
            if (starts(schedule, false).isNever()) {
                warn("InvalidSchedule", "invalid schedule: " + spec.schedule()
                        + " : time difference between two schedules is less than 1 second");
                return Instant.MAX;
            }
            startIfDue(schedule, zone.get());
            return starts(schedule, false).next(now).map(next -> next.plus(AFTER)).orElse(Instant.MAX);
        } catch (ScheduleRefusal refused) {
            warn("UnparseableSchedule", "unparseable schedule: " + Problem.quoted(spec.schedule()) + " : "
                    + refused.getMessage());
            return Instant.MAX;
        }
    }

    private Optional<ZoneId> zone() {
        if (spec.zone().isEmpty()) {
            return Optional.of(ZoneOffset.UTC);
        }
        Optional<ZoneId> known = spec.zone().filter(ZoneId.getAvailableZoneIds()::contains).map(ZoneId::of);
        if (known.isEmpty()) {
            warn("UnknownTimeZone", "invalid timeZone: " + Problem.quoted(spec.zone().get()) + ": unknown time zone "
                    + spec.zone().get());
        }
        return known;
    }

    private Starts starts(Schedule schedule, boolean withDeadline) {
        Instant since = lastStart.orElse(cron.created());
        if (withDeadline && spec.deadline().isPresent()) {
            Instant begin = now.minusSeconds(spec.deadline().getAsLong());
            since = begin.isAfter(since) ? begin : since;
        }
        return new Starts(schedule, since);
    }

    private void startIfDue(Schedule schedule, ZoneId zone) {
        Starts.Due due = starts(schedule, true).due(now);
        if (due.last().isEmpty()) {
            return;
        }
        if (due.missed()) {
            warn("TooManyMissedTimes", "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or"
                    + " check clock skew");
        }
        Instant start = due.last().get();
        if (spec.deadline().isPresent() && start.plusSeconds(spec.deadline().getAsLong()).isBefore(now)) {
            warn("MissSchedule", "Missed scheduled time to start a job: " + MISSED.format(start.atOffset(ZoneOffset.UTC)));
        } else if (!isStarted(start) && mayStart()) {
            create(start, zone);
        }
    }

    private boolean isStarted(Instant start) {
        return lastStart.filter(start::equals).isPresent() || active.values().stream()
                .anyMatch(job -> job.path("name").asText().equals(name(start)));
    }

    private boolean mayStart() {
        if (active.isEmpty()) {
            return true;
        }
        return switch (spec.concurrency()) {
            case ALLOW -> true;
            case FORBID -> {
                tell("JobAlreadyActive", "Not starting job because prior execution is running and concurrency policy is"
                        + " Forbid");
                yield false;
            }
            case REPLACE -> {
                List.copyOf(active.values()).forEach(job -> delete(job.path("uid").asText(), job.path("name").asText()));
                yield true;
            }
        };
    }

    private void create(Instant start, ZoneId zone) {
        ObjectKey key = key(name(start));
        Optional<StoredObject> there = plane.hand().find(key);
        if (there.isPresent()) {
            boolean own = Owners.controller(there.get().tree()).path("uid").asText().equals(cron.uid());
            there.filter(job -> own && !active.containsKey(job.uid())).ifPresent(job -> list(job, start));
            return;
        }
        try {
            StoredObject made = plane.hand().create(key, draft(start, zone));
            tell("SuccessfulCreate", "Created job " + key.name());
            list(made, start);
        } catch (AdmissionRefusal | StoreRefusal refused) {
            warn("FailedCreate", "Error creating job: " + refused.getMessage());
            plane.hand().status(cron.key(), this::write);
            throw refused;
        }
    }

    private ObjectNode draft(Instant start, ZoneId zone) {
        JsonNode template = spec.tree().path("jobTemplate");
        ObjectNode job = Json.object();
        ObjectNode metadata = job.putObject("metadata");
        for (String field : List.of("labels", "annotations")) {
            if (template.path("metadata").hasNonNull(field)) {
                metadata.set(field, template.path("metadata").get(field).deepCopy());
            }
        }
        metadata.withObjectProperty("annotations").put(SCHEDULED,
                DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(OffsetDateTime.ofInstant(start, zone)));
        Owners.own(job, owner.object(), owner.apiVersion(), owner.kind());
        job.set("spec", template.path("spec").deepCopy());
        return job;
    }

    private void list(StoredObject job, Instant start) {
        active.put(job.uid(), Json.object().put("apiVersion", "batch/v1").put("kind", "Job")
                .put("namespace", job.key().namespace()).put("name", job.key().name()).put("uid", job.uid())
                .put("resourceVersion", Long.toString(job.revision())));
        lastStart = Optional.of(start);
    }

    private void delete(String uid, String name) {
        plane.hand().delete(key(name));
        active.remove(uid);
        tell("SuccessfulDelete", "Deleted job " + name);
    }

    /** Finished Jobs above the limits go, the one that began first is the first. */
    private void tidy() {
        tidy("Complete", spec.successful());
        tidy("Failed", spec.failed());
    }

    private void tidy(String condition, int limit) {
        List<Item> finished = jobs.stream().filter(job -> !job.isLeaving())
                .filter(job -> JobVerdict.finished(job.tree()).path("type").asText().equals(condition))
                .sorted(Comparator.comparing((Item job) -> job.tree().at("/status/startTime").asText())
                        .thenComparing(job -> job.key().name())).toList();
        finished.stream().limit(Math.max(0, finished.size() - limit))
                .forEach(job -> delete(job.uid(), job.key().name()));
    }

    private void write(ObjectNode object) {
        ObjectNode status = object.withObjectProperty("status");
        if (active.isEmpty()) {
            status.remove("active");
        } else {
            ArrayNode list = status.putArray("active");
            active.values().forEach(list::add);
        }
        lastStart.ifPresent(start -> status.put("lastScheduleTime", ObjectStore.timestamp(start)));
        lastSuccess.ifPresent(end -> status.put("lastSuccessfulTime", ObjectStore.timestamp(end)));
    }

    /** The same for the same start, so that it is made once. */
    private String name(Instant start) {
        return cron.key().name() + "-" + Duration.ofSeconds(start.getEpochSecond()).toMinutes();
    }

    private ObjectKey key(String job) {
        return new ObjectKey(ControlPlane.JOBS, cron.key().namespace(), job);
    }

    private static Optional<Instant> moment(JsonNode time) {
        return time.isTextual() ? Optional.of(Instant.parse(time.asText())) : Optional.empty();
    }

    private void tell(String reason, String message) {
        maker.event(owner, Type.Normal, reason, message, now);
    }

    private void warn(String reason, String message) {
        maker.event(owner, Type.Warning, reason, message, now);
    }
}
