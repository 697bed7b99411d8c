package dev.pitwall.card;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One physical GPU, followed through every layer.
 *
 * @param id      stable over restarts: {@code host/0000:01:00}, or {@code node/GPU-…} where no host is known
 * @param host    Proxmox host or bare-metal machine; the node's name where no host is known
 * @param address slot on the host; empty where only the cluster knows the card
 * @param name    short product name, for example {@code RTX A1000}
 * @param uuid    NVIDIA's {@code GPU-…}
 * @param vramMiB size of its memory in MiB
 * @param vm      the VM it is attached to
 * @param node    the Kubernetes node it serves
 * @param server  the model server bound to it
 * @param floors  all ten, from {@link Floor#FIRMWARE} up
 */
public record Card(String id, String host, Optional<PciAddress> address, String name, Optional<String> uuid,
                   OptionalLong vramMiB, Optional<VmRef> vm, Optional<String> node, Optional<String> server,
                   List<FloorStatus> floors) {

    public Card {
        floors = List.copyOf(floors);
        if (floors.size() != Floor.values().length) {
            throw new IllegalArgumentException("a tower has ten floors, not " + floors.size());
        }
    }

    public FloorStatus floor(Floor floor) {
        return floors.get(floor.ordinal());
    }

    /**
     * The floor that explains the card: the lowest that is not settled by its own doing, not by another floor's. Empty
     * when the card is up.
     */
    public Optional<FloorStatus> lowestNotOk() {
        return floors.stream().filter(f -> !f.settled() && f.because().isEmpty()).findFirst()
                .or(() -> floors.stream().filter(f -> !f.settled()).findFirst());
    }

    public record VmRef(int vmid, String name) {
    }
}
