package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.change.HostReboot.Guest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The VMs and containers that run on a node now, and so stop with it. */
final class RunningGuests {
    private final Proxmox proxmox;
    private final String node;

    RunningGuests(Proxmox proxmox, String node) {
        this.proxmox = proxmox;
        this.node = node;
    }

    /** In the order of their ids. */
    List<Guest> read() throws TroubleException, InterruptedException {
        List<Guest> guests = new ArrayList<>();
        for (String type : List.of("qemu", "lxc")) {
            String path = "nodes/" + node + "/" + type;
            for (JsonNode guest : proxmox.get(path)) {
                if (guest.path("status").asText().equals("running")) {
                    int id = guest.path("vmid").asInt();
                    guests.add(new Guest(id, guest.path("name").asText(), onboot(path + "/" + id)));
                }
            }
        }
        guests.sort(Comparator.comparingInt(Guest::id));
        return guests;
    }

    private boolean onboot(String guest) throws TroubleException, InterruptedException {
        return proxmox.ifThere(guest + "/config").map(c -> c.path("onboot").asInt() == 1).orElse(false);
    }
}
