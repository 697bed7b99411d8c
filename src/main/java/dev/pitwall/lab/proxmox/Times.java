package dev.pitwall.lab.proxmox;

import com.fasterxml.jackson.databind.JsonNode;

import dev.pitwall.lab.data.DataFile;
import java.time.Duration;

/** How long things take on the lab's Proxmox hosts, in lab time: {@code lab/proxmox/times.yaml}. */
final class Times {
    private final JsonNode seconds;

    Times() {
        this.seconds = DataFile.tree("proxmox/times.yaml");
    }

    /** @throws IllegalArgumentException if the file has no such time */
    Duration of(String name) {
        if (!seconds.path(name).isNumber()) {
            throw new IllegalArgumentException("times.yaml does not have " + name);
        }
        return Duration.ofMillis(Math.round(seconds.path(name).asDouble() * 1000));
    }

    /** A time for each of several, such as GiB. */
    Duration of(String name, double times) {
        return Duration.ofMillis(Math.round(of(name).toMillis() * times));
    }
}
