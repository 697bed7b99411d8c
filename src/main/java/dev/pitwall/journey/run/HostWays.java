package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.Ran;
import dev.pitwall.journey.Systems;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The ways into one host, as far as the site has them: its shell, and the API of its Proxmox. */
final class HostWays {
    private static final String BOOT_ID = "/proc/sys/kernel/random/boot_id";

    private final String host;
    private final Systems systems;
    private final Patience patience;

    HostWays(String host, Systems systems, Patience patience) {
        this.host = host;
        this.systems = systems;
        this.patience = patience;
    }

    Optional<Machine> shell() throws TroubleException {
        try {
            return Optional.of(systems.machine(host));
        } catch (TroubleException e) {
            return absent(e);
        }
    }

    Optional<Proxmox> api() throws TroubleException, InterruptedException {
        try {
            return Optional.of(systems.proxmox(host));
        } catch (TroubleException e) {
            return absent(e);
        }
    }

    private static <T> Optional<T> absent(TroubleException e) throws TroubleException {
        if (e.trouble().kind() == Trouble.Kind.MISSING) {
            return Optional.empty();
        }
        throw e;
    }

    /** Runs a command whose output nobody needs. */
    void run(List<String> arguments) throws TroubleException, InterruptedException {
        Ran ran = systems.machine(host).run(arguments, Duration.ofSeconds(30), line -> { });
        // A reboot may end the session before the exit code is sent.
        if (ran.exit().isPresent() && !ran.ok()) {
            throw Refusal.failed(String.join(" ", arguments) + " on " + host, "it failed: " + ran.lastWords(),
                    "Run it by hand on " + host + ".");
        }
    }

    /** The boot that the host runs in now: by its boot id if it has a shell, else by the moment it began. */
    Boot boot() throws TroubleException, InterruptedException {
        Optional<Machine> shell = shell();
        if (shell.isPresent()) {
            return new Boot.Id(bootId(shell.get()));
        }
        long uptime = status().path("uptime").asLong();
        return new Boot.Began(patience.now().minusSeconds(uptime));
    }

    private String bootId(Machine shell) throws TroubleException, InterruptedException {
        Ran ran = shell.run("cat", BOOT_ID);
        if (!ran.ok() || ran.output().isBlank()) {
            throw Refusal.failed(BOOT_ID + " on " + host, "it cannot be read, so a reboot could not be told",
                    "Read it by hand on " + host + ".");
        }
        return ran.output().strip();
    }

    private JsonNode status() throws TroubleException, InterruptedException {
        return systems.proxmox(host).get("nodes/" + host + "/status");
    }

    /** @throws TroubleException while the API does not answer for the host */
    void apiAnswers() throws TroubleException, InterruptedException {
        if (api().isPresent()) {
            status();
        }
    }
}
