package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.PowerSwitch;
import dev.pitwall.lab.world.Wiring;
import dev.pitwall.lab.world.World;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Makes, copies and removes VMs and grows their disks. Every method that answers with a text answers with the UPID of its
 * task. [facts: proxmox.md 1.4; qemu-server API2/Qemu.pm]
 */
public final class VmStore {
    private final VmWrites writes;
    private final VmPower power;

    VmStore(VmWrites writes, VmPower power) {
        this.writes = writes;
        this.power = power;
    }

    /** Whether a new VM is started too. */
    public enum Then {
        /** It stays off. */
        REST,
        /** Its first start follows. */
        START
    }

    /** Makes a VM with new disks. */
    public String create(Caller who, String node, int vmid, Map<String, String> config, Then then) throws PveError {
        PveVersion version = writes.changes().make(w -> PveVersion.of(w.hosts.get(node)));
        writes.rights().need(who, "/vms/" + vmid, "VM.Allocate");
        writes.refuseMissing(config.keySet());
        writes.allowed().check(who, vmid, version, config.keySet());
        for (Map.Entry<String, String> entry : config.entrySet()) {
            writes.allowed().checkValue(who, vmid, entry.getKey(), entry.getValue(), "set");
            writes.needSpace(who, entry);
        }
        refuseTaken(vmid, "unable to create VM " + vmid + " - VM " + vmid + " already exists");
        return writes.tasks().start(node, "qmcreate", String.valueOf(vmid), who.id(), log -> {
            try (VmLocks.Held held = writes.locks().take(vmid)) {
                refuseTaken(vmid, "unable to create VM " + vmid + " - VM " + vmid + " already exists");
                log.pause(writes.times().of("diskAllocate"));
                Map<String, String> made = writes.changes().make(w -> made(w, node, vmid, config).config);
                made.forEach((name, value) -> {
                    if (writes.options().isDrive(name) && Volumes.isAllocation(config.getOrDefault(name, ""))) {
                        log.line(name + ": successfully created disk '" + value + "'");
                    }
                });
            }
            if (then == Then.START) {
                log.line("Execute autostart");
                power.startNow(vmid, PowerRequest.USUAL, log);
            }
        });
    }

    /**
     * Copies a VM: a template without {@code full} as a linked clone, all else in full.
     *
     * @param options {@code name}, {@code description}, {@code full}, {@code snapname}, {@code target}, {@code storage}
     */
    public String copy(Caller who, String node, int vmid, int newId, Map<String, String> options) throws PveError {
        Map<String, String> source = writes.changes().make(w -> source(w, Vms.need(w, node, vmid), options));
        for (Map.Entry<String, String> entry : source.entrySet()) {
            if (writes.options().stem(entry.getKey()).equals("hostpci")) {
                writes.allowed().checkValue(who, newId, entry.getKey(), entry.getValue(), "set");
            }
        }
        String target = options.getOrDefault("target", node);
        boolean linked = !ParameterCheck.isTrue(options.getOrDefault("full",
                writes.world().read(w -> Vms.isTemplate(w.vms.get(vmid))) ? "0" : "1"));
        refuseCopy(vmid, newId, node, target, linked, options);
        return writes.tasks().start(node, "qmclone", String.valueOf(vmid), who.id(), log -> {
            String what = linked ? "linked" : "full";
            source.forEach((name, value) -> {
                if (writes.options().isDrive(name) && Volumes.storage(value).isPresent()) {
                    log.line("create " + what + " clone of drive " + name + " (" + Volumes.file(value) + ")");
                }
            });
            log.pause(writes.times().of("cloneBase").plus(linked ? Duration.ZERO
                    : writes.times().of("clonePerGiB", Volumes.gib(source))));
            refuseTaken(newId, "unable to create VM " + newId + ": config file already exists");
            writes.changes().make(w -> copied(w, target, newId, source, options));
        });
    }

