package dev.pitwall.link;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Source;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.journey.RecordingSystems;
import dev.pitwall.journey.RecordingSystems.Need;
import dev.pitwall.journey.RecordingSystems.Request;
import dev.pitwall.journey.WatchedSystems;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.survey.HostFiles;
import dev.pitwall.journey.survey.HostSurvey;
import dev.pitwall.journey.survey.HostSurvey.Guest;
import dev.pitwall.journey.survey.HostSurveyor;
import dev.pitwall.journey.survey.VmSurvey;
import dev.pitwall.journey.survey.VmSurveyor;
import dev.pitwall.lab.proxmox.ApiSchema;
import dev.pitwall.lab.proxmox.ApiSchema.Presence;
import dev.pitwall.lab.world.LabHaResource;
import dev.pitwall.read.KernelCommandLine.Loader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

import static org.assertj.core.api.Assertions.assertThat;

/** Surveys of the garage over its sockets. */
class GarageSurveyTest {
    private static final PciAddress GPU = PciAddress.parse("0000:01:00.0").orElseThrow();
    private static final PciAddress AUDIO = PciAddress.parse("0000:01:00.1").orElseThrow();

    @RegisterExtension
    static final GarageSystems GARAGE = new GarageSystems();

    private final HostSurveyor hosts = new HostSurveyor(InstantSource.system());
    private final VmSurveyor vms = new VmSurveyor(InstantSource.system());

    @Test
    void aHostIsReadWhole() throws Exception {
        HostSurvey s = hosts.survey(GARAGE.systems(), "pve2");
        assertThat(s.proxmox()).contains("8.4.14");
        assertThat(s.kernel()).isEqualTo("6.8.12-15-pve");
        assertThat(s.bootId()).matches("[0-9a-f-]{36}");
        assertThat(s.uptimeSeconds()).isGreaterThan(40L * 24 * 3600);
        assertThat(s.cpuVendor()).isEqualTo("GenuineIntel");
        assertThat(s.virtualization()).isTrue();
        assertThat(s.board()).isEqualTo("Micro Computer (HK) Tech Limited MS-01");
        assertThat(s.commandLine().options()).contains("quiet");
        assertThat(s.loader()).isEqualTo(Loader.GRUB);
        assertThat(s.iommuUnits()).containsExactly("dmar0", "dmar1");
        assertThat(s.acpiTables()).containsExactly("DMAR");
        assertThat(s.iommuOn()).isTrue();
        assertThat(s.group(GPU)).hasValue(14);
        assertThat(s.slot(GPU.slot())).extracting(PciFunction::driver)
                .containsExactly(Optional.of("vfio-pci"), Optional.of("vfio-pci"));
        assertThat(s.modules()).contains("vfio_pci");
        assertThat(s.nics()).contains("enp2s0f0", "vmbr0", "lo");
        assertThat(s.framebuffer()).isEmpty();
    }

