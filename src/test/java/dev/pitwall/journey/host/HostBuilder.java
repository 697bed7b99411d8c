package dev.pitwall.journey.host;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Source;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.survey.DatacenterSurvey;
import dev.pitwall.journey.survey.Grants;
import dev.pitwall.journey.survey.HostSurvey;
import dev.pitwall.journey.survey.Showing;
import dev.pitwall.journey.survey.Shown;
import dev.pitwall.read.CommandLineReader;
import dev.pitwall.read.IommuGroups;
import dev.pitwall.read.IommuGroupsReader;
import dev.pitwall.read.KernelCommandLine;
import dev.pitwall.read.LspciReader;
import dev.pitwall.read.Text;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** A host to ask the steps about: a Proxmox 8 on Intel with its IOMMU on and nothing else, until a test says more. */
final class HostBuilder {
    /** They hold no state: asked by all tests. */
    static final List<Step> STEPS = HostSteps.all();
    static final Instant AT = Instant.parse("2026-05-04T19:42:07Z");

    String kernel = "6.8.12-4-pve";
    Optional<String> proxmox = Optional.of("8.4.14");
    String vendor = "GenuineIntel";
    boolean virtualization = true;
    String board = "ASRock Z690 Taichi";
    KernelCommandLine commandLine;
    KernelCommandLine.Loader loader;
    List<String> units = new ArrayList<>(List.of("dmar0"));
    List<String> tables = new ArrayList<>(List.of("DMAR"));
    Map<PciAddress, Integer> groups = new HashMap<>();
    /** The groups of the board, whether or not the IOMMU is on. */
    final Map<PciAddress, Integer> wired = new HashMap<>();
    List<PciFunction> functions = new ArrayList<>();
    Map<PciAddress, HostSurvey.FunctionState> states = new HashMap<>();
    Map<PciAddress, List<HostSurvey.Bar>> bars = new HashMap<>();
    List<String> modules = new ArrayList<>();
    Map<String, String> parameters = new HashMap<>();
    Map<String, Content> files = new TreeMap<>();
    List<String> framebuffer = new ArrayList<>();
    List<HostSurvey.Guest> guests = new ArrayList<>();
    List<String> nics = new ArrayList<>(List.of("lo", "enp5s0", "vmbr0"));
    final Map<String, List<String>> mappings = new TreeMap<>();
    Map<String, Shown> shown = new HashMap<>();
    Choices choices = Choices.NONE;

    HostBuilder() {
        cmdline("BOOT_IMAGE=/boot/vmlinuz-6.8.12-4-pve root=/dev/mapper/pve-root ro quiet");
        file("/etc/default/grub", "GRUB_DEFAULT=0\nGRUB_CMDLINE_LINUX_DEFAULT=\"quiet\"\nGRUB_CMDLINE_LINUX=\"\"\n");
        file("/etc/modprobe.d/pve-blacklist.conf", "# not supported by Proxmox VE\nblacklist nvidiafb\n");
        file("/etc/network/interfaces", "auto vmbr0\niface vmbr0 inet static\n\tbridge-ports enp5s0\n");
    }

    /** A host with one RTX A1000 in slot 01:00, alone in group 14 with its root port, held by the host's drivers. */
    static HostBuilder withCard() {
        return new HostBuilder().lspci("""
                0000:00:01.0 PCI bridge [0604]: Intel Corporation PCI Express Graphics Port [8086:a70d]
                \tKernel driver in use: pcieport
                0000:00:02.0 VGA compatible controller [0300]: Intel Corporation Iris Xe Graphics [8086:a7a0] (rev 04)
                \tKernel driver in use: i915
                \tKernel modules: i915
                0000:01:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA107GL [RTX A1000] [10de:25b0] (rev a1)
                \tKernel driver in use: nouveau
                \tKernel modules: nvidiafb, nouveau
                0000:01:00.1 Audio device [0403]: NVIDIA Corporation GA107 High Definition Audio Controller [10de:2291] (rev a1)
                \tKernel driver in use: snd_hda_intel
                \tKernel modules: snd_hda_intel
                """).group(14, "0000:00:01.0", "0000:01:00.0", "0000:01:00.1").group(0, "0000:00:02.0")
                .state("0000:01:00.0", "bus", "D0", false).state("0000:01:00.1", "", "D0", false);
    }

