package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmCreation;
import dev.pitwall.journey.change.VmPowerCycle;
import dev.pitwall.journey.change.VmRemoval;

/** Finds the way in which a change is made. */
final class Makings {
    private final Systems systems;
    private final Patience patience;

    Makings(Systems systems, Patience patience) {
        this.systems = systems;
        this.patience = patience;
    }

    /** For a change that is only judged, or of a run that keeps no copies. */
    Making of(Change change) throws TroubleException, InterruptedException {
        return of(change, "");
    }

    /** @param copies the folder of a host under which a file is copied before it changes; empty text for no copy */
    Making of(Change change, String copies) throws TroubleException, InterruptedException {
        return switch (change) {
            case FileChange c ->
                    new FileMaking(c, systems.machine(c.host()), copies.isEmpty() ? "" : copies + c.path());
            case CommandChange c -> new CommandMaking(c, systems.machine(c.host()), patience);
            case VmConfigChange c -> new VmConfigMaking(c, systems.proxmox(c.node()));
            case VmCreation c -> new VmCreationMaking(c, systems.proxmox(c.node()));
            case VmRemoval c -> new VmRemovalMaking(c, systems.proxmox(c.node()));
            case MappingChange c -> new MappingMaking(c, systems.proxmox(c.node()));
            case HostReboot c -> new HostRebootMaking(c, new HostWays(c.host(), systems, patience), patience);
            case VmPowerCycle c -> new VmPowerCycleMaking(c, systems.proxmox(c.node()), patience);
        };
    }
}
