package dev.pitwall.journey.survey;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.Ran;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.survey.HostSurvey.Guest;
import dev.pitwall.read.BootToolReader;
import dev.pitwall.read.CommandLineReader;
import dev.pitwall.read.IommuGroupsReader;
import dev.pitwall.read.KernelCommandLine;
import dev.pitwall.read.KernelCommandLine.Loader;
import dev.pitwall.read.LoadedModules;
import dev.pitwall.read.LsmodReader;
import dev.pitwall.read.LspciReader;
import dev.pitwall.read.SysPci;
import dev.pitwall.site.Together;
import dev.pitwall.site.Together.Answer;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads a host through its shell, and where it is a Proxmox node through its API. What the host does not have, such as
 * a tool or a folder, leaves its part of the survey empty.
 */
public final class HostSurveyor {
    private static final List<String> TABLES = List.of("DMAR", "IVRS");
    private static final List<String> PARAMETERS = List.of("/sys/module/vfio_pci/parameters",
            "/sys/module/vfio_iommu_type1/parameters");
    private static final Pattern PARAMETER = Pattern.compile("/sys/module/(\\w+)/parameters/(\\w+)");
    /** Kernel lines that say something of the IOMMU, of a card's memory, or of a card that does not wake up. */
    private static final String KERNEL_LINES = "DMAR|AMD-Vi|IOMMU|PCIe ACS|vfio|can't (reserve|assign)|no space for|"
            + "failed to assign|not ready [0-9]+ms|D3|AE_AML";
    private static final Pattern PVEVERSION = Pattern.compile("pve-manager/([^/\\s]+)/");

    private final InstantSource clock;

