package dev.pitwall.journey.survey;

import dev.pitwall.card.SystemUuid;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Systems;
import dev.pitwall.site.Together;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Finds the shell of a VM's inside among those of a site: the one with its system UUID. */
final class GuestShells {
    private final Systems systems;

    GuestShells(Systems systems) {
        this.systems = systems;
    }

    /**
     * A shell that does not answer is passed over, but for the one with the VM's name, which may still be starting.
     *
     * @param name of the VM; its shell is asked first
     * @param uuid of its SMBIOS; where it has none, the name alone tells
     */
    Optional<Machine> of(String name, Optional<String> uuid) throws TroubleException, InterruptedException {
        return uuid.isPresent() ? byUuid(name, uuid.get()) : byName(name);
    }

    private Optional<Machine> byName(String name) throws TroubleException {
        return systems.nodeShells().contains(name) ? Optional.of(systems.machine(name)) : Optional.empty();
    }

    private Optional<Machine> byUuid(String name, String uuid) throws TroubleException, InterruptedException {
        Optional<Machine> named = byName(name);
        if (named.isPresent() && identity(named.get(), uuid) != Identity.OTHER) {
            return named;
        }
        List<Callable<Optional<Machine>>> questions = systems.nodeShells().stream().filter(n -> !n.equals(name))
                .<Callable<Optional<Machine>>>map(n -> () -> {
                    Machine machine = systems.machine(n);
                    return identity(machine, uuid) == Identity.SAME ? Optional.of(machine) : Optional.empty();
                }).toList();
        return Together.all(questions).stream().flatMap(Optional::stream).findFirst();
    }

    private enum Identity { SAME, OTHER, SILENT }

    private static Identity identity(Machine machine, String uuid) throws InterruptedException {
        try {
            String own = machine.run("cat", "/sys/class/dmi/id/product_uuid").output().strip();
            return SystemUuid.same(own, uuid) ? Identity.SAME : Identity.OTHER;
        } catch (TroubleException e) {
            return Identity.SILENT;
        }
    }
}
