package dev.pitwall.card;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What the physical machine says: firmware and VFIO. */
final class HostFloors {
    /** Drivers of the functions of an NVIDIA card that belong to the host, not to passthrough. */
    private static final Set<String> NOT_IN_THE_WAY = Set.of("vfio-pci", "");

    private final FloorTexts texts;

    HostFloors(FloorTexts texts) {
        this.texts = texts;
    }

    Finding firmware(CardPlace place) {
        return switch (place.substrate()) {
            case UNSEEN -> Finding.own(FloorState.NOT_APPLICABLE, texts.say("firmware.unseen"));
            case HIDDEN -> place.hostApi().map(this::reading).orElseThrow();
            case BARE_METAL -> place.hostShell().map(shell -> shell.value()
                    .map(m -> bareMetalFirmware(m, shell)).orElse(reading(shell)))
                    .orElse(Finding.own(FloorState.UNKNOWN, texts.say("firmware.noShell")));
            case PROXMOX -> proxmoxFirmware(place);
        };
    }

    private Finding bareMetalFirmware(MachineReport machine, Observed<MachineReport> shell) {
        Reading secureBoot = new Reading("Secure Boot", machine.secureBoot().map(on -> on ? "on" : "off"),
                ssh(shell, "mokutil --sb-state"), at(shell));
        String summary = machine.secureBoot()
                .map(on -> texts.say(on ? "firmware.metal.secureBootOn" : "firmware.metal.secureBootOff"))
                .orElse(texts.say("firmware.metal"));
        return Finding.ok(summary).with(secureBoot).on(shell);
    }

    private Finding proxmoxFirmware(CardPlace place) {
        Optional<Observed<MachineReport>> shell = place.hostShell().filter(s -> s.value().isPresent());
        Optional<Observed<HostReport>> api = place.hostApi();
        if (api.flatMap(Observed::value).filter(HostFloors::withoutVirtualization).isPresent()) {
            return Finding.failing("virtualization-extensions-off", texts.say("firmware.noVirtualization"))
                    .with(new Reading("cpu flags", Optional.of("neither vmx nor svm"),
                            proxmox(api.get(), "GET /nodes/" + place.host() + "/status"), at(api.get())))
                    .on(api.get());
        }
        boolean shellBetter = shell.isPresent() && (shell.get().live() || api.isEmpty() || !api.get().live());
        if (shellBetter) {
            return firmwareByShell(shell.get().value().orElseThrow(), shell.get());
        }
        return api.map(a -> a.value().map(h -> firmwareByApi(place, a)).orElse(reading(a)))
                .orElse(Finding.own(FloorState.UNKNOWN, texts.say("firmware.noSource")));
    }

    /** An empty list says nothing: older versions leave the flags out. */
    private static boolean withoutVirtualization(HostReport host) {
        return !host.cpuFlags().isEmpty() && !host.cpuFlags().contains("vmx") && !host.cpuFlags().contains("svm");
    }

    private Finding firmwareByShell(MachineReport machine, Observed<MachineReport> shell) {
        List<Reading> readings = List.of(
                Reading.of("IOMMU units", orNone(machine.iommuUnits()), ssh(shell, "ls /sys/class/iommu"), at(shell)),
                Reading.of("ACPI tables", orNone(machine.acpiTables()), ssh(shell, "ls /sys/firmware/acpi/tables"),
                        at(shell)),
                Reading.of("kernel command line", machine.commandLine(), ssh(shell, "cat /proc/cmdline"), at(shell)),
                Reading.of("IOMMU groups", String.valueOf(machine.groups().values().stream().distinct().count()),
                        ssh(shell, "find /sys/kernel/iommu_groups -type l"), at(shell)));
        // Proxmox itself tests /sys/class/iommu; "DMAR: IOMMU enabled" is printed even with VT-d off in firmware.
        if (!machine.iommuUnits().isEmpty() && !machine.groups().isEmpty()) {
            return Finding.ok(texts.say("firmware.on", technology(machine))).with(readings).on(shell);
        }
        return Finding.failing("iommu-off", texts.say(machine.acpiTables().isEmpty()
                ? "firmware.off.firmware" : "firmware.off.kernel")).with(readings).on(shell);
    }

    private String technology(MachineReport machine) {
        if (machine.acpiTables().contains("DMAR")) {
            return texts.say("firmware.vtd");
        }
        if (machine.acpiTables().contains("IVRS")) {
            return texts.say("firmware.amdvi");
        }
        return String.join(", ", machine.iommuUnits());
    }

    /** The API knows only groups; a function without one has -1. */
    private Finding firmwareByApi(CardPlace place, Observed<HostReport> api) {
        Reading groups = Reading.of("IOMMU group",
                place.groups().isEmpty() ? "none" : numbers(place.groups()),
                proxmox(api, "GET /nodes/" + place.host() + "/hardware/pci"), at(api));
        return (place.groups().isEmpty()
                ? Finding.failing("iommu-off", texts.say("firmware.off.unknown"))
                : Finding.ok(texts.say("firmware.onByApi"))).with(groups).on(api);
    }

    Finding vfio(CardPlace place) {
        return switch (place.substrate()) {
            case UNSEEN -> Finding.own(FloorState.NOT_APPLICABLE, texts.say("vfio.unseen"));
            case HIDDEN -> place.hostApi().map(this::reading).orElseThrow();
            case BARE_METAL -> Finding.own(FloorState.NOT_APPLICABLE, texts.say("vfio.metal"));
            case PROXMOX -> proxmoxVfio(place);
        };
    }

