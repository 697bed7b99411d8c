package dev.pitwall.card;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import static org.assertj.core.api.Assertions.assertThat;

class CardAssemblerTest {
    @Test
    void aHealthyCardIsJoinedThroughEveryLayerAndEveryFloorSaysWhy() {
        Card card = Facts.healthy().onlyCard();

        assertThat(card.id()).isEqualTo("pve1/0000:01:00");
        assertThat(card.name()).isEqualTo("RTX A1000");
        assertThat(card.uuid()).contains(Facts.GPU);
        assertThat(card.vramMiB()).hasValue(8188);
        assertThat(card.vm()).contains(new Card.VmRef(121, "gpu-worker"));
        assertThat(card.node()).contains(Facts.NODE);
        assertThat(card.server()).contains("ollama-a");
        assertThat(card.floors()).extracting(FloorStatus::summary).containsExactly(
                "IOMMU on · VT-d in DMAR",
                "vfio-pci holds 2 functions · group 14",
                "VM 121 running · q35 · hostpci0",
                "570.133.20 on 6.8.0-90-generic",
                "toolkit ready · CDI on",
                "NVIDIA-RTX-A1000 · 8188 MiB",
                "1 of 1 free",
                "41 °C · 38 W · 71 % busy",
                "CUDA check by the operator passed",
                "ollama-a ready · no model loaded");
        assertThat(card.lowestNotOk()).isEmpty();
        assertThat(card.floors()).allSatisfy(f -> assertThat(f.readings()).isNotEmpty());
    }

    @Test
    void theNodeIsFoundBySystemUuidNotByName() {
        Facts f = Facts.healthy();
        f.clusterIs(List.of(Facts.node("gpu-worker", "ffffffff-0000-0000-0000-000000000000"),
                Facts.node("a-name-of-its-own", Facts.UUID)), List.of());
        f.telemetry = Optional.empty();

        Card card = f.cards().stream().filter(c -> c.host().equals("pve1")).findFirst().orElseThrow();

        assertThat(card.node()).contains("a-name-of-its-own");
    }

    @Test
    void aUuidInTheOtherByteOrderIsTheSameMachine() {
        Facts f = Facts.healthy();
        f.clusterIs(List.of(Facts.node(Facts.NODE, "d4c3b2a1-0100-0040-8000-000000000121")), List.of());

        assertThat(f.onlyCard().node()).contains(Facts.NODE);
    }

    @Test
    void aCardThatWindowsHasSaysWhoAndBlocksWhatIsAbove() {
        Facts f = Facts.healthy();
        VmReport windows = new VmReport(210, "win11-studio", VmReport.Status.RUNNING, Optional.of("9999"),
                Optional.of("q35"), "ovmf", OptionalLong.of(6720), Facts.vm(1).passthrough(),
                Facts.vm(1).runningPassthrough(), List.of(), Optional.empty(), false, false, Optional.of("win11"));
        f.host(h -> Facts.host(List.of(Facts.stopped(Facts.vm(121)), windows)));
        f.clusterIs(List.of(Facts.without(Facts.node(Facts.NODE, Facts.UUID))), List.of());
        f.telemetry = Optional.empty();
        f.servers.clear();

        Card card = f.onlyCard();

        assertThat(card.floor(Floor.VM).state()).isEqualTo(FloorState.BLOCKED);
        assertThat(card.floor(Floor.VM).summary()).isEqualTo("VM 210 win11-studio has it");
        assertThat(card.floor(Floor.VM).readings().subList(0, 3)).extracting(r -> r.name() + " " + r.value().orElse(""))
                .containsExactly("holder VM 210 win11-studio", "ostype win11", "uptime 6720 s");
        assertThat(card.floor(Floor.VM).trap()).contains("gpu-owned-by-other-vm");
        assertThat(card.floor(Floor.PLUGIN).summary()).isEqualTo("blocked by VM");
        assertThat(card.lowestNotOk()).contains(card.floor(Floor.VM));
    }

    @Test
    void aHostDriverThatHoldsACardMeantForAVmIsNamed() {
        Facts f = Facts.healthy();
        f.machines.put("pve1", Observed.fresh("pve1", Facts.hostShell("nouveau"), Facts.NOW));
        f.host(h -> Facts.host(List.of(Facts.stopped(Facts.vm(121)))));

        assertThat(f.onlyCard().floor(Floor.VFIO).trap()).contains("host-driver-holds-passthrough-gpu");
    }

    @Test
    void withoutIommuTheFirmwareFloorFailsAndVfioWaitsForIt() {
        Facts f = Facts.healthy();
        f.machines.put("pve1", Observed.fresh("pve1", Facts.machine("pve1", "1111",
                List.of(Facts.function("0000:01:00.0", "0300", "25b0", "nouveau", -1)), Map.of(), List.of()),
                Facts.NOW));

        Card card = f.onlyCard();

        assertThat(card.floor(Floor.FIRMWARE).trap()).contains("iommu-off");
        assertThat(card.floor(Floor.FIRMWARE).summary()).isEqualTo("IOMMU off in firmware");
        assertThat(card.floor(Floor.VFIO).summary()).isEqualTo("blocked by firmware");
    }

