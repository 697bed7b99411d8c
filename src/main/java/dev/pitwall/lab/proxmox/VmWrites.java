package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.World;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What everybody needs who writes configurations of VMs: the world, its tasks and locks, and the rules for options and
 * their values.
 */
record VmWrites(World world, Changes changes, Tasks tasks, VmLocks locks, Rights rights, ConfigOptions options,
                ConfigRights allowed, ConfigValues values, Times times) {

    static VmWrites of(World world, Tasks tasks, VmLocks locks, Rights rights, ConfigOptions options, Times times) {
        return new VmWrites(world, new Changes(world), tasks, locks, rights, options, new ConfigRights(rights, options),
                new ConfigValues(options), times);
    }

    /** @throws PveError if the lab cannot do what one of the options asks for */
    void refuseMissing(Set<String> names) throws PveError {
        Optional<String> missing = names.stream().filter(options::isNotInTheLab).findFirst();
        if (missing.isPresent()) {
            throw PveError.notInTheLab("do what '" + missing.get() + "' asks for");
        }
    }

    /** @throws PveError if a drive gets a new disk on a storage where the caller may not have space */
    void needSpace(Caller who, Map.Entry<String, String> option) throws PveError {
        if (options.isDrive(option.getKey()) && Volumes.isAllocation(option.getValue())) {
            rights.need(who, "/storage/" + Volumes.storage(option.getValue()).orElse(""), "Datastore.AllocateSpace");
        }
    }
}
