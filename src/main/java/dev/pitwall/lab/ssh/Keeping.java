package dev.pitwall.lab.ssh;

import dev.pitwall.lab.world.LabSystem;
import dev.pitwall.lab.world.World;

import java.util.Map;
import java.util.TreeMap;

/** Where a machine's files and system are kept: in the world, or here where the world does not know the machine. */
final class Keeping {
    private final String machine;
    private final LabSystem ownSystem = new LabSystem();
    private final Map<String, byte[]> ownFiles = new TreeMap<>();

    Keeping(String machine) {
        this.machine = machine;
    }

    LabSystem system(World world) {
        return world.system(machine).orElse(ownSystem);
    }

    Map<String, byte[]> files(World world) {
        return world.files(machine).orElse(ownFiles);
    }
}