    /** Removes a stopped VM with its disks. */
    public String destroy(Caller who, String node, int vmid, Set<String> flags) throws PveError {
        if (flags.contains("skiplock") && !Rights.isRoot(who)) {
            throw PveError.parameter("skiplock", "Only root may use this option.");
        }
        writes.changes().make(w -> removable(w, node, vmid, flags));
        return writes.tasks().start(node, "qmdestroy", String.valueOf(vmid), who.id(), log -> {
            try (VmLocks.Held held = writes.locks().take(vmid)) {
                LabVm vm = writes.changes().make(w -> removable(w, node, vmid, flags));
                log.pause(writes.times().of("destroy"));
                if (flags.contains("purge")) {
                    log.line("purging VM " + vmid + " from related configurations..");
                    if (writes.world().read(w -> w.haResources.containsKey("vm:" + vmid))) {
                        log.line("NOTE: removed VM " + vmid + " from HA resource configuration.");
                    }
                }
                writes.world().change(w -> forget(w, vm, flags.contains("purge")));
            }
        });
    }

    /** Makes a stopped VM a template. */
    public String makeTemplate(Caller who, String node, int vmid) throws PveError {
        LabVm vm = writes.changes().make(w -> Vms.need(w, node, vmid));
        writes.changes().make(w -> {
            Vms.refuseLocked(vm);
            if (!vm.snapshots.isEmpty()) {
                throw PveError.died("unable to create template, because VM contains snapshots");
            }
            if (Vms.isTemplate(vm)) {
                throw PveError.died("you can't convert a template to a template");
            }
            if (Vms.runs(vm)) {
                throw PveError.died("you can't convert a VM to template if VM is running");
            }
            return vm;
        });
        return writes.tasks().start(node, "qmtemplate", String.valueOf(vmid), who.id(), log -> {
            log.pause(writes.times().of("configWrite"));
            writes.world().change(w -> {
                vm.config.put("template", "1");
                vm.config.replaceAll((name, value) -> writes.options().isDrive(name) ? value.replace(":vm-", ":base-") : value);
            });
        });
    }

    /**
     * Grows a disk at once.
     *
     * @param size {@code +10G} or {@code 200G}
     * @return the task's UPID; before 8.0 the call itself waited
     */
    public String resize(Caller who, String node, int vmid, String disk, String size, Optional<String> digest)
            throws PveError {
        writes.changes().make(w -> grown(w, node, vmid, disk, size, digest));
        return writes.tasks().start(node, "resize", String.valueOf(vmid), who.id(), log -> {
            try (VmLocks.Held held = writes.locks().take(vmid)) {
                log.pause(writes.times().of("configWrite"));
                writes.changes().make(w -> {
                    String value = grown(w, node, vmid, disk, size, digest);
                    LabVm vm = w.vms.get(vmid);
                    vm.config.put(disk, value);
                    vm.running.computeIfPresent(disk, (name, old) -> value);
                    return value;
                });
            }
        });
    }

    private static String grown(World w, String node, int vmid, String disk, String size, Optional<String> digest)
            throws PveError {
        LabVm vm = Vms.need(w, node, vmid);
        if (digest.filter(given -> !given.equals(Vms.digest(vm))).isPresent()) {
            throw PveError.died("checksum mismatch (file change by other user?)");
        }
        Vms.refuseLocked(vm);
        String drive = Optional.ofNullable(vm.config.get(disk))
                .orElseThrow(() -> PveError.died("disk '" + disk + "' does not exist"));
        if (drive.contains("media=cdrom")) {
            throw PveError.died("you can't resize a cdrom");
        }
        long now = Volumes.bytes(drive);
        long wanted = size.startsWith("+") ? now + Volumes.parse(size.substring(1)) : Volumes.parse(size);
        if (wanted < now) {
            throw PveError.died("shrinking disks is not supported");
        }
        return PropertyString.read(drive, "file").with("size", Volumes.print(wanted)).sorted("file");
    }

    private LabVm made(World w, String node, int vmid, Map<String, String> config) throws PveError {
        LabVm vm = new LabVm(vmid, node);
        w.vms.put(vmid, vm);
        try {
            for (Map.Entry<String, String> entry : new TreeMap<>(config).entrySet()) {
                vm.config.put(entry.getKey(), writes.values().stored(w, vm, entry.getKey(), entry.getValue(), config.keySet()));
            }
        } catch (PveError e) {
            w.vms.remove(vmid);
            throw e;
        }
        vm.config.putIfAbsent("smbios1", "uuid=" + new UUID(w.random().nextLong(), w.random().nextLong()));
        vm.config.putIfAbsent("vmgenid", new UUID(w.random().nextLong(), w.random().nextLong()).toString());
        vm.config.put("meta", "creation-qemu=9.2.0,ctime=" + w.clock().instant().getEpochSecond());
        return vm;
    }

