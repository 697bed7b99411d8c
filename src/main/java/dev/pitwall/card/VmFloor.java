package dev.pitwall.card;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What Proxmox says about the VM that has the card, or should have it. */
final class VmFloor {
    private final FloorTexts texts;

    VmFloor(FloorTexts texts) {
        this.texts = texts;
    }

    Finding vm(CardPlace place) {
        return switch (place.substrate()) {
            case UNSEEN -> Finding.own(FloorState.NOT_APPLICABLE, texts.say("vm.unseen"));
            case HIDDEN -> place.hostApi().map(api -> Finding.own(FloorState.UNKNOWN,
                    api.pending() ? texts.say("reading") : "").on(api)).orElseThrow();
            case BARE_METAL -> Finding.own(FloorState.NOT_APPLICABLE, texts.say("vm.metal"));
            case PROXMOX -> place.hostApi().map(api -> api.value().isPresent()
                            ? onProxmox(place, api).on(api)
                            : Finding.own(FloorState.UNKNOWN, texts.say("reading")).on(api))
                    .orElse(Finding.own(FloorState.UNKNOWN, texts.say("vm.noApi")));
        };
    }

    private Finding onProxmox(CardPlace place, Observed<HostReport> api) {
        if (place.worker().isEmpty()) {
            return Finding.own(FloorState.BLOCKED, texts.say("vm.none"));
        }
        VmReport vm = place.worker().get();
        List<Reading> readings = new ArrayList<>(holderReadings(place, vm, api));
        readings.addAll(readings(place, vm, api));
        return judge(place, vm, api).with(readings);
    }

    private Finding judge(CardPlace place, VmReport vm, Observed<HostReport> api) {
        List<VmReport.Passthrough> entries = entriesFor(place, vm, api);
        boolean q35 = vm.machine().filter(m -> m.contains("q35")).isPresent();
        if (place.holder().filter(h -> h.vmid() != vm.vmid()).isPresent()) {
            return ownedByOther(place.holder().get());
        }
        Optional<Finding> broken = brokenMapping(place, entries, api);
        if (broken.isPresent()) {
            return broken.get();
        }
        if (vm.status() == VmReport.Status.RUNNING && waitsForPowerCycle(vm)) {
            return pending(vm);
        }
        if (!q35 && entries.stream().anyMatch(VmReport.Passthrough::pcie)) {
            return Finding.failing("vm-machine-not-q35",
                    texts.say("vm.notQ35", vm.vmid(), vm.machine().orElse("i440fx")));
        }
        return switch (vm.status()) {
            case STOPPED -> Finding.own(FloorState.BLOCKED, texts.say("vm.stopped", vm.vmid(), vm.name()));
            case UNKNOWN -> Finding.own(FloorState.UNKNOWN, texts.say("vm.unknown", vm.vmid()));
            case PAUSED -> Finding.own(FloorState.BLOCKED, texts.say(vm.lock().isPresent() ? "vm.pausedBy" : "vm.paused",
                    vm.vmid(), vm.lock().orElse("")));
            case RUNNING -> running(place, vm, entries);
        };
    }

    private Finding running(CardPlace place, VmReport vm, List<VmReport.Passthrough> entries) {
        if (place.holder().isEmpty()) {
            return pending(vm);
        }
        String keys = entries.stream().map(VmReport.Passthrough::key).distinct().collect(Collectors.joining(", "));
        return Finding.ok(texts.say("vm.running", vm.vmid(), machine(vm), keys));
    }

    private Finding pending(VmReport vm) {
        return Finding.own(FloorState.BLOCKED, texts.say("vm.pending", vm.vmid(),
                String.join(", ", vm.pendingKeys()))).trapped("vm-change-pending-power-cycle");
    }

    /** Only changes of these keys need a full stop and start; Proxmox never hot-plugs them. */
    private static boolean waitsForPowerCycle(VmReport vm) {
        return vm.pendingKeys().stream().anyMatch(k -> k.startsWith("hostpci") || k.equals("machine")
                || k.equals("bios") || k.startsWith("efidisk"));
    }

