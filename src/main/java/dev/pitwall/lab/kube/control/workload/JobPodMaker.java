package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.Suffixes;
import dev.pitwall.lab.kube.object.Containers;
import dev.pitwall.lab.kube.object.Finalizers;
import dev.pitwall.lab.kube.object.Named;
import java.time.Instant;
import java.util.Optional;

/** Makes the pods of a Job from its template, those of an Indexed one with their index in name, label and environment. */
final class JobPodMaker {
    private static final String VARIABLE = "JOB_COMPLETION_INDEX";

    private final PodMaker maker;
    private final Item job;
    private final Owner owner;
    private final JobSpec spec;

    JobPodMaker(PodMaker maker, Item job, Owner owner, JobSpec spec) {
        this.maker = maker;
        this.job = job;
        this.owner = owner;
        this.spec = spec;
    }

    /** @return the refusal's text if it was refused */
    Optional<String> create(Instant now) {
        return maker.create(draft(), owner, job.key().name() + "-", now);
    }

    /**
     * The pod of one index.
     *
     * @param before the pod whose place it takes; empty if it is the first, or failures are not counted by index
     * @return the refusal's text if it was refused
     */
    Optional<String> create(int index, Optional<JobPod> before, Instant now) {
        ObjectNode pod = draft();
        ObjectNode metadata = pod.withObjectProperty("metadata");
        metadata.withObjectProperty("labels").put(JobPod.INDEX, Integer.toString(index));
        metadata.withObjectProperty("annotations").put(JobPod.INDEX, Integer.toString(index));
        if (spec.limitPerIndex().isPresent()) {
            failures(metadata.withObjectProperty("annotations"), before);
        }
        ObjectNode podSpec = pod.withObjectProperty("spec");
        podSpec.put("hostname", job.key().name() + "-" + index);
        variable(podSpec);
        return maker.create(pod, owner, base(index), now);
    }

    private ObjectNode draft() {
        ObjectNode pod = PodMaker.draft(spec.tree().path("template"), owner);
        track(pod);
        return pod;
    }

    /** Has the pod stay until it is counted. */
    static void track(ObjectNode pod) {
        Finalizers.add(pod, JobPod.FINALIZER);
    }

    private String base(int index) {
        String end = "-" + index + "-";
        String name = job.key().name();
        return name.substring(0, Math.min(name.length(), Suffixes.LONGEST_BASE - end.length())) + end;
    }

    private void failures(ObjectNode annotations, Optional<JobPod> before) {
        int counted = before.map(pod -> JobPods.number(pod, JobPods.FAILURES)).orElse(0);
        int ignored = before.map(pod -> JobPods.number(pod, JobPods.IGNORED)).orElse(0);
        if (before.isPresent() && spec.failurePolicy().of(before.get()).counts()) {
            counted++;
        } else if (before.isPresent()) {
            ignored++;
        }
        annotations.put(JobPods.FAILURES, Integer.toString(counted));
        if (ignored > 0) {
            annotations.put(JobPods.IGNORED, Integer.toString(ignored));
        }
    }

    private static void variable(ObjectNode podSpec) {
        for (ObjectNode container : Containers.of(podSpec)) {
            if (Named.find(container.path("env"), VARIABLE).isMissingNode()) {
                container.withArrayProperty("env").addObject().put("name", VARIABLE).putObject("valueFrom")
                        .putObject("fieldRef").put("apiVersion", "v1")
                        .put("fieldPath", "metadata.labels['" + JobPod.INDEX + "']");
            }
        }
    }
}
