package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.World;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Changes of a VM's configuration, as the API and {@code qm set} make them: who may, what stands against it, what a running
 * VM takes at once and what stays pending. [facts: proxmox.md 1.4, 1.7; qemu-server API2/Qemu.pm update_vm]
 */
public final class VmConfig {
    private final VmWrites writes;
    private final ParameterCheck schema;

    /** @param schema parameters of the method that changes a configuration */
    VmConfig(VmWrites writes, ParameterCheck schema) {
        this.writes = writes;
        this.schema = schema;
    }

    /** Makes a change and waits for it: {@code PUT …/config}, {@code qm set}. */
    public void update(Caller who, String node, int vmid, ConfigChange change) throws PveError, InterruptedException {
        check(who, node, vmid, change);
        try (VmLocks.Held held = writes.locks().take(vmid)) {
            writes.changes().make(w -> apply(w, who, node, vmid, change, new ArrayList<>()));
        }
    }

    /**
     * Makes a change in a task: {@code POST …/config}. What only the change itself finds out is the task's error.
     *
     * @return the UPID
     */
    public String updateInBackground(Caller who, String node, int vmid, ConfigChange change) throws PveError {
        check(who, node, vmid, change);
        return writes.tasks().start(node, "qmconfig", String.valueOf(vmid), who.id(), log -> {
            try (VmLocks.Held held = writes.locks().take(vmid)) {
                log.line("update VM " + vmid + ": " + written(change));
                log.pause(change.set().values().stream().anyMatch(Volumes::isAllocation) ? writes.times().of("diskAllocate")
                        : writes.times().of("configWrite"));
                List<String> lines = new ArrayList<>();
                try {
                    writes.changes().make(w -> apply(w, who, node, vmid, change, lines));
                } finally {
                    lines.forEach(log::line);
                }
            }
        });
    }

    /** What can be refused without touching anything. */
    private void check(Caller who, String node, int vmid, ConfigChange change) throws PveError {
        PveVersion version = writes.changes().make(w -> PveVersion.of(w.hosts.get(node)));
        if (change.pastLocks() && !Rights.isRoot(who)) {
            throw PveError.parameter("skiplock", "Only root may use this option.");
        }
        if (change.isEmpty()) {
            throw PveError.died("no options specified");
        }
        schema.check(asParameters(node, vmid, change), version.major());
        refuseContradictions(change, version);
        writes.refuseMissing(change.set().keySet());
        writes.allowed().check(who, vmid, version, change.delete());
        writes.allowed().check(who, vmid, version, change.set().keySet());
        for (Map.Entry<String, String> entry : change.set().entrySet()) {
            writes.needSpace(who, entry);
        }
        writes.changes().make(w -> loaded(w, node, vmid, change));
    }

    private void refuseContradictions(ConfigChange change, PveVersion version) throws PveError {
        for (String name : change.revert()) {
            if (!schema.knows(name, version.major())) {
                throw PveError.parameter("revert", "unknown option '" + name + "'");
            }
            if (change.set().containsKey(name)) {
                throw PveError.parameter("delete", "you can't use '-" + name + "' and -revert " + name + "' at the same time");
            }
        }
        for (String name : change.delete()) {
            if (change.set().containsKey(name)) {
                throw PveError.parameter("delete", "you can't use '-" + name + "' and -delete " + name + "' at the same time");
            }
            if (change.revert().contains(name)) {
                throw PveError.parameter("revert", "you can't use '-delete " + name + "' and -revert " + name
                        + "' at the same time");
            }
            if (!schema.knows(name, version.major())) {
                throw PveError.parameter("delete", "unknown option '" + name + "'");
            }
        }
    }

    private static LabVm loaded(World w, String node, int vmid, ConfigChange change) throws PveError {
        LabVm vm = Vms.need(w, node, vmid);
        if (change.digest().filter(digest -> !digest.equals(Vms.digest(vm))).isPresent()) {
            throw PveError.died("checksum mismatch (file change by other user?)");
        }
        if (!change.pastLocks()) {
            Vms.refuseLocked(vm);
        }
        return vm;
    }

