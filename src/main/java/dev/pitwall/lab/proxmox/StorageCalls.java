package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabBackup;
import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabStorage;
import dev.pitwall.lab.world.World;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Storages and what lies on them: the disks that configurations name, backups, and images. */
final class StorageCalls {
    /** A host's system takes this much of the folder it shares with backups. */
    private static final long SYSTEM_BYTES = 11L << 30;
    /** Where an installer's folder storage keeps images. */
    private static final String IMAGES = "/var/lib/vz/template/iso/";

    private final World world;
    private final Changes changes;
    private final Rights rights;

    StorageCalls(World world, Rights rights) {
        this.world = world;
        this.changes = new Changes(world);
        this.rights = rights;
    }

    void addTo(RouteTable routes) {
        routes.add("GET /storage", call -> world.read(w -> w.storages.values().stream().filter(s -> maySee(call, s))
                .map(storage -> Map.of("storage", storage.name(), "type", storage.type(), "content",
                        String.join(",", storage.content()), "shared", storage.shared() ? 1 : 0)).toList()));
        routes.add("GET /nodes/{node}/storage", call -> world.read(w -> w.storages.values().stream()
                .filter(storage -> maySee(call, storage))
                .filter(storage -> call.list("content").isEmpty()
                        || call.list("content").stream().anyMatch(storage.content()::contains))
                .filter(storage -> call.text("storage").filter(name -> !name.equals(storage.name())).isEmpty())
                .map(storage -> state(w, call.node(), storage)).toList()));
        routes.add("GET /nodes/{node}/storage/{storage}/status", call -> changes.make(w ->
                state(w, call.node(), Volumes.need(w, call.need("storage")))));
        routes.add("GET /nodes/{node}/storage/{storage}/content", this::content);
    }

    private boolean maySee(ApiCall call, LabStorage storage) {
        Set<String> has = rights.at(call.login(), "/storage/" + storage.name());
        return has.contains("Datastore.Audit") || has.contains("Datastore.AllocateSpace");
    }

    private static Map<String, Object> state(World w, String node, LabStorage storage) {
        long used = used(w, node, storage);
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("storage", storage.name());
        data.put("type", storage.type());
        data.put("content", String.join(",", storage.content()));
        data.put("active", 1);
        data.put("enabled", 1);
        data.put("shared", storage.shared() ? 1 : 0);
        data.put("total", storage.bytes());
        data.put("used", used);
        data.put("avail", Math.max(0, storage.bytes() - used));
        data.put("used_fraction", used / (double) storage.bytes());
        return data;
    }

    private static long used(World w, String node, LabStorage storage) {
        long disks = Volumes.on(w, node, storage).stream().mapToLong(Volumes.Disk::bytes).sum();
        long backups = w.backups.stream().filter(backup -> backup.host().equals(node)
                && backup.volume().startsWith(storage.name() + ":")).mapToLong(LabBackup::bytes).sum();
        // A thin pool holds what was written only.
        long written = storage.type().equals("lvmthin") ? Math.round(disks * 0.4) : disks;
        return Math.min(storage.bytes(), written + backups + (storage.type().equals("dir") ? SYSTEM_BYTES : 0));
    }

    /** What lies in the folder of images on the host's own disk. */
    private static Stream<Map<String, Object>> images(LabHost host, LabStorage storage) {
        return host.files.entrySet().stream().filter(file -> file.getKey().startsWith(IMAGES)).map(file -> Map.of("volid",
                storage.name() + ":iso/" + file.getKey().substring(IMAGES.length()), "content", "iso", "format", "iso", "size",
                file.getValue().length));
    }

    private Object content(ApiCall call) throws PveError {
        if (!changes.make(w -> maySee(call, Volumes.need(w, call.need("storage"))))) {
            throw PveError.forbidden("/storage/" + call.need("storage") + ", Datastore.Audit|Datastore.AllocateSpace");
        }
        return changes.make(w -> {
            LabStorage storage = Volumes.need(w, call.need("storage"));
            List<Map<String, Object>> found = new ArrayList<>();
            Volumes.on(w, call.node(), storage).forEach(disk -> found.add(Map.of("volid", disk.volume(), "content", "images",
                    "format", "raw", "size", disk.bytes(), "vmid", disk.vmid())));
            w.backups.stream().filter(backup -> backup.volume().startsWith(storage.name() + ":")
                    && backup.host().equals(call.node())).forEach(backup -> found.add(Map.of("volid", backup.volume(),
                    "content", "backup", "format", "vma.zst", "size", backup.bytes(), "vmid", backup.vmid(), "ctime",
                    backup.madeAt().getEpochSecond(), "notes", backup.notes(), "subtype", "qemu")));
            if (storage.content().contains("iso")) {
                images(w.hosts.get(call.node()), storage).forEach(found::add);
            }
            return found.stream().filter(entry -> call.text("content").filter(type -> !type.equals(entry.get("content")))
                    .isEmpty() && call.text("vmid").filter(vmid -> !vmid.equals(String.valueOf(entry.get("vmid")))).isEmpty())
                    .toList();
        });
    }
}