    private static Map<String, String> source(World w, LabVm vm, Map<String, String> options) throws PveError {
        Vms.refuseLocked(vm);
        if (!options.containsKey("snapname")) {
            return Map.copyOf(vm.config);
        }
        return Optional.ofNullable(vm.snapshots.get(options.get("snapname")))
                .orElseThrow(() -> PveError.died("snapshot '" + options.get("snapname") + "' does not exist")).config();
    }

    private void refuseCopy(int vmid, int newId, String node, String target, boolean linked, Map<String, String> options)
            throws PveError {
        refuseTaken(newId, "unable to create VM " + newId + ": config file already exists");
        writes.changes().make(w -> {
            if (linked && !Vms.isTemplate(w.vms.get(vmid))) {
                throw PveError.died("Linked clone feature is not supported for drives of VM " + vmid);
            }
            if (linked && options.containsKey("storage")) {
                throw PveError.died("parameter 'storage' not allowed for linked clones");
            }
            boolean local = Volumes.drives(w.vms.get(vmid)).keySet().stream().map(volume -> volume.substring(0,
                    volume.indexOf(':'))).anyMatch(name -> !w.storages.containsKey(name) || !w.storages.get(name).shared());
            if (!target.equals(node) && local) {
                throw PveError.died("can't clone VM to node '" + target + "' (VM uses local storage)");
            }
            return vmid;
        });
    }

    private LabVm copied(World w, String target, int newId, Map<String, String> source, Map<String, String> options)
            throws PveError {
        Map<String, String> config = new TreeMap<>(source);
        config.keySet().removeAll(Set.of("template", "meta", "vmgenid", "smbios1"));
        config.keySet().removeIf(name -> name.startsWith("unused"));
        config.put("name", options.getOrDefault("name", "Copy-of-VM-" + source.getOrDefault("name", "VM")));
        Optional.ofNullable(options.get("description")).ifPresent(text -> config.put("description", text));
        config.replaceAll((name, value) -> {
            if (writes.options().isDrive(name) && Volumes.storage(value).isPresent() && !value.contains("media=cdrom")) {
                String storage = options.getOrDefault("storage", Volumes.storage(value).orElseThrow());
                long gib = Math.max(1, Volumes.bytes(value) >> 30);
                return PropertyString.read(value, "file").with("file", storage + ":" + gib).sorted("file");
            }
            return writes.options().stem(name).equals("net") ? value.replaceFirst("^(\\w[\\w-]*)=[0-9A-Fa-f:]{17}", "$1") : value;
        });
        return made(w, target, newId, config);
    }

    private static LabVm removable(World w, String node, int vmid, Set<String> flags) throws PveError {
        LabVm vm = Vms.need(w, node, vmid);
        if ("1".equals(vm.config.get("protection"))) {
            throw PveError.died("can't remove VM " + vmid + " - protection mode enabled");
        }
        if (!flags.contains("purge") && w.haResources.containsKey("vm:" + vmid)) {
            throw PveError.died("unable to remove VM " + vmid + " - used in HA resources and purge parameter not set.");
        }
        if (Vms.runs(vm)) {
            throw PveError.died("VM " + vmid + " is running - destroy failed");
        }
        if (!flags.contains("skiplock")) {
            Vms.refuseLocked(vm);
        }
        return vm;
    }

    private static void forget(World w, LabVm vm, boolean purge) {
        PowerSwitch.stop(w, vm);
        w.vms.remove(vm.vmid);
        w.acl.removeIf(entry -> entry.path().equals("/vms/" + vm.vmid));
        if (purge) {
            w.haResources.remove("vm:" + vm.vmid);
            w.backupJobs.values().forEach(job -> job.computeIfPresent("vmid", (key, list) ->
                    String.join(",", Arrays.stream(list.split("[,; ]+"))
                            .filter(id -> !id.equals(String.valueOf(vm.vmid))).toList())));
        }
        Wiring.renew(w);
    }

    private void refuseTaken(int vmid, String text) throws PveError {
        if (writes.world().read(w -> w.vms.containsKey(vmid))) {
            throw PveError.died(text);
        }
    }
}
