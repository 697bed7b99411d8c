package dev.pitwall.journey.survey;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Source;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.Proxmox.Call;
import dev.pitwall.journey.Proxmox.Method;
import dev.pitwall.journey.Ran;
import dev.pitwall.journey.Systems;
import dev.pitwall.read.LspciReader;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Looks at the PCI devices of a running guest from its inside: through its agent, else through a shell that the site
 * has of it. Kept as {@link Showing#GUEST}.
 */
final class InsideGuest {
    private static final List<String> LSPCI = List.of("lspci", "-nnk");
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration PAUSE = Duration.ofMillis(250);

    private final Systems systems;
    private final Proxmox proxmox;
    private final String node;
    private final String vm;
    private final Looking looking;
    private final InstantSource clock;

    /** @param vm path of the VM in the API */
    InsideGuest(Systems systems, Proxmox proxmox, String node, String vm, Looking looking, InstantSource clock) {
        this.systems = systems;
        this.proxmox = proxmox;
        this.node = node;
        this.vm = vm;
        this.looking = looking;
        this.clock = clock;
    }

    /**
     * Whether the agent answers; empty where that may not be asked.
     *
     * @throws TroubleException if the API itself does not answer
     */
    Optional<Boolean> agent() throws TroubleException, InterruptedException {
        String path = vm + "/agent/ping";
        try {
            proxmox.answer(Call.of(Method.POST, path, Map.of()));
            looking.keep(Showing.AGENT.key(), shown("POST /" + path, "answers", true));
            return Optional.of(true);
        } catch (TroubleException e) {
            looking.keep(Showing.AGENT.key(), shown("POST /" + path, e.trouble().what(), false));
            return silent(e) ? Optional.of(false) : Optional.empty();
        }
    }

    /** The agent's silence is the guest's; that the caller may not ask it is not. */
    private static boolean silent(TroubleException e) throws TroubleException {
        return switch (e.trouble().kind()) {
            case GUEST, REMOTE -> true;
            case RIGHTS, PROTOCOL, MISSING -> false;
            default -> throw e;
        };
    }

    /** The command is one word a key, which every version of Proxmox takes as a list (facts: proxmox.md 1.1, 1.13). */
    Optional<List<PciFunction>> throughAgent() throws TroubleException, InterruptedException {
        String path = vm + "/agent/exec";
        try {
            JsonNode started = proxmox.answer(new Call(Method.POST, path, Map.of("command", LSPCI)));
            return ended(started.path("pid").asText()).flatMap(status -> functions(status, path));
        } catch (TroubleException e) {
            looking.keep(Showing.GUEST.key(), shown("POST /" + path, e.trouble().what(), false));
            silent(e);
            return Optional.empty();
        }
    }

    private Optional<JsonNode> ended(String pid) throws TroubleException, InterruptedException {
        long start = System.nanoTime();
        while (Duration.ofNanos(System.nanoTime() - start).compareTo(LIMIT) < 0) {
            JsonNode status = proxmox.get(vm + "/agent/exec-status", Map.of("pid", pid));
            if (status.path("exited").asInt() != 0) {
                return Optional.of(status);
            }
            Thread.sleep(PAUSE);
        }
        looking.keep(Showing.GUEST.key(), shown("GET /" + vm + "/agent/exec-status", "lspci has not ended in the guest",
                false));
        return Optional.empty();
    }

    private Optional<List<PciFunction>> functions(JsonNode status, String path) {
        String out = status.path("out-data").asText();
        boolean whole = status.path("exitcode").asInt(-1) == 0 && status.path("out-truncated").asInt(0) == 0;
        looking.keep(Showing.GUEST.key(), shown("POST /" + path + " command=" + String.join(" ", LSPCI),
                out + status.path("err-data").asText(), whole));
        return whole ? Optional.of(new LspciReader().read(Looking.whole(out)).devices()) : Optional.empty();
    }

    /**
     * Through the site's shell of the guest: the one with its system UUID. A shell that does not answer is passed over.
     *
     * @param name of the VM; its shell is asked first
     */
    Optional<List<PciFunction>> throughShell(String name, Optional<String> uuid)
            throws TroubleException, InterruptedException {
        Optional<Machine> machine = new GuestShells(systems).of(name, uuid);
        if (machine.isEmpty()) {
            return Optional.empty();
        }
        try {
            Ran ran = looking.run(machine.get(), Showing.GUEST.key(), LSPCI.toArray(String[]::new));
            return ran.ok() ? Optional.of(new LspciReader().read(Looking.whole(ran.output())).devices())
                    : Optional.empty();
        } catch (TroubleException e) {
            looking.keep(Showing.GUEST.key(), new Shown(
                    new Source(Source.Kind.SSH, machine.get().name(), String.join(" ", LSPCI)),
                    clock.instant(), e.trouble().what(), false));
            return Optional.empty();
        }
    }

    private Shown shown(String call, String raw, boolean ok) {
        return new Shown(new Source(Source.Kind.PROXMOX, node, call), clock.instant(), raw, ok);
    }
}
