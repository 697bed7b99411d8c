package dev.pitwall.ui.run;

import dev.pitwall.card.Floor;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.ModelAsk;
import dev.pitwall.journey.change.ModelChange;
import dev.pitwall.journey.change.NodeReboot;
import dev.pitwall.journey.change.PackageChange;
import dev.pitwall.journey.change.PodRestart;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.journey.change.TalosConfigChange;
import dev.pitwall.journey.change.TalosUpgrade;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmCreation;
import dev.pitwall.journey.change.VmPowerCycle;
import dev.pitwall.journey.change.VmRemoval;
import dev.pitwall.ui.shell.Subject;
import java.util.Comparator;
import java.util.Optional;

/** Where a run has to do with the card that it is of. */
public final class RunPlace {

    private RunPlace() {
    }

    /** The card and the highest floor that the run changes something on; empty for a run of no card. */
    public static Optional<Subject> of(RunRecord run) {
        return run.card().map(card -> new Subject(card.id(), run.changes().stream().map(c -> floor(c.change()))
                .max(Comparator.naturalOrder()).orElse(Floor.VFIO)));
    }

    private static Floor floor(Change change) {
        return switch (change) {
            case VmConfigChange _, VmPowerCycle _, VmCreation _, VmRemoval _, MappingChange _ -> Floor.VM;
            case FileChange _, CommandChange _, HostReboot _ -> Floor.VFIO;
            case ManifestChange _, HelmChange _ -> Floor.DISCOVERY;
            case PodRestart _ -> Floor.PLUGIN;
            case PackageChange _, NodeReboot _, TalosUpgrade _, TalosConfigChange _ -> Floor.DRIVER;
            case PodRun _ -> Floor.PROOF;
            case ModelChange _, ModelAsk _ -> Floor.SERVER;
        };
    }
}
