package dev.pitwall.read;

import dev.pitwall.card.PciFunction;

import java.util.List;

/** What {@code lspci} printed, in its order. A paste of two machines may hold one address twice. */
public record PciListing(List<PciFunction> devices, List<String> notes) implements Understood {
    public PciListing {
        devices = List.copyOf(devices);
        notes = List.copyOf(notes);
    }

    @Override
    public Kind kind() {
        return Kind.LSPCI;
    }
}