    private Finding proxmoxVfio(CardPlace place) {
        if (place.groups().isEmpty()) {
            return Finding.waitsFor(Floor.FIRMWARE).on(best(place));
        }
        Optional<Finding> foreign = foreignInGroup(place);
        if (foreign.isPresent()) {
            return foreign.get();
        }
        return place.hostShell().filter(s -> s.value().isPresent())
                .map(shell -> vfioByShell(place, shell)).orElseGet(() -> vfioByApi(place));
    }

    private Finding vfioByShell(CardPlace place, Observed<MachineReport> shell) {
        List<Reading> readings = new ArrayList<>();
        for (PciFunction f : place.functions()) {
            readings.add(Reading.of("driver of " + f.address(), f.driver().orElse("none"), ssh(shell, "lspci -nnkD"),
                    at(shell)));
        }
        if (place.functions().stream().anyMatch(f -> f.revision().filter("ff"::equals).isPresent())) {
            // A running VM had the card when it started, so it was lost since; else it was never woken.
            return Finding.failing(place.holder().isPresent() ? NodeFloors.LOST : "gpu-stuck-d3", texts.say("vfio.dead"))
                    .with(readings).on(shell);
        }
        List<PciFunction> held = place.functions().stream()
                .filter(f -> !NOT_IN_THE_WAY.contains(f.driver().orElse(""))).toList();
        if (held.isEmpty()) {
            boolean bound = place.functions().stream().anyMatch(f -> f.driver().isPresent());
            String group = numbers(place.groups());
            return Finding.ok(bound ? texts.say("vfio.holds", functions(place.functions().size()), group)
                    : texts.say("vfio.unbound", group)).with(readings).on(shell);
        }
        String drivers = held.stream().map(f -> f.driver().orElse("")).distinct().collect(Collectors.joining(", "));
        if (place.hostApi().flatMap(Observed::value).isEmpty()) {
            return Finding.own(FloorState.UNKNOWN, texts.say("vfio.hostDriverMaybe", drivers)).with(readings).on(shell);
        }
        return place.worker().isPresent()
                ? Finding.failing("host-driver-holds-passthrough-gpu", texts.say("vfio.hostDriver", drivers))
                        .with(readings).on(shell)
                : Finding.own(FloorState.BLOCKED, texts.say("vfio.notHandedOver", drivers)).with(readings).on(shell);
    }

    /** The API tells no driver, but Proxmox has bound everything a running VM has. */
    private Finding vfioByApi(CardPlace place) {
        Observed<HostReport> api = place.hostApi().orElseThrow();
        String group = numbers(place.groups());
        return place.holder()
                .map(vm -> Finding.ok(texts.say("vfio.inferred", vm.vmid(), group)).with(Reading.of("held by",
                        "VM " + vm.vmid() + ", running", proxmox(api, "GET /nodes/" + place.host() + "/qemu/"
                                + vm.vmid() + "/config?current=1"), at(api))))
                .orElseGet(() -> Finding.own(FloorState.UNKNOWN, texts.say("vfio.noShell", place.host())))
                .on(api);
    }

    /** Proxmox binds every device of the group except bridges at VM start, whether or not the VM names it. */
    private Optional<Finding> foreignInGroup(CardPlace place) {
        List<PciFunction> all = place.hostShell().flatMap(Observed::value).map(m -> m.functions().stream()
                        .map(f -> m.groups().containsKey(f.address()) ? f.inGroup(m.groups().get(f.address())) : f)
                        .toList())
                .or(() -> place.hostApi().flatMap(Observed::value).map(HostReport::functions)).orElse(List.of());
        List<Integer> groups = place.groups();
        List<PciFunction> foreign = all.stream().filter(f -> !f.isBridge()
                && f.iommuGroup().isPresent() && groups.contains(f.iommuGroup().getAsInt())
                && !f.address().sameSlot(place.functions().getFirst().address())).toList();
        if (foreign.isEmpty()) {
            return Optional.empty();
        }
        Observed<?> source = best(place);
        List<Reading> readings = foreign.stream().map(f -> Reading.of("also in group " + f.iommuGroup().getAsInt(),
                f.address() + " " + f.name().or(f::className).orElse("unknown device"),
                sourceOf(place, source), source.at().orElse(Instant.EPOCH))).toList();
        return Optional.of(Finding.failing("iommu-group-not-viable", texts.say("vfio.foreign",
                numbers(place.groups()), foreign.getFirst().className().orElse(texts.say("vfio.someDevice")),
                foreign.getFirst().address())).with(readings).on(source));
    }

    private static Observed<?> best(CardPlace place) {
        Optional<Observed<MachineReport>> shell = place.hostShell().filter(s -> s.value().isPresent());
        return shell.isPresent() ? shell.get() : place.hostApi().orElseThrow();
    }

    private static Source sourceOf(CardPlace place, Observed<?> source) {
        return place.hostShell().filter(s -> s == source).isPresent()
                ? new Source(Source.Kind.SSH, source.system(), "lspci -nnkD")
                : new Source(Source.Kind.PROXMOX, source.system(), "GET /nodes/" + place.host() + "/hardware/pci");
    }

    private Finding reading(Observed<?> source) {
        return Finding.own(FloorState.UNKNOWN, source.pending() ? texts.say("reading") : "").on(source);
    }

    private String functions(int count) {
        return count == 1 ? texts.say("vfio.oneFunction") : texts.say("vfio.functions", count);
    }

    private static String numbers(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private static String orNone(List<String> names) {
        return names.isEmpty() ? "none" : String.join(", ", names);
    }

    private static Source ssh(Observed<?> shell, String command) {
        return new Source(Source.Kind.SSH, shell.system(), command);
    }

    private static Source proxmox(Observed<?> api, String call) {
        return new Source(Source.Kind.PROXMOX, api.system(), call);
    }

    private static Instant at(Observed<?> source) {
        return source.at().orElse(Instant.EPOCH);
    }
}