    @Test
    void aForeignDeviceInTheGroupIsNamedSinceProxmoxWouldTakeItFromTheHost() {
        Facts f = Facts.healthy();
        List<PciFunction> functions = new ArrayList<>(Facts.hostShell("vfio-pci").functions());
        PciAddress nic = PciAddress.parse("0000:02:00.0").orElseThrow();
        functions.add(new PciFunction(nic, Optional.of("0200"), Optional.of("Ethernet controller"),
                Optional.of("8086"), Optional.of("125b"), Optional.of("I226-LM"), Optional.empty(),
                Optional.of("igc"), List.of(), OptionalInt.empty(), Optional.empty()));
        f.machines.put("pve1", Observed.fresh("pve1", Facts.machine("pve1", "1111", functions, Map.of(
                functions.get(0).address(), 14, functions.get(1).address(), 14, nic, 14), List.of("dmar0")),
                Facts.NOW));

        FloorStatus vfio = f.onlyCard().floor(Floor.VFIO);

        assertThat(vfio.trap()).contains("iommu-group-not-viable");
        assertThat(vfio.summary()).isEqualTo("group 14 also holds Ethernet controller 0000:02:00.0");
    }

    @Test
    void aBareMetalNodeHasNoVmFloor() {
        Facts f = Facts.healthy();
        f.hosts.clear();
        f.machines.clear();
        f.machines.put(Facts.NODE, Observed.fresh(Facts.NODE, Facts.machine(Facts.NODE, Facts.UUID,
                List.of(Facts.function("0000:01:00.0", "0300", "25b0", "nvidia", 3)), Map.of(), List.of()),
                Facts.NOW));

        Card card = f.onlyCard();

        assertThat(card.id()).isEqualTo(Facts.NODE + "/0000:01:00");
        assertThat(card.floor(Floor.VM).state()).isEqualTo(FloorState.NOT_APPLICABLE);
        assertThat(card.floor(Floor.VFIO).state()).isEqualTo(FloorState.NOT_APPLICABLE);
        assertThat(card.floor(Floor.FIRMWARE).summary()).isEqualTo("UEFI · Secure Boot off");
        assertThat(card.uuid()).contains(Facts.GPU);
    }

    @Test
    void aSiteWithOnlyAClusterStillShowsItsCards() {
        Facts f = Facts.healthy();
        f.hosts.clear();
        f.machines.clear();

        Card card = f.onlyCard();

        assertThat(card.id()).isEqualTo(Facts.NODE + "/" + Facts.GPU);
        assertThat(card.floor(Floor.VM).state()).isEqualTo(FloorState.NOT_APPLICABLE);
        assertThat(card.lowestNotOk()).isEmpty();
    }

    @Test
    void aSiteWithOnlyHostsShowsTheHostsFloors() {
        Facts f = Facts.healthy();
        f.cluster = Optional.empty();
        f.telemetry = Optional.empty();
        f.servers.clear();
        f.places.clear();

        Card card = f.onlyCard();

        assertThat(card.floor(Floor.VM).state()).isEqualTo(FloorState.OK);
        assertThat(card.floors().subList(Floor.DRIVER.ordinal(), 10)).extracting(FloorStatus::state)
                .containsOnly(FloorState.NOT_APPLICABLE);
    }

    @Test
    void twoCardsInOneVmAreToldApartByProductAndThenByOrder() {
        Facts f = Facts.healthy();
        List<PciFunction> functions = List.of(named("0000:01:00.0", "GA102 [GeForce RTX 3090]"),
                named("0000:41:00.0", "AD102 [GeForce RTX 4090]"));
        VmReport.Passthrough first = new VmReport.Passthrough("hostpci0",
                List.of(functions.get(0).address().slot()), Optional.empty(), true);
        VmReport.Passthrough second = new VmReport.Passthrough("hostpci1",
                List.of(functions.get(1).address().slot()), Optional.empty(), true);
        VmReport vm = new VmReport(121, "w", VmReport.Status.RUNNING, Optional.of(Facts.UUID), Optional.of("q35"),
                "ovmf", OptionalLong.of(1), List.of(first, second), List.of(first, second), List.of(),
                Optional.empty(), false, true, Optional.empty());
        f.machines.clear();
        f.host(h -> new HostReport("pve1", "9.1", OptionalLong.empty(), Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty(), List.of(), functions, List.of(vm), Map.of()));
        f.telemetry = Optional.of(Observed.fresh("prometheus", new TelemetryReport(List.of(
                new TelemetryReport.Sample(Facts.NODE, Facts.gpu("GPU-4090", "NVIDIA GeForce RTX 4090",
                        "00000000:01:00.0", 40), Optional.empty(), Facts.NOW),
                new TelemetryReport.Sample(Facts.NODE, Facts.gpu("GPU-3090", "NVIDIA GeForce RTX 3090",
                        "00000000:02:00.0", 50), Optional.empty(), Facts.NOW))), Facts.NOW));

        assertThat(f.cards()).extracting(Card::id, c -> c.uuid().orElse("")).containsExactly(
                org.assertj.core.groups.Tuple.tuple("pve1/0000:01:00", "GPU-3090"),
                org.assertj.core.groups.Tuple.tuple("pve1/0000:41:00", "GPU-4090"));
    }

