package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmPowerCycle;

import java.util.Optional;
import java.util.function.Consumer;

/** Finds the way in which a change is made. */
final class Makings {
    private final Systems systems;
    private final Watcher watcher;
    private final Patience patience;

    Makings(Systems systems, Watcher watcher, Patience patience) {
        this.systems = systems;
        this.watcher = watcher;
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
            case CommandChange c -> new CommandMaking(c, systems.machine(c.host()), patience, printed(c.host() + " ssh"));
            case VmConfigChange c -> new VmConfigMaking(c, systems.proxmox(c.node()), printed(c.node() + " api"));
            case MappingChange c -> new MappingMaking(c, systems.proxmox(c.node()));
            case HostReboot c -> new HostRebootMaking(c, new HostWays(c.host(), systems, patience), patience);
            case VmPowerCycle c ->
                    new VmPowerCycleMaking(c, systems.proxmox(c.node()), patience, printed(c.node() + " api"));
        };
    }

    private Consumer<String> printed(String system) {
        return line -> watcher.line(
                new Watcher.Line(patience.now(), system, line, Optional.empty(), Optional.empty()));
    }
}