    static HostBuilder amd() {
        HostBuilder host = withCard();
        host.vendor = "AuthenticAMD";
        host.units = new ArrayList<>(List.of("ivhd0"));
        host.tables = new ArrayList<>(List.of("IVRS"));
        return host;
    }

    HostBuilder cmdline(String text) {
        commandLine = new CommandLineReader().read(Text.whole(text + "\n"));
        loader = commandLine.loader();
        return show(Showing.COMMAND_LINE, text + "\n");
    }

    HostBuilder iommuOff() {
        units.clear();
        groups.clear();
        return this;
    }

    HostBuilder lspci(String text) {
        functions.addAll(new LspciReader().read(Text.whole(text)).devices());
        return show(Showing.LSPCI, text);
    }

    /** A listing of groups: its devices and their groups. */
    HostBuilder groupListing(String text) {
        for (IommuGroups.Group group : new IommuGroupsReader().read(Text.whole(text)).groups()) {
            group.devices().forEach(f -> {
                functions.add(f);
                groups.put(f.address(), group.group());
                wired.put(f.address(), group.group());
            });
        }
        return show(Showing.GROUPS, text);
    }

    HostBuilder group(int group, String... addresses) {
        for (String address : addresses) {
            groups.put(address(address), group);
            wired.put(address(address), group);
        }
        return this;
    }

    HostBuilder state(String address, String reset, String power, boolean bootVga) {
        states.put(address(address), new HostSurvey.FunctionState(Optional.of(reset).filter(r -> !r.isEmpty()),
                Optional.of(power), Optional.of(bootVga), Optional.empty()));
        return this;
    }

    HostBuilder file(String path, String text) {
        files.put(path, Content.of(text));
        return this;
    }

    HostBuilder show(Showing what, String raw) {
        shown.put(what.key(), new Shown(new Source(Source.Kind.SSH, "pve1", what.key()), AT, raw, true));
        return this;
    }

    HostBuilder guest(int id, String name, String type, String status, boolean onboot, Map<String, String> config) {
        guests.add(new HostSurvey.Guest(id, name, type, status, onboot, config, Optional.empty(),
                List.of()));
        return this;
    }

    /** A PCI mapping of the datacenter. */
    HostBuilder mapping(String id, String... entries) {
        mappings.put(id, List.of(entries));
        return this;
    }

    HostBuilder choose(String key, String value) {
        choices = choices.with(key, value);
        return this;
    }

    HostSurvey survey() {
        return new HostSurvey("pve1", proxmox, kernel, "boot-1", 3600, vendor, virtualization, board, commandLine, loader,
                units, tables, groups, functions, states, bars, modules, parameters, new TreeMap<>(files), framebuffer, guests,
                nics, shown);
    }

    Situation situation(String slot) {
        return new Situation(new Situation.Subject("pve1/" + slot, "RTX A1000", "pve1", address(slot)), choices, survey(),
                Optional.empty(), Optional.of(datacenter()), Map.of());
    }

    private DatacenterSurvey datacenter() {
        return new DatacenterSurvey(new Proxmox.Caller("root@pam", false), Grants.ALL, List.of("pve1"),
                Optional.of(new TreeMap<>(mappings)), Optional.empty(), List.of(), OptionalInt.empty(), Map.of());
    }

    /** What a step says of the card in slot 01:00. */
    Answer ask(String step) {
        return ask(step, "0000:01:00");
    }

    Answer ask(String step, String slot) {
        return step(step).look(situation(slot));
    }

    static Step step(String id) {
        return STEPS.stream().filter(s -> s.id().equals(id)).findFirst().orElseThrow();
    }

    static PciAddress address(String text) {
        return PciAddress.parse(text).orElseThrow();
    }
}
