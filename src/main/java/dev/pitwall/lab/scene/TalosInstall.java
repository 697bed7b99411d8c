package dev.pitwall.lab.scene;

import dev.pitwall.lab.talos.MachineConfig;
import dev.pitwall.lab.talos.Schematic;
import dev.pitwall.lab.world.LabTalos;
import dev.pitwall.lab.world.World;

/** A Talos node as it was installed: its image came from the factory, its configuration names that image. */
final class TalosInstall {
    private TalosInstall() {
    }

    /** Call inside {@link World#change}. */
    static LabTalos of(World world, String cluster, Scene.NodeKind kind, Scene.Talos from) {
        Schematic schematic = Schematic.of(from.extensions());
        world.schematics.put(schematic.id(), schematic.canonical());
        LabTalos talos = new LabTalos(from.version(), schematic.id(), from.extensions());
        talos.modules.addAll(from.modules());
        talos.config = MachineConfig.installed(new MachineConfig.Installation(cluster,
                kind.role().equals("master") ? "controlplane" : "worker", kind.kubelet(), talos.schematic,
                talos.version, from.modules(), kind.labels()));
        talos.savedConfig = talos.config;
        return talos;
    }
}
