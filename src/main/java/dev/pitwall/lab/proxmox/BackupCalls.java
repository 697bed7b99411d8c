package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.World;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Backups and their jobs. [facts: proxmox.md 1.12; pve-manager API2/Backup.pm, API2/VZDump.pm] */
final class BackupCalls {
    private static final Set<String> ROOT_OPTIONS = Set.of("tmpdir", "dumpdir", "script", "job-id");

    private final World world;
    private final Changes changes;
    private final Rights rights;
    private final Backups backups;

    BackupCalls(World world, Datacenter datacenter) {
        this.world = world;
        this.changes = new Changes(world);
        this.rights = datacenter.rights();
        this.backups = datacenter.backups();
    }

    void addTo(RouteTable routes) {
        routes.add("POST /nodes/{node}/vzdump", this::run);
        routes.add("GET /cluster/backup", call -> world.read(w -> w.backupJobs.entrySet().stream()
                .map(entry -> data(entry.getKey(), entry.getValue(), w.clock().instant())).toList()));
        routes.add("POST /cluster/backup", this::create);
        routes.add("GET /cluster/backup/{id}", call -> changes.make(w ->
                data(call.need("id"), need(w, call), w.clock().instant())));
        routes.add("PUT /cluster/backup/{id}", this::update);
        routes.add("DELETE /cluster/backup/{id}", call -> changes.make(w -> {
            need(w, call);
            w.backupJobs.remove(call.need("id"));
            return null;
        }));
    }

    private Object run(ApiCall call) throws PveError {
        Optional<String> forRoot = ROOT_OPTIONS.stream().filter(name -> call.text(name).isPresent()).findFirst();
        if (forRoot.isPresent() && !Rights.isRoot(call.login())) {
            throw PveError.parameter(forRoot.get(), "Only root may set this option.");
        }
        if (call.text("vmid").isEmpty() && !call.flag("all", false)) {
            throw PveError.parameter("vmid", "property is missing and it is not optional");
        }
        rights.need(call.login(), "/storage/" + call.text("storage").orElse("local"), "Datastore.AllocateSpace");
        for (String vmid : call.list("vmid")) {
            rights.need(call.login(), "/vms/" + vmid, "VM.Backup");
        }
        return backups.run(call.login(), call.node(), call.without(Set.of("node")));
    }

    private Object create(ApiCall call) throws PveError {
        rights.need(call.login(), "/", "Sys.Modify");
        refuseSchedule(call);
        return changes.make(w -> {
            String id = call.text("id").orElseGet(() -> String.format("backup-%08x-%04x", w.random().nextInt(),
                    w.random().nextInt(1 << 16)));
            Map<String, String> job = new TreeMap<>(call.without(Set.of("id", "node", "starttime", "dow")));
            call.text("node").ifPresent(node -> job.put("node", node));
            call.text("starttime").ifPresent(time -> job.put("schedule", (call.text("dow").map(days -> days + " ").orElse(""))
                    + time));
            if (w.backupJobs.putIfAbsent(id, job) != null) {
                throw PveError.died("Job '" + id + "' already exists");
            }
            return null;
        });
    }

    private Object update(ApiCall call) throws PveError {
        rights.need(call.login(), "/", "Sys.Modify");
        refuseSchedule(call);
        return changes.make(w -> {
            Map<String, String> job = need(w, call);
            job.putAll(call.without(Set.of("id", "delete")));
            call.list("delete").forEach(job::remove);
            return null;
        });
    }

    private static void refuseSchedule(ApiCall call) throws PveError {
        if (call.text("schedule").filter(text -> BackupSchedule.of(text).isEmpty()).isPresent()) {
            throw PveError.notInTheLab("understand the schedule '" + call.need("schedule") + "'; it knows [days] HH:MM");
        }
    }

    private static Map<String, String> need(World w, ApiCall call) throws PveError {
        return Optional.ofNullable(w.backupJobs.get(call.need("id")))
                .orElseThrow(() -> PveError.parameter("id", "No such job '" + call.need("id") + "'"));
    }

    private static Map<String, Object> data(String id, Map<String, String> job, Instant now) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("id", id);
        data.put("type", "vzdump");
        data.put("enabled", 1);
        job.forEach((name, value) -> data.put(name, List.of("enabled", "all").contains(name)
                ? (Object) (ParameterCheck.isTrue(value) ? 1 : 0) : value));
        Optional.ofNullable(job.get("schedule")).flatMap(BackupSchedule::of)
                .ifPresent(schedule -> data.put("next-run", schedule.next(now).getEpochSecond()));
        return data;
    }
}
