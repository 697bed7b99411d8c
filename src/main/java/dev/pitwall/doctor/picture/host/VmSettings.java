package dev.pitwall.doctor.picture.host;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.VmReport.Passthrough;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.picture.Picture.Seen;
import dev.pitwall.doctor.sign.SignBook;
import dev.pitwall.read.VmConfig;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a VM with a card needs, and what waits for its next start (facts: proxmox.md 1.7 to 1.9). */
public final class VmSettings implements Check {
    /** A paste of fewer lines is an excerpt, in which a missing setting proves nothing. */
    private static final int WHOLE = 4;
    private static final Set<String> READ_AT_START = Set.of("machine", "bios", "efidisk0", "cpu");

    @Override
    public void look(Picture picture, SignBook book) {
        List<Seen<VmConfig>> vms = picture.outputs(VmConfig.class);
        vms.forEach(vm -> {
            pending(vm, book);
            if (!vm.what().passthrough().isEmpty()) {
                settings(vm, book);
            }
        });
        for (int i = 0; i < vms.size(); i++) {
            for (Seen<VmConfig> other : vms.subList(i + 1, vms.size())) {
                shared(vms.get(i), other, book);
            }
        }
    }

    private static void pending(Seen<VmConfig> vm, SignBook book) {
        vm.what().pending().stream().map(VmConfig.Pending::key)
                .filter(key -> key.startsWith("hostpci") || READ_AT_START.contains(key)).findFirst()
                .ifPresent(key -> new Remark("change-pending", key + " has a new value that is not in force",
                        Map.of("key", key)).in(book, vm, vm.shown("cur " + key, "new " + key, "del " + key, "[PENDING]", key)));
    }

    private static void settings(Seen<VmConfig> vm, SignBook book) {
        Map<String, String> values = vm.what().values();
        boolean whole = values.size() >= WHOLE;
        if (whole) {
            new Remark("vm-config-whole", "the VM's whole configuration was read").in(book, vm);
        }
        String machine = values.getOrDefault("machine", whole ? "i440fx (the default)" : "");
        if (vm.what().passthrough().stream().anyMatch(Passthrough::pcie) && !machine.isEmpty() && !machine.contains("q35")) {
            new Remark("pcie-without-q35", "pcie=1 with machine " + machine, Map.of("machine", machine))
                    .in(book, vm, vm.shown("hostpci", "machine:"));
        }
        if (values.getOrDefault("bios", whole ? "seabios" : "").equals("seabios")) {
            new Remark("bios-with-card", "the VM boots with SeaBIOS").in(book, vm, vm.shown("hostpci", "bios:"));
        }
        if (whole && !values.getOrDefault("balloon", "").equals("0") && values.containsKey("memory")) {
            new Remark("balloon-with-card", "balloon is not 0").in(book, vm, vm.shown("hostpci", "balloon:"));
        }
    }

    private static void shared(Seen<VmConfig> one, Seen<VmConfig> other, SignBook book) {
        boolean same = one.from().equals(other.from());
        one.what().passthrough().stream().map(Passthrough::addresses).flatMap(List::stream).map(PciAddress::slot)
                .filter(slot -> !same && other.what().slots().contains(slot.toString())).findFirst()
                .ifPresent(slot -> new Remark("card-in-two-vms", slot + " stands in " + one.from() + " and in "
                        + other.from(), Map.of("other", other.from()))
                        .in(book, one, one.shown(slot.toString()), other.shown(slot.toString())));
    }
}
