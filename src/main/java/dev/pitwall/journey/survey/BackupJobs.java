package dev.pitwall.journey.survey;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Proxmox;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The backup jobs of a datacenter and whom they include (facts: proxmox.md 1.12). */
final class BackupJobs {
    private final JsonNode jobs;
    private final Map<Integer, String> pools;

    private BackupJobs(JsonNode jobs, Map<Integer, String> pools) {
        this.jobs = jobs;
        this.pools = pools;
    }

    /** Without the right to see them there are none. */
    static BackupJobs read(Proxmox proxmox, String node, Looking looking)
            throws TroubleException, InterruptedException {
        JsonNode jobs = looking.keep(Showing.BACKUPS.key(), node, "cluster/backup", proxmox.ifThere("cluster/backup"))
                .orElseGet(MissingNode::getInstance);
        Map<Integer, String> pools = new HashMap<>();
        if (jobs.valueStream().anyMatch(job -> job.hasNonNull("pool"))) {
            proxmox.get("cluster/resources", Map.of("type", "vm")).forEach(vm ->
                    pools.put(vm.path("vmid").asInt(), vm.path("pool").asText()));
        }
        return new BackupJobs(jobs, pools);
    }

    /** Ids of the jobs that are on and include a guest of a node. */
    List<String> of(String node, int vmid) {
        return jobs.valueStream().filter(job -> on(job) && runsOn(job, node) && includes(job, vmid))
                .map(job -> job.path("id").asText()).toList();
    }

    private static boolean on(JsonNode job) {
        return job.path("enabled").asInt(1) != 0;
    }

    private static boolean runsOn(JsonNode job, String node) {
        return !job.hasNonNull("node") || job.path("node").asText().equals(node);
    }

    private boolean includes(JsonNode job, int vmid) {
        if (job.path("all").asInt(0) != 0) {
            return !lists(job.path("exclude"), vmid);
        }
        String pool = job.path("pool").asText();
        return lists(job.path("vmid"), vmid) || !pool.isEmpty() && pool.equals(pools.get(vmid));
    }

    private static boolean lists(JsonNode ids, int vmid) {
        return Arrays.asList(ids.asText().split("[,; ]+")).contains(Integer.toString(vmid));
    }
}