    private static PciFunction named(String address, String name) {
        return new PciFunction(PciAddress.parse(address).orElseThrow(), Optional.of("0300"), Optional.empty(),
                Optional.of("10de"), Optional.of("2204"), Optional.of(name), Optional.empty(), Optional.empty(),
                List.of(), OptionalInt.of(2), Optional.empty());
    }

    @Test
    void aMappingIsFollowedToItsAddressOnThisHost() {
        Facts f = Facts.healthy();
        VmReport.Passthrough mapped = new VmReport.Passthrough("hostpci0", List.of(), Optional.of("a1000"), true);
        VmReport vm = Facts.vm(121);
        VmReport withMapping = new VmReport(121, vm.name(), vm.status(), vm.smbiosUuid(), vm.machine(), vm.bios(),
                vm.uptimeSeconds(), List.of(mapped), List.of(mapped), List.of(), Optional.empty(), false, true,
                vm.osType());
        HostReport host = Facts.host(List.of(withMapping));
        f.host(h -> new HostReport(host.node(), host.version(), host.uptimeSeconds(), host.kernel(), host.bootMode(),
                host.secureBoot(), host.cpuVendor(), host.cpuFlags(), host.functions(), host.vms(),
                Map.of("a1000", List.of(new HostReport.PciMapping(List.of(PciAddress.parse("0000:01:00").orElseThrow()),
                        Optional.of("10de:25b0"), Optional.of(14), Optional.of("17aa:1a57"))))));

        assertThat(f.onlyCard().vm()).contains(new Card.VmRef(121, "gpu-worker"));
    }

    @Test
    void aChangeThatWaitsForAPowerCycleIsTold() {
        Facts f = Facts.healthy();
        VmReport vm = Facts.vm(121);
        f.host(h -> Facts.host(List.of(new VmReport(121, vm.name(), vm.status(), vm.smbiosUuid(), vm.machine(),
                vm.bios(), vm.uptimeSeconds(), vm.passthrough(), List.of(), List.of("hostpci0"), Optional.empty(),
                false, true, vm.osType()))));

        assertThat(f.onlyCard().floor(Floor.VM).trap()).contains("vm-change-pending-power-cycle");
    }

    @Test
    void aCardIsCountedOnceWhileItsHostsApiRefusesAndSaysWhoRefuses() {
        Facts f = Facts.healthy();
        f.hosts.put("pve1", Observed.<HostReport>reading("pve1").failed(new Trouble(Trouble.Kind.CREDENTIALS,
                "pve1:8006", "the token was refused", "Look."), Facts.NOW));

        Card card = f.onlyCard();

        assertThat(card.floor(Floor.FIRMWARE).state()).isEqualTo(FloorState.UNKNOWN);
        assertThat(card.floor(Floor.FIRMWARE).summary()).isEqualTo("pve1 refuses the sign-in");
        assertThat(card.floor(Floor.VM).summary()).isEqualTo("not known");
        assertThat(card.floor(Floor.PLUGIN).state()).isEqualTo(FloorState.OK);
    }

    @Test
    void aGuestWithoutItsHostInTheSiteIsNotTakenForAMachine() {
        Facts f = Facts.healthy();
        f.hosts.clear();
        f.machines.clear();
        MachineReport guest = Facts.machine(Facts.NODE, Facts.UUID,
                List.of(Facts.function("0000:01:00.0", "0300", "25b0", "nvidia", 3)), Map.of(), List.of());
        f.machines.put(Facts.NODE, Observed.fresh(Facts.NODE, new MachineReport(guest.hostname(), guest.systemUuid(),
                Optional.of("Standard PC (Q35 + ICH9, 2009)"), guest.kernel(), guest.commandLine(),
                guest.uptimeSeconds(), guest.secureBoot(), List.of(), List.of(), Map.of(), guest.functions(),
                Optional.of("570.133.20"), List.of(), Optional.empty(), Optional.empty(), List.of()), Facts.NOW));

        Card card = f.onlyCard();

        assertThat(card.floor(Floor.VM).summary()).isEqualTo("no host in this site");
        assertThat(card.floor(Floor.FIRMWARE).state()).isEqualTo(FloorState.NOT_APPLICABLE);
    }

    @Test
    void aMachineTypeThatWaitsForThePowerCycleIsNotTakenForAWrongOne() {
        Facts f = Facts.healthy();
        VmReport vm = Facts.vm(121);
        f.host(h -> Facts.host(List.of(new VmReport(121, vm.name(), vm.status(), vm.smbiosUuid(), Optional.of("i440fx"),
                vm.bios(), vm.uptimeSeconds(), vm.passthrough(), List.of(), List.of("hostpci0", "machine"),
                Optional.empty(), false, true, vm.osType()))));

        assertThat(f.onlyCard().floor(Floor.VM).trap()).contains("vm-change-pending-power-cycle");
    }
}
