package dev.pitwall.lab.proxmox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;

/** How long things take on the lab's Proxmox hosts, in lab time: {@code lab/proxmox/times.yaml}. */
final class Times {
    private final JsonNode seconds;

    Times() {
        try (InputStream in = Times.class.getResourceAsStream("/lab/proxmox/times.yaml")) {
            this.seconds = new YAMLMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException("lab/proxmox/times.yaml cannot be read", e);
        }
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
