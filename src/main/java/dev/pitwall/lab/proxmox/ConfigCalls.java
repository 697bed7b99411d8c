package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabSnapshot;
import dev.pitwall.lab.world.World;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What changes a VM: its configuration, itself, its disks, its snapshots. [facts: proxmox.md 1.7, 1.12] */
final class ConfigCalls {
    private static final Set<String> NO_OPTIONS = Set.of("node", "vmid", "digest", "delete", "revert", "skiplock", "force",
            "background_delay", "import-working-storage");
    private static final Set<String> NO_OPTIONS_OF_NEW = Set.of("node", "vmid", "start", "pool", "unique", "force", "storage",
            "bwlimit", "archive", "live-restore", "ha-managed", "import-working-storage");

    private final World world;
    private final Datacenter datacenter;

    ConfigCalls(World world, Datacenter datacenter) {
        this.world = world;
        this.datacenter = datacenter;
    }

    void addTo(RouteTable routes) {
        String vm = "/nodes/{node}/qemu/{vmid}";
        routes.add("PUT " + vm + "/config", this::update);
        routes.add("POST " + vm + "/config", this::updateInBackground);
        routes.add("POST /nodes/{node}/qemu", this::create);
        routes.add("DELETE " + vm, this::destroy);
        routes.add("POST " + vm + "/clone", this::copy);
        routes.add("POST " + vm + "/template", call -> datacenter.store().makeTemplate(call.login(), call.node(), call.vmid()));
        routes.add("PUT " + vm + "/resize", this::resize);
        routes.add("GET " + vm + "/migrate", call -> datacenter.moves().conditions(call.node(), call.vmid()));
        routes.add("POST " + vm + "/migrate", this::migrate);
        routes.add("POST " + vm + "/snapshot", this::takeSnapshot);
        routes.add("DELETE " + vm + "/snapshot/{snapname}", call -> datacenter.snapshots()
                .remove(call.login(), call.node(), call.vmid(), call.need("snapname")));
        routes.add("GET " + vm + "/snapshot/{snapname}/config", this::snapshot);
        routes.add("POST " + vm + "/snapshot/{snapname}/rollback", call -> datacenter.snapshots().rollBack(call.login(),
                call.node(), call.vmid(), call.need("snapname"), then(call)));
    }

    private static ConfigChange change(ApiCall call) {
        return new ConfigChange(call.without(NO_OPTIONS), call.list("delete"), call.list("revert"), call.text("digest"),
                call.flag("skiplock", false), call.flag("force", false));
    }

    private Object update(ApiCall call) throws PveError, InterruptedException {
        datacenter.config().update(call.login(), call.node(), call.vmid(), change(call));
        return null;
    }

    /** Null where {@code background_delay} saw the end. */
    private Object updateInBackground(ApiCall call) throws PveError, InterruptedException {
        String upid = datacenter.config().updateInBackground(call.login(), call.node(), call.vmid(), change(call));
        if (call.seconds("background_delay").isEmpty()) {
            return upid;
        }
        Optional<String> status = datacenter.tasks().await(upid, call.seconds("background_delay").get());
        if (status.filter(text -> !text.equals("OK") && !text.startsWith("WARNINGS")).isPresent()) {
            throw PveError.died("failed to update VM " + call.vmid() + ": " + status.get());
        }
        return status.isPresent() ? null : upid;
    }

    private Object create(ApiCall call) throws PveError {
        for (String name : List.of("archive", "ha-managed", "pool", "live-restore")) {
            if (call.text(name).isPresent()) {
                throw PveError.notInTheLab("make a VM with '" + name + "'");
            }
        }
        return datacenter.store().create(call.login(), call.node(), call.vmid(), call.without(NO_OPTIONS_OF_NEW), then(call));
    }

    private static VmStore.Then then(ApiCall call) {
        return call.flag("start", false) ? VmStore.Then.START : VmStore.Then.REST;
    }

    private Object destroy(ApiCall call) throws PveError {
        Set<String> flags = new TreeSet<>();
        Set.of("purge", "skiplock", "destroy-unreferenced-disks").stream().filter(name -> call.flag(name, false))
                .forEach(flags::add);
        return datacenter.store().destroy(call.login(), call.node(), call.vmid(), flags);
    }

    private Object copy(ApiCall call) throws PveError {
        Rights rights = datacenter.rights();
        for (String volume : call.text("storage").stream().toList()) {
            rights.need(call.login(), "/storage/" + volume, "Datastore.AllocateSpace");
        }
        Map<String, String> options = new HashMap<>(call.without(Set.of("node", "vmid", "newid")));
        return datacenter.store().copy(call.login(), call.node(), call.vmid(), Integer.parseInt(call.need("newid")), options);
    }

    /** Before 8.0 the call itself waited, and answered null. */
    private Object resize(ApiCall call) throws PveError, InterruptedException {
        String upid = datacenter.store().resize(call.login(), call.node(), call.vmid(), call.need("disk"), call.need("size"),
                call.text("digest"));
        if (world.read(w -> PveVersion.of(w.hosts.get(call.node())).major()) >= 8) {
            return upid;
        }
        datacenter.tasks().await(upid, Duration.ofMinutes(1));
        return null;
    }

    private Object migrate(ApiCall call) throws PveError {
        List<String> flags = Stream.of("online", "with-local-disks").filter(name -> call.flag(name, false))
                .toList();
        return datacenter.moves().migrate(call.login(), call.node(), call.vmid(), call.need("target"), flags);
    }

    private Object takeSnapshot(ApiCall call) throws PveError {
        return datacenter.snapshots().take(call.login(), call.node(), call.vmid(), call.need("snapname"),
                call.text("description").orElse(""), call.flag("vmstate", false) ? Snapshots.Memory.KEPT
                : Snapshots.Memory.LEFT_OUT);
    }

    private Object snapshot(ApiCall call) throws PveError {
        LabSnapshot snapshot = datacenter.snapshots().look(call.node(), call.vmid(), call.need("snapname"), found -> found);
        Map<String, Object> data = new LinkedHashMap<>(datacenter.typed(snapshot.config()));
        data.put("snaptime", snapshot.takenAt().getEpochSecond());
        if (!snapshot.description().isEmpty()) {
            data.put("description", snapshot.description());
        }
        if (!snapshot.parent().isEmpty()) {
            data.put("parent", snapshot.parent());
        }
        return data;
    }
}
