package dev.pitwall.lab.talos;

import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabTalos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The services of a node: Talos's own and those of its extensions. */
final class NodeServices {
    /** @param message the last event, as {@code talosctl services} shows it */
    record State(String id, String state, boolean healthy, String message) {
    }

    private final TalosData data;
    private final ModuleLoader modules;

    NodeServices(TalosData data, ModuleLoader modules) {
        this.data = data;
        this.modules = modules;
    }

    /** In the order of their names. Call inside the world's lock. */
    List<State> of(LabNode node, LabTalos talos) {
        boolean runs = talos.stage.equals("running");
        List<State> states = new ArrayList<>();
        data.services().stream().filter(service -> service.on().equals("all") || node.role.equals("master"))
                .forEach(service -> states.add(own(service.id(), runs)));
        modules.present(talos).flatMap(extension -> extension.services().stream())
                .forEach(id -> states.add(ofExtension(id, talos)));
        states.sort(Comparator.comparing(State::id));
        return states;
    }

    private static State own(String id, boolean runs) {
        boolean stays = runs || List.of("apid", "machined", "containerd").contains(id);
        return stays ? new State(id, "Running", true, id.equals("kubelet") || id.equals("etcd")
                ? "Health check successful" : "Started task " + id)
                : new State(id, "Finished", false, "Service finished successfully");
    }

    /** The NVIDIA services wait for the driver's device files. */
    private static State ofExtension(String id, LabTalos talos) {
        boolean nvidia = id.startsWith("ext-nvidia");
        if (!nvidia || talos.modules.contains("nvidia")) {
            return new State(id, "Running", true, "Started task " + id);
        }
        return new State(id, "Waiting", false, "Waiting for file \"/sys/bus/pci/drivers/nvidia\" to exist");
    }
}
