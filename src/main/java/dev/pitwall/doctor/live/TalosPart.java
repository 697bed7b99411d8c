package dev.pitwall.doctor.live;

import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.evidence.Document;
import dev.pitwall.doctor.sign.Hint;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.Talos;
import dev.pitwall.journey.Talos.ResourceType;
import dev.pitwall.journey.change.YamlText;

import java.util.Optional;
import java.util.stream.Collectors;

/** A Talos node by its machine API, as {@code talosctl} shows it. */
final class TalosPart implements LiveEvidence.Part {
    private final Systems systems;
    private final String address;
    private final About about;

    /** @param address as the endpoint knows it */
    TalosPart(Systems systems, String address, About about) {
        this.systems = systems;
        this.address = address;
        this.about = about;
    }

    @Override
    public void gather(Gathered found) throws InterruptedException {
        found.trying(() -> {
            Optional<Talos> talos = systems.talos();
            if (talos.isPresent()) {
                look(talos.get(), found);
            }
        });
    }

    private void look(Talos talos, Gathered found) throws TroubleException, InterruptedException {
        add(found, "version", Hint.COMMAND_OUTPUT, "Server:\n    Tag: " + talos.version(address).tag() + "\n");
        resources(talos, found, ResourceType.EXTENSION);
        resources(talos, found, ResourceType.LOADED_MODULE);
        found.trying(() -> add(found, "dmesg", Hint.DMESG, talos.kernelLog(address)));
        found.trying(() -> add(found, "services", Hint.COMMAND_OUTPUT, talos.services(address).stream()
                .map(s -> s.id() + "  " + s.state() + "  " + s.says() + "\n").collect(Collectors.joining())));
        found.trying(() -> resources(talos, found, ResourceType.SECURITY));
    }

    private void resources(Talos talos, Gathered found, ResourceType type) throws TroubleException, InterruptedException {
        add(found, "get " + type.word() + " -o yaml", Hint.COMMAND_OUTPUT, talos.list(address, type).stream()
                .map(r -> "node: " + address + "\nmetadata:\n    type: " + type.type() + "\n    id: " + r.id() + "\nspec:\n"
                        + YamlText.of(r.spec()).indent(4) + "---\n").collect(Collectors.joining()));
    }

    private void add(Gathered found, String command, Hint hint, String text) {
        if (!text.isBlank()) {
            found.add(Document.text("talosctl -n " + address + " " + command, hint, about, text));
        }
    }
}