    public HostSurveyor(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * @param host name of its shell in the site, which is that of its Proxmox node
     * @throws TroubleException if the shell, or the API that the site has for it, does not answer
     */
    public HostSurvey survey(Systems systems, String host) throws TroubleException, InterruptedException {
        return new Look(systems.machine(host), proxmox(systems, host), host).survey();
    }

    /** A machine that no API of the site knows is no Proxmox node. */
    private static Optional<Proxmox> proxmox(Systems systems, String host)
            throws TroubleException, InterruptedException {
        try {
            return Optional.of(systems.proxmox(host));
        } catch (TroubleException e) {
            if (e.trouble().kind() == Kind.MISSING) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** All functions, and what was read of those of cards. */
    private record Cards(List<PciFunction> all, CardFunctions read) {
    }

    /** One look at one host. */
    private final class Look {
        private final Machine machine;
        private final Optional<Proxmox> proxmox;
        private final String host;
        private final Looking looking = new Looking(clock);

        private final Answer<String> bootId = new Answer<>();
        private final Answer<Long> uptime = new Answer<>();
        private final Answer<String> cpu = new Answer<>();
        private final Answer<String> board = new Answer<>();
        private final Answer<KernelCommandLine> commandLine = new Answer<>();
        private final Answer<Loader> bootTool = new Answer<>();
        private final Answer<List<String>> units = new Answer<>();
        private final Answer<List<String>> tables = new Answer<>();
        private final Answer<Map<PciAddress, Integer>> groups = new Answer<>();
        private final Answer<Cards> cards = new Answer<>();
        private final Answer<List<String>> modules = new Answer<>();
        private final Answer<Map<String, String>> parameters = new Answer<>();
        private final Answer<SortedMap<String, Content>> files = new Answer<>();
        private final Answer<String> iomem = new Answer<>();
        private final Answer<String> kernelLog = new Answer<>();
        private final Answer<List<String>> nics = new Answer<>();
        private final Answer<Optional<String>> version = new Answer<>();
        private final Answer<List<Guest>> guests = new Answer<>();

        Look(Machine machine, Optional<Proxmox> proxmox, String host) {
            this.machine = machine;
            this.proxmox = proxmox;
            this.host = host;
        }

        HostSurvey survey() throws TroubleException, InterruptedException {
            // The one question that must be answered: a host that hangs here cannot be surveyed.
            String kernel = machine.run("uname", "-r").output().strip();
            Together.all(List.of(
                    bootId.from(() -> text(Showing.BOOT_ID, "cat", "/proc/sys/kernel/random/boot_id")),
                    uptime.from(() -> seconds(text(Showing.UPTIME, "cat", "/proc/uptime"))),
                    cpu.from(() -> text(Showing.CPU, "grep", "-m", "2", "-E", "^(vendor_id|flags)", "/proc/cpuinfo")),
                    board.from(this::board),
                    commandLine.from(() -> new CommandLineReader()
                            .read(Looking.whole(text(Showing.COMMAND_LINE, "cat", "/proc/cmdline")))),
                    bootTool.from(this::bootTool),
                    units.from(() -> looking.words(machine, Showing.UNITS.key(), "ls", "/sys/class/iommu")),
                    tables.from(() -> looking.words(machine, Showing.TABLES.key(), "ls", "/sys/firmware/acpi/tables")),
                    groups.from(() -> new IommuGroupsReader().read(Looking.whole(text(Showing.GROUPS, "find",
                            "/sys/kernel/iommu_groups", "-type", "l"))).byAddress()),
                    cards.from(this::cards),
                    modules.from(() -> new LsmodReader().read(Looking.whole(text(Showing.MODULES, "lsmod"))).modules()
                            .stream().map(LoadedModules.Module::name).toList()),
                    parameters.from(this::parameters),
                    files.from(() -> HostFiles.read(machine, looking, clock)),
                    iomem.from(() -> text(Showing.IOMEM, "cat", "/proc/iomem")),
                    kernelLog.from(() -> text(Showing.KERNEL_LOG, "journalctl", "-k", "-b", "--no-pager", "-q", "-g",
                            KERNEL_LINES)),
                    nics.from(() -> looking.words(machine, Showing.NICS.key(), "ls", "/sys/class/net")),
                    version.from(this::version),
                    guests.from(this::guests)));
            return build(kernel);
        }

        private HostSurvey build(String kernel) {
            CardFunctions read = cards.get().read();
            Loader proved = commandLine.get().loader();
            return new HostSurvey(host, version.get(), kernel, bootId.get(), uptime.get(), vendor(cpu.get()),
                    Stream.of(cpu.get().split("\\s+")).anyMatch(flag -> flag.equals("vmx") || flag.equals("svm")),
                    board.get(), commandLine.get(), proved == Loader.UNKNOWN ? bootTool.get() : proved, units.get(),
                    tables.get().stream().filter(TABLES::contains).toList(), groups.get(),
                    PciFunction.inGroups(cards.get().all(), groups.get()), read.states(), read.bars(),
                    modules.get(), parameters.get(), files.get(), BootFramebuffer.in(iomem.get(), read.bars()),
                    guests.get(), nics.get(), looking.shown());
        }

        private String text(Showing what, String... command) throws TroubleException, InterruptedException {
            return looking.output(machine, what.key(), command).strip();
        }

        private String board() throws TroubleException, InterruptedException {
            return text(Showing.BOARD, "cat", "/sys/class/dmi/id/board_vendor", "/sys/class/dmi/id/board_name").lines()
                    .map(String::strip).filter(line -> !line.isEmpty()).collect(Collectors.joining(" "));
        }

        /** That it manages nothing it says on standard error. */
        private Loader bootTool() throws TroubleException, InterruptedException {
            Ran ran = looking.run(machine, Showing.BOOT_TOOL.key(), "proxmox-boot-tool", "status");
            return ran.notFound() ? Loader.UNKNOWN
                    : new BootToolReader().read(Looking.whole(ran.output() + ran.errors())).loader();
        }

        private Cards cards() throws TroubleException, InterruptedException {
            List<PciFunction> all = functions();
            return new Cards(all, CardFunctions.read(machine, looking, all));
        }

        private List<PciFunction> functions() throws TroubleException, InterruptedException {
            Ran lspci = looking.run(machine, Showing.LSPCI.key(), "lspci", "-nnkD");
            return lspci.notFound()
                    ? SysPci.read(looking.output(machine, Showing.LSPCI.key(), SysPci.QUESTION.toArray(String[]::new)))
                    : new LspciReader().read(Looking.whole(lspci.output())).devices();
        }

        private Map<String, String> parameters() throws TroubleException, InterruptedException {
            Map<String, String> byName = new HashMap<>();
            looking.attributes(machine, Showing.PARAMETERS.key(), PARAMETERS).forEach((path, value) -> {
                Matcher m = PARAMETER.matcher(path);
                if (m.matches()) {
                    byName.put(m.group(1) + "." + m.group(2), value);
                }
            });
            return byName;
        }

        private Optional<String> version() throws TroubleException, InterruptedException {
            if (proxmox.isPresent()) {
                String path = "nodes/" + host + "/version";
                JsonNode data = looking.keep(Showing.VERSION.key(), host, path, proxmox.get().get(path));
                return Optional.of(data.path("version").asText());
            }
            Matcher m = PVEVERSION.matcher(text(Showing.VERSION, "pveversion"));
            return m.find() ? Optional.of(m.group(1)) : Optional.empty();
        }

        private List<Guest> guests() throws TroubleException, InterruptedException {
            return proxmox.isPresent() ? new GuestList(proxmox.get(), host, looking).read() : List.of();
        }
    }

    private static String vendor(String cpu) {
        return cpu.lines().filter(line -> line.startsWith("vendor_id")).findFirst()
                .map(line -> line.substring(line.indexOf(':') + 1).strip()).orElse("");
    }

    private static long seconds(String uptime) {
        String first = uptime.split("[ .]")[0];
        return first.matches("\\d{1,12}") ? Long.parseLong(first) : 0;
    }
}