    @Test
    void whatSysSaysOfACardIsRead() throws Exception {
        HostSurvey s = hosts.survey(GARAGE.systems(), "pve2");
        assertThat(s.states()).containsOnlyKeys(GPU, AUDIO);
        assertThat(s.states().get(GPU)).isEqualTo(new HostSurvey.FunctionState(Optional.of("flr bus"), Optional.of("D0"),
                Optional.of(false), Optional.empty()));
        assertThat(s.states().get(AUDIO).bootVga()).isEmpty();
        assertThat(s.bars().get(GPU)).extracting(HostSurvey.Bar::index, HostSurvey.Bar::bytes, HostSurvey.Bar::above4GiB)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(0, 16L << 20, false),
                        org.assertj.core.groups.Tuple.tuple(1, 8L << 30, true),
                        org.assertj.core.groups.Tuple.tuple(3, 32L << 20, true));
        assertThat(s.parameters()).containsEntry("vfio_pci.ids", "10de:25b0,10de:2291")
                .containsEntry("vfio_pci.disable_idle_d3", "N")
                .containsEntry("vfio_iommu_type1.allow_unsafe_interrupts", "N");
    }

    @Test
    void theFilesThatDecideAreReadAndThoseOfPitwallAreKnownToBeAbsent() throws Exception {
        HostSurvey s = hosts.survey(GARAGE.systems(), "pve2");
        assertThat(s.file("/etc/modprobe.d/vfio.conf").text()).contains("options vfio-pci ids=10de:25b0,10de:2291");
        assertThat(s.files()).containsKeys(HostFiles.MODPROBE, HostFiles.MODULES, HostFiles.GRUB, HostFiles.UDEV,
                HostFiles.COMMAND_LINE, "/etc/modules", "/etc/default/grub", "/etc/modprobe.d/blacklist-gpu.conf");
        assertThat(s.file(HostFiles.MODPROBE).absent()).isTrue();
        assertThat(s.file(HostFiles.NETWORK).text()).contains("bridge-ports enp2s0f0");
    }

    @Test
    void guestsComeWithTheirConfigurationHaAndBackups() throws Exception {
        GARAGE.lab().world().change(w -> {
            LabHaResource resource = new LabHaResource("vm:112");
            resource.options.put("state", "started");
            w.haResources.put("vm:112", resource);
            w.backupJobs.put("nightly", new TreeMap<>(Map.of("all", "1", "exclude", "131", "schedule", "02:30")));
            w.backupJobs.put("harbor", new TreeMap<>(Map.of("vmid", "131,999", "schedule", "03:30")));
            w.backupJobs.put("elsewhere", new TreeMap<>(Map.of("all", "1", "node", "pve1", "schedule", "03:30")));
            w.backupJobs.put("off", new TreeMap<>(Map.of("all", "1", "enabled", "0", "schedule", "03:30")));
        });
        try (SiteSystems root = GARAGE.open(GARAGE.asRoot())) {
            Map<Integer, Guest> guests = new HashMap<>();
            hosts.survey(root, "pve2").guests().forEach(g -> guests.put(g.id(), g));
            assertThat(guests.get(122)).returns("rke2-worker-dc2-gpu-a", Guest::name).returns("qemu", Guest::type)
                    .returns(true, Guest::running).returns(true, Guest::onboot)
                    .returns(List.of("nightly"), Guest::backups).returns(Optional.empty(), Guest::ha);
            assertThat(guests.get(122).config()).containsEntry("hostpci0", "0000:01:00,pcie=1");
            assertThat(guests.get(112).ha()).contains("started");
            assertThat(guests.get(131).backups()).containsExactly("harbor");
            VmSurvey vm = vms.survey(root, "pve2", 131);
            assertThat(vm.backups()).containsExactly("harbor");
            assertThat(vm.caller().root()).isTrue();
        }
    }

    @Test
    void eachPartIsShownWithItsSource() throws Exception {
        HostSurvey s = hosts.survey(GARAGE.systems(), "pve2");
        assertThat(s.shown()).containsKeys("lspci", "groups", "cmdline", "boottool", "iommu", "acpi", "modules",
                "parameters", "state:0000:01:00.0", "bars:0000:01:00.0", "iomem", "guests", "nics", "uptime", "files",
                "version", "board", "cpu", "bootid", "backups", "ha");
        assertThat(s.shown().get("lspci")).satisfies(shown -> {
            assertThat(shown.source()).isEqualTo(new Source(Source.Kind.SSH, "pve2", "lspci -nnkD"));
            assertThat(shown.raw()).contains("NVIDIA");
            assertThat(shown.ok()).isTrue();
        });
        assertThat(s.shown().get("boottool").ok()).as("plain GRUB").isFalse();
        assertThat(s.shown().get("guests").source().detail()).isEqualTo("GET /nodes/pve2/qemu");
    }

    @Test
    void aHostWithItsIommuOffOrWithoutToolsIsReadAllTheSame() throws Exception {
        GARAGE.lab().world().change(w -> {
            w.hosts.get("pve3").iommuActive = false;
            w.hosts.get("pve3").iommuInFirmware = false;
        });
        HostSurvey s = hosts.survey(GARAGE.systems(), "pve3");
        assertThat(s.iommuUnits()).isEmpty();
        assertThat(s.acpiTables()).isEmpty();
        assertThat(s.groups()).isEmpty();
        assertThat(s.iommuOn()).isFalse();
        assertThat(s.group(GPU)).isEmpty();
        assertThat(s.slot(GPU.slot())).hasSize(2);
        assertThat(s.guests()).isNotEmpty();
    }

    @Test
    void aMachineThatIsNoProxmoxNodeHasNoGuests() throws Exception {
        HostSurvey s = hosts.survey(GARAGE.systems(), "rke2-worker-dc1-gpu-a");
        assertThat(s.proxmox()).isEmpty();
        assertThat(s.guests()).isEmpty();
        assertThat(s.shown().get("boottool").ok()).isFalse();
        assertThat(s.states()).hasSize(2);
    }

    @Test
    void aVmIsReadWholeAndFromItsInside() throws Exception {
        VmSurvey s = vms.survey(GARAGE.systems(), "pve2", 122);
        assertThat(s.name()).isEqualTo("rke2-worker-dc2-gpu-a");
        assertThat(s.config()).containsEntry("machine", "q35").doesNotContainKeys("digest", "lock").isEqualTo(s.live());
        assertThat(s.digest()).matches("[0-9a-f]{40}");
        assertThat(s.running()).isTrue();
        assertThat(s.qmp()).contains("running");
        assertThat(s.lock()).isEmpty();
        assertThat(s.uptimeSeconds().orElseThrow()).isPositive();
        assertThat(s.agent()).contains(true);
        assertThat(s.ha()).isEmpty();
        assertThat(s.caller()).returns(true, c -> c.token()).returns(false, c -> c.root());
        assertThat(s.guest().orElseThrow()).filteredOn(PciFunction::isNvidiaGpu).extracting(PciFunction::driver)
                .containsExactly(Optional.of("nvidia"));
        assertThat(s.shown()).containsKeys("config", "live", "pending", "status", "agent", "guest");
    }

    @Test
    void aPendingChangeIsInTheConfigurationAndNotLive() throws Exception {
        GARAGE.lab().world().change(w -> w.vms.get(131).config.put("machine", "q35"));
        VmSurvey s = vms.survey(GARAGE.systems(), "pve2", 131);
        assertThat(s.config()).containsEntry("machine", "q35");
        assertThat(s.live()).doesNotContainKey("machine");
    }

    @Test
    void withoutAnAgentTheGuestsOwnShellIsAskedWhichItsUuidNames() throws Exception {
        GARAGE.lab().world().change(w -> {
            w.vms.get(121).config.remove("agent");
            w.vms.get(121).running.remove("agent");
        });
        VmSurvey s = vms.survey(GARAGE.systems(), "pve1", 121);
        assertThat(s.agent()).isEmpty();
        assertThat(s.guest().orElseThrow()).anyMatch(PciFunction::isNvidiaGpu);
        assertThat(s.shown().get("guest").source()).isEqualTo(new Source(Source.Kind.SSH, "rke2-worker-dc1-gpu-a",
                "lspci -nnk"));
    }

    @Test
    void aVmWithoutAgentAndShellShowsNothingOfItsInside() throws Exception {
        GARAGE.lab().world().change(w -> {
            w.vms.get(141).config.remove("agent");
            w.vms.get(141).running.remove("agent");
        });
        assertThat(vms.survey(GARAGE.systems(), "pve1", 141).guest()).isEmpty();
    }

    @Test
    void aVmThatIsNotThereIsATrouble() {
        Trouble trouble = Troubles.of(() -> vms.survey(GARAGE.systems(), "pve2", 999));
        assertThat(trouble.kind()).isEqualTo(Kind.MISSING);
    }

    @Test
    void whatTheSiteHasNotIsSaidByName() {
        assertThat(Troubles.of(() -> GARAGE.systems().machine("pve9")).sentence()).contains("no shell of pve9");
        assertThat(Troubles.of(() -> GARAGE.systems().proxmox("pve9")).sentence()).contains("knows the node pve9");
    }

    @Test
    void aNodeWithoutAnAccessOfItsOwnIsAskedThroughItsCluster() throws Exception {
        try (SiteSystems one = GARAGE.open(GARAGE.with(GARAGE.site().proxmox().subList(0, 1)))) {
            assertThat(one.proxmox("pve3").get("nodes/pve3/version").path("version").asText()).isEqualTo("8.4.14");
            assertThat(one.proxmox("pve3")).isSameAs(one.proxmox("pve1"));
        }
    }

    @Test
    void closedSystemsAnswerNoMore() throws Exception {
        SiteSystems systems = GARAGE.open(GARAGE.site());
        systems.machine("pve1").run("uname", "-r");
        systems.close();
        assertThat(Troubles.of(() -> systems.machine("pve1")).kind()).isEqualTo(Kind.CONNECT);
    }

    @Test
    void everyRequestOfASurveyIsOneThatAllReleasesTake() throws Exception {
        RecordingSystems recording = new RecordingSystems(GARAGE.systems());
        hosts.survey(recording, "pve1");
        vms.survey(recording, "pve1", 121);
        vms.survey(recording, "pve2", 122);
        ApiSchema schema = new ApiSchema();
        assertThat(recording.requests()).isNotEmpty();
        for (Request request : recording.requests()) {
            for (int major : List.of(7, 8, 9)) {
                Presence presence = schema.presence(request.method(), request.path(), major);
                if (presence == Presence.ABSENT && request.need() == Need.MAY_BE_ABSENT) {
                    continue;
                }
                assertThat(presence).as("%s on %d", request, major).isEqualTo(Presence.THERE);
                assertThat(schema.complaints(request.method(), request.path(), request.parameters(), major))
                        .as("%s on %d", request, major).isEmpty();
            }
        }
    }

    @Test
    void eachCallIsToldWithItsOutcomeAndNothingOfContents() throws Exception {
        List<Watcher.Line> lines = new CopyOnWriteArrayList<>();
        WatchedSystems watched = new WatchedSystems(GARAGE.systems(), lines::add, InstantSource.system());
        hosts.survey(watched, "pve2");
        watched.machine("pve2").run(List.of("lsmod"), Duration.ofSeconds(20), line -> { });
        Troubles.of(() -> watched.proxmox("pve2").get("nodes/pve2/qemu/999/config"));
        assertThat(lines).extracting(Watcher.Line::system).containsOnly("pve2 ssh", "pve2 api");
        assertThat(lines).anySatisfy(line -> {
            assertThat(line.text()).isEqualTo("lspci -nnkD");
            assertThat(line.outcome()).contains("exit 0");
            assertThat(line.took()).isPresent();
        });
        assertThat(lines).anySatisfy(line -> {
            assertThat(line.text()).isEqualTo("GET /nodes/pve2/qemu");
            assertThat(line.outcome()).contains("200");
        });
        assertThat(lines).anySatisfy(line -> {
            assertThat(line.text()).isEqualTo("read /etc/modprobe.d/vfio.conf");
            assertThat(line.outcome()).contains("107 bytes");
        });
        assertThat(lines).filteredOn(line -> line.outcome().isEmpty()).as("printed lines of the watched run").isNotEmpty();
        assertThat(lines.getLast().outcome().orElseThrow()).startsWith("it is not there any more");
        assertThat(lines).noneMatch(line -> line.text().contains("softdep"));
    }
}
