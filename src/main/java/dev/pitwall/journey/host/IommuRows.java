package dev.pitwall.journey.host;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.survey.HostSurvey;
import dev.pitwall.journey.survey.Showing;
import dev.pitwall.read.KernelLog;
import dev.pitwall.read.KernelLogReader;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the step of the IOMMU shows: firmware, kernel, boot loader, interrupts, and how the card's memory is placed. */
final class IommuRows {
    private static final long GIB = 1L << 30;

    private final HostCard card;
    private final HostSurvey host;
    private final Sentences texts;
    private final HostEvidence evidence;
    private final Optional<KernelLog> log;

    IommuRows(HostCard card, Sentences texts) {
        this.card = card;
        this.host = card.host();
        this.texts = texts;
        this.evidence = new HostEvidence(host);
        this.log = evidence.text(Showing.KERNEL_LOG).map(new KernelLogReader()::read);
    }

    List<Found> rows() {
        List<Found> rows = new ArrayList<>();
        rows.add(iommu());
        rows.add(virtualization());
        rows.add(table());
        rows.add(commandLine());
        rows.add(loader());
        rows.add(remapping());
        rows.add(bars());
        return rows;
    }

    private Found iommu() {
        int groups = (int) host.groups().values().stream().distinct().count();
        return host.iommuOn()
                ? evidence.row(texts.say("row.iommu"), texts.count("row.iommu.on", groups), Mark.OK, Showing.GROUPS)
                : evidence.row(texts.say("row.iommu"), texts.say("row.iommu.off"), Mark.BAD, Showing.UNITS);
    }

    private Found virtualization() {
        return evidence.row(texts.say("row.virtualization"),
                texts.say(host.virtualization() ? "row.virtualization.on" : "row.virtualization.off"),
                host.virtualization() ? Mark.OK : Mark.BAD, Showing.CPU,
                line -> line.startsWith("flags") || line.contains("vmx") || line.contains("svm"));
    }

    private Found table() {
        Optional<String> table = Processor.of(host.cpuVendor()).table();
        boolean there = table.map(host.acpiTables()::contains).orElse(!host.acpiTables().isEmpty());
        String name = table.orElse("DMAR, IVRS");
        return evidence.row(texts.say("row.firmware"),
                texts.say(there ? "row.firmware.table" : "row.firmware.noTable", there
                        ? table.orElse(texts.list(host.acpiTables())) : name),
                there ? Mark.OK : host.iommuOn() ? Mark.INFO : Mark.BAD, Showing.TABLES,
                line -> host.acpiTables().stream().anyMatch(line::contains));
    }

    private Found commandLine() {
        List<String> words = host.commandLine().options();
        List<String> said = words.stream().filter(w -> w.startsWith("intel_iommu=") || w.startsWith("amd_iommu=")
                || w.startsWith("iommu=") || w.startsWith(AcsOverride.NAME)).toList();
        boolean off = IommuWords.leaveOff(words, host.cpuVendor());
        Mark mark = off ? host.iommuOn() ? Mark.ATTENTION : Mark.BAD : Mark.INFO;
        String value = said.isEmpty() ? texts.say("row.cmdline.silent") : String.join(" ", said);
        boolean noise = words.contains("amd_iommu=on");
        return evidence.row(texts.say("row.cmdline"), noise ? texts.say("row.cmdline.amdOn", value) : value, mark,
                Showing.COMMAND_LINE, line -> said.stream().anyMatch(line::contains));
    }

    private Found loader() {
        String name = texts.say("row.loader");
        boolean trap = !host.file(Paths.KERNEL_COMMAND_LINE).absent();
        return switch (host.loader()) {
            case GRUB -> evidence.row(name, texts.say(trap ? "row.loader.grubTrap" : "row.loader.grub"), Mark.OK,
                    Showing.COMMAND_LINE, line -> line.contains("BOOT_IMAGE="));
            case SYSTEMD_BOOT -> evidence.row(name, texts.say("row.loader.systemd"), Mark.OK, Showing.COMMAND_LINE,
                    line -> line.contains("initrd="));
            case UNKNOWN -> evidence.row(name, texts.say("row.loader.unknown"), Mark.UNKNOWN, Showing.BOOT_TOOL);
        };
    }

    /** Without it vfio needs allow_unsafe_interrupts, which is an open door for a guest (facts: proxmox.md 2.1). */
    private Found remapping() {
        Optional<Boolean> on = log.flatMap(l -> l.iommu().interruptRemapping());
        String value = on.isPresent() ? "row.remapping.on" : log.isPresent() ? "row.remapping.unseen" : "row.unread";
        Mark mark = on.isPresent() ? Mark.OK : log.isPresent() ? Mark.INFO : Mark.UNKNOWN;
        return evidence.row(texts.say("row.remapping"), texts.say(value), mark, Showing.KERNEL_LOG,
                line -> line.contains("IRQ remapping") || line.contains("Interrupt remapping"));
    }

    private Found bars() {
        String name = texts.say("row.bars");
        boolean refused = log.stream().flatMap(l -> l.events().stream())
                .anyMatch(e -> e.what().equals("bar-not-assigned") && e.address().filter(this::onCard).isPresent());
        if (refused) {
            return evidence.row(name, texts.say("row.bars.noSpace"), Mark.ATTENTION, Showing.KERNEL_LOG,
                    line -> line.contains("no space") || line.contains("failed to assign"));
        }
        return largest().map(e -> evidence.bar(name, words(e.getValue()), Mark.INFO, e.getKey(), e.getValue().index()))
                .orElseGet(() -> evidence.bar(name, texts.say("row.unread"), Mark.UNKNOWN,
                        card.functions().getFirst().address(), 0));
    }

    private Optional<Map.Entry<PciAddress, HostSurvey.Bar>> largest() {
        return host.bars().entrySet().stream().filter(e -> onCard(e.getKey()))
                .flatMap(e -> e.getValue().stream().map(bar -> Map.entry(e.getKey(), bar)))
                .max(Comparator.comparingLong(e -> e.getValue().bytes()));
    }

    /** CUDA needs neither; a large card may not fit below 4 GiB, though (facts: proxmox.md 2.7). */
    private String words(HostSurvey.Bar bar) {
        String place = texts.say(bar.above4GiB() ? "row.bars.above" : "row.bars.below", bar.index(), size(bar.bytes()));
        Optional<Long> most = bar.resizable().stream().max(Long::compare);
        return most.isEmpty() ? place : place + "; " + (most.get() > bar.bytes()
                ? texts.say("row.bars.canGrow", size(most.get())) : texts.say("row.bars.grown"));
    }

    private boolean onCard(PciAddress address) {
        return card.functions().stream().map(PciFunction::address).anyMatch(address::sameSlot);
    }

    private static String size(long bytes) {
        return bytes >= GIB ? bytes / GIB + " GiB" : bytes / (1L << 20) + " MiB";
    }
}