    private LabVm apply(World w, Caller who, String node, int vmid, ConfigChange change, List<String> lines)
            throws PveError {
        LabVm vm = loaded(w, node, vmid, change);
        writes.values().refuseMismatch(vm, change);
        for (String name : change.delete()) {
            Optional<String> value = Optional.ofNullable(vm.config.get(name)).or(() -> Optional.ofNullable(vm.running.get(name)));
            if (value.isEmpty()) {
                lines.add("cannot delete '" + name + "' - not set in current configuration!");
                continue;
            }
            writes.allowed().checkValue(who, vmid, name, value.get(), "delete");
            writes.values().refuseProtected(vm, name, value.get());
            remove(vm, name, value.get(), change.force());
        }
        change.revert().forEach(name -> revert(vm, name));
        for (Map.Entry<String, String> entry : new TreeMap<>(change.set()).entrySet()) {
            String name = entry.getKey();
            Optional<String> old = Optional.ofNullable(vm.config.get(name));
            if (old.isPresent()) {
                writes.allowed().checkValue(who, vmid, name, old.get(), "modify");
            }
            writes.allowed().checkValue(who, vmid, name, entry.getValue(), "modify");
            String value = writes.values().stored(w, vm, name, entry.getValue(), change.set().keySet());
            if (!value.equals(entry.getValue()) && Volumes.isAllocation(entry.getValue())) {
                lines.add(name + ": successfully created disk '" + value + "'");
            }
            if (value.isEmpty()) {
                remove(vm, name, old.orElse(""), change.force());
            } else {
                put(vm, name, value);
            }
        }
        return vm;
    }

    private void put(LabVm vm, String name, String value) {
        if (Vms.runs(vm) && writes.values().isTakenAtOnce(vm, name, Optional.of(value))) {
            vm.running.put(name, value);
        }
        vm.config.put(name, value);
    }

    /** A drive's disk stays, as an unused one, unless it is to go with it. */
    private void remove(LabVm vm, String name, String value, boolean withDisk) {
        boolean atOnce = Vms.runs(vm) && writes.values().isTakenAtOnce(vm, name, Optional.empty());
        vm.config.remove(name);
        if (atOnce) {
            vm.running.remove(name);
        }
        if (writes.options().isDrive(name) && !withDisk && Volumes.storage(value).isPresent() && !value.contains("media=cdrom")) {
            String unused = "unused" + Stream.iterate(0, n -> n + 1).filter(n -> !vm.config.containsKey("unused" + n))
                    .findFirst().orElseThrow();
            vm.config.put(unused, Volumes.file(value));
            if (Vms.runs(vm)) {
                vm.running.put(unused, Volumes.file(value));
            }
        }
    }

    private static void revert(LabVm vm, String name) {
        if (!Vms.runs(vm)) {
            return;
        }
        Optional.ofNullable(vm.running.get(name)).ifPresentOrElse(value -> vm.config.put(name, value),
                () -> vm.config.remove(name));
    }

    private static Map<String, List<String>> asParameters(String node, int vmid, ConfigChange change) {
        Map<String, List<String>> parameters = new TreeMap<>();
        change.set().forEach((name, value) -> parameters.put(name, List.of(value)));
        parameters.put("node", List.of(node));
        parameters.put("vmid", List.of(String.valueOf(vmid)));
        return parameters;
    }

    private static String written(ConfigChange change) {
        Stream<String> set = new TreeMap<>(change.set()).entrySet().stream().map(entry -> "-" + entry.getKey() + " "
                + (entry.getKey().equals("cipassword") ? "<hidden>" : entry.getValue()));
        return Stream.concat(change.delete().isEmpty() ? Stream.empty()
                : Stream.of("-delete " + String.join(",", change.delete())), set).collect(Collectors.joining(" "));
    }
}
