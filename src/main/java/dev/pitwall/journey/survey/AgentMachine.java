package dev.pitwall.journey.survey;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.Proxmox.Call;
import dev.pitwall.journey.Proxmox.Method;
import dev.pitwall.journey.Ran;
import dev.pitwall.journey.change.Content;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** A guest as its agent lets it be read: commands run and files are read, and nothing is written. */
final class AgentMachine implements Machine {
    private static final Duration PAUSE = Duration.ofMillis(250);

    private final Proxmox proxmox;
    private final VmSurvey vm;
    private final String path;

    AgentMachine(Proxmox proxmox, VmSurvey vm) {
        this.proxmox = proxmox;
        this.vm = vm;
        this.path = "nodes/" + vm.node() + "/qemu/" + vm.vmid() + "/agent/";
    }

    @Override
    public String name() {
        return vm.name();
    }

    /** The command is one word a key, which every version of Proxmox takes as a list (facts: proxmox.md 1.1, 1.13). */
    @Override
    public Ran run(List<String> arguments, Duration limit, Consumer<String> lines)
            throws TroubleException, InterruptedException {
        long start = System.nanoTime();
        String pid = proxmox.answer(new Call(Method.POST, path + "exec", Map.of("command", arguments))).path("pid").asText();
        while (true) {
            JsonNode status = proxmox.get(path + "exec-status", Map.of("pid", pid));
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            if (status.path("exited").asInt() != 0) {
                OptionalInt exit = status.has("exitcode") ? OptionalInt.of(status.path("exitcode").asInt())
                        : OptionalInt.empty();
                return new Ran(exit, status.path("out-data").asText(), status.path("err-data").asText(), took);
            }
            if (took.compareTo(limit) > 0) {
                throw new TroubleException(new Trouble(Trouble.Kind.TIMEOUT, String.join(" ", arguments) + " in VM "
                        + vm.vmid(), "it has not ended in the guest", "See inside the guest what it waits for."));
            }
            Thread.sleep(PAUSE);
        }
    }

    @Override
    public Content read(String file) throws TroubleException, InterruptedException {
        Ran ran = run("cat", file);
        return ran.ok() ? Content.of(ran.output()) : Content.ABSENT;
    }

    @Override
    public void write(String file, Content content, String copyBefore) throws TroubleException {
        throw new TroubleException(new Trouble(Trouble.Kind.MISSING, vm.name(), "the site has no shell of this guest",
                "Add it to the site."));
    }

    @Override
    public void close() {
        // The API is its systems'.
    }
}
