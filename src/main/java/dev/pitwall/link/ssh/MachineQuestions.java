package dev.pitwall.link.ssh;

import dev.pitwall.card.GpuDevice;
import dev.pitwall.card.MachineReport;
import dev.pitwall.card.MachineReport.ContainerdSettings;
import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.TroubleException;
import dev.pitwall.read.GpuListing;
import dev.pitwall.read.IommuGroupsReader;
import dev.pitwall.read.LspciReader;
import dev.pitwall.read.SmiXmlReader;
import dev.pitwall.read.SysPci;
import dev.pitwall.read.Text;
import dev.pitwall.site.Together;
import dev.pitwall.site.Together.Answer;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Asks one machine everything Pitwall wants to know of it, all at once over one session. */
final class MachineQuestions {
    /** {@code NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.126.20  Release Build …}. */
    private static final Pattern MODULE_VERSION = Pattern.compile("NVRM version:.*?\\s(\\d{2,4}(?:\\.\\d+){1,2})\\s");
    private static final List<String> TABLES = List.of("DMAR", "IVRS");

    private final MachineCommands commands;

    MachineQuestions(MachineCommands commands) {
        this.commands = commands;
    }

    private record Gpus(List<GpuDevice> devices, Optional<String> error) {
        static final Gpus NONE = new Gpus(List.of(), Optional.empty());
    }

    MachineReport ask() throws TroubleException, InterruptedException {
        Answer<String> names = new Answer<>();
        Answer<String> uuid = new Answer<>();
        Answer<String> commandLine = new Answer<>();
        Answer<String> uptime = new Answer<>();
        Answer<String> secureBoot = new Answer<>();
        Answer<List<String>> units = new Answer<>();
        Answer<List<String>> tables = new Answer<>();
        Answer<String> groups = new Answer<>();
        Answer<List<PciFunction>> functions = new Answer<>();
        Answer<String> module = new Answer<>();
        Answer<Gpus> gpus = new Answer<>();
        Answer<Optional<ContainerdSettings>> containerd = new Answer<>();
        Answer<String> product = new Answer<>();
        Answer<List<String>> cdi = new Answer<>();
        Together.all(List.of(
                names.from(() -> commands.output("uname", "-nr")),
                functions.from(this::functions),
                groups.from(() -> commands.output("find", "/sys/kernel/iommu_groups", "-type", "l")),
                gpus.from(this::gpus),
                containerd.from(() -> new ContainerdQuestion(commands).ask()),
                uuid.from(() -> commands.output("cat", "/sys/class/dmi/id/product_uuid")),
                product.from(() -> commands.output("cat", "/sys/class/dmi/id/product_name")),
                commandLine.from(() -> commands.output("cat", "/proc/cmdline")),
                uptime.from(() -> commands.output("cat", "/proc/uptime")),
                secureBoot.from(() -> commands.output("mokutil", "--sb-state")),
                units.from(() -> words(commands.output("ls", "/sys/class/iommu"))),
                tables.from(() -> words(commands.output("ls", "/sys/firmware/acpi/tables"))),
                module.from(() -> commands.output("cat", "/proc/driver/nvidia/version")),
                cdi.from(() -> words(commands.output("find", "/var/run/cdi/", "/etc/cdi/", "-maxdepth", "1",
                        "-type", "f")))));
        List<String> name = words(names.get());
        Map<PciAddress, Integer> groupOf = new IommuGroupsReader().read(whole(groups.get())).byAddress();
        return new MachineReport(name.isEmpty() ? "" : name.getFirst(),
                Optional.of(uuid.get().strip().toLowerCase(Locale.ROOT)).filter(text -> !text.isEmpty()),
                Optional.of(product.get().strip()).filter(text -> !text.isEmpty()),
                name.size() < 2 ? "" : name.get(1), commandLine.get().strip(), seconds(uptime.get()),
                secureBoot(secureBoot.get()), units.get(), tables.get().stream().filter(TABLES::contains).toList(),
                groupOf, PciFunction.inGroups(functions.get(), groupOf), version(module.get()), gpus.get().devices(),
                gpus.get().error(), containerd.get(), cdi.get());
    }

    private Gpus gpus() throws TroubleException, InterruptedException {
        CommandResult result = commands.run("nvidia-smi", "-q", "-x");
        if (result.notFound()) {
            return Gpus.NONE;
        }
        if (!result.ok()) {
            return new Gpus(List.of(), Stream.of(result.output(), result.errors()).flatMap(String::lines)
                    .map(String::strip).filter(line -> !line.isEmpty()).findFirst());
        }
        GpuListing listing = new SmiXmlReader().read(whole(result.output()));
        return new Gpus(listing.gpus().stream().map(GpuListing.Gpu::device).toList(), listing.error());
    }

    private List<PciFunction> functions() throws TroubleException, InterruptedException {
        CommandResult lspci = commands.run("lspci", "-nnkD");
        return lspci.notFound() ? SysPci.read(commands.output(SysPci.QUESTION.toArray(String[]::new)))
                : new LspciReader().read(whole(lspci.output())).devices();
    }

    private static Optional<String> version(String module) {
        Matcher matcher = MODULE_VERSION.matcher(module);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    private static OptionalLong seconds(String uptime) {
        String first = uptime.strip().split("[ .]")[0];
        return first.matches("\\d{1,12}") ? OptionalLong.of(Long.parseLong(first)) : OptionalLong.empty();
    }

    private static Optional<Boolean> secureBoot(String mokutil) {
        if (mokutil.contains("SecureBoot enabled")) {
            return Optional.of(true);
        }
        return mokutil.contains("SecureBoot disabled") ? Optional.of(false) : Optional.empty();
    }

    private static List<String> words(String text) {
        return Stream.of(text.strip().split("\\s+")).filter(word -> !word.isEmpty()).toList();
    }

    /** What a command printed that has ended is whole, even without a last line end. */
    private static Text whole(String output) {
        return Text.of(output, Text.Ending.WHOLE);
    }
}