    private Finding ownedByOther(VmReport holder) {
        return Finding.own(FloorState.BLOCKED, texts.say("vm.other", holder.vmid(), holder.name()))
                .trapped("gpu-owned-by-other-vm");
    }

    /** Group and subsystem are optional in Proxmox's schema, but the VM does not start without them. */
    private Optional<Finding> brokenMapping(CardPlace place, List<VmReport.Passthrough> entries,
                                            Observed<HostReport> api) {
        return entries.stream().flatMap(e -> e.mapping().stream()).findFirst().flatMap(id -> {
            List<HostReport.PciMapping> here = api.value().map(HostReport::mappings).map(m -> m.get(id))
                    .orElse(List.of());
            return here.stream().anyMatch(m -> m.iommuGroup().isEmpty() || m.subsystemId().isEmpty())
                    && place.holder().isEmpty()
                    ? Optional.of(Finding.failing("pci-mapping-incomplete", texts.say("vm.mapping", id)))
                    : Optional.empty();
        });
    }

    private static List<VmReport.Passthrough> entriesFor(CardPlace place, VmReport vm, Observed<HostReport> api) {
        PciAddress slot = place.slot().orElseThrow();
        List<VmReport.Passthrough> configured = vm.passthrough().stream()
                .filter(e -> Inventory.addressesOf(e, api).stream().anyMatch(slot::sameSlot)).toList();
        return configured.isEmpty() ? vm.runningPassthrough().stream()
                .filter(e -> Inventory.addressesOf(e, api).stream().anyMatch(slot::sameSlot)).toList() : configured;
    }

    private static String machine(VmReport vm) {
        return vm.machine().filter(m -> m.contains("q35")).map(m -> "q35").orElse("i440fx");
    }

    /** Who has the card instead, what it runs and since when it is up, in seconds: the deciding facts, so they come first. */
    private static List<Reading> holderReadings(CardPlace place, VmReport vm, Observed<HostReport> api) {
        return place.holder().filter(h -> h.vmid() != vm.vmid()).map(holder -> {
            Instant at = api.at().orElse(Instant.EPOCH);
            String base = "GET /nodes/" + place.host() + "/qemu/" + holder.vmid();
            Source config = new Source(Source.Kind.PROXMOX, api.system(), base + "/config");
            Source status = new Source(Source.Kind.PROXMOX, api.system(), base + "/status/current");
            Optional<String> uptime = holder.uptimeSeconds().isPresent()
                    ? Optional.of(holder.uptimeSeconds().getAsLong() + " s") : Optional.empty();
            return List.of(Reading.of("holder", "VM " + holder.vmid() + " " + holder.name(), config, at),
                    new Reading("ostype", holder.osType(), config, at), new Reading("uptime", uptime, status, at));
        }).orElse(List.of());
    }

    private List<Reading> readings(CardPlace place, VmReport vm, Observed<HostReport> api) {
        Instant at = api.at().orElse(Instant.EPOCH);
        String base = "GET /nodes/" + place.host() + "/qemu/" + vm.vmid();
        Source config = new Source(Source.Kind.PROXMOX, api.system(), base + "/config");
        Source status = new Source(Source.Kind.PROXMOX, api.system(), base + "/status/current");
        List<Reading> readings = new ArrayList<>();
        readings.add(Reading.of("status", vm.status().name().toLowerCase(Locale.ROOT), status, at));
        readings.add(new Reading("machine", vm.machine(), config, at));
        readings.add(Reading.of("bios", vm.bios(), config, at));
        readings.add(new Reading("SMBIOS UUID", vm.smbiosUuid(), config, at));
        vm.passthrough().forEach(e -> readings.add(Reading.of(e.key(), e.mapping().map(m -> "mapping " + m)
                .orElseGet(() -> e.addresses().stream().map(PciAddress::toString).collect(Collectors.joining(";"))),
                config, at)));
        if (!vm.pendingKeys().isEmpty()) {
            readings.add(Reading.of("pending", String.join(", ", vm.pendingKeys()),
                    new Source(Source.Kind.PROXMOX, api.system(), base + "/pending"), at));
        }
        return readings;
    }
}
