package dev.pitwall.journey.host;

import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.survey.HostSurvey;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** How the functions of one card are kept for vfio-pci: as the files have it, and as Pitwall would write them. */
final class Binding {
    static final String KEY = "bind";
    private static final List<String> MODULES = List.of("vfio", "vfio_iommu_type1", "vfio_pci");
    private static final String VIRQFD = "vfio_virqfd";
    private static final String UPDATE = "update-initramfs";

    private final HostCard card;
    private final HostSurvey host;
    private final Devices devices;
    private final WorkTimes times;
    private final Sentences texts;
    private final NextBoot now;

    Binding(HostCard card, Devices devices, WorkTimes times, Sentences texts) {
        this.card = card;
        this.host = card.host();
        this.devices = devices;
        this.times = times;
        this.texts = texts;
        this.now = nextBoot(host.files());
    }

    /** How a card is told from others. */
    enum Means { IDS, ADDRESS }

    private NextBoot nextBoot(Map<String, Content> files) {
        return new NextBoot(files, host.commandLine().options(), card.functions(), devices);
    }

    NextBoot now() {
        return now;
    }

    /** Functions that a driver of the host holds. */
    List<PciFunction> held() {
        return card.functions().stream().filter(f -> f.driver().filter(d -> !d.equals(Devices.VFIO)).isPresent())
                .toList();
    }

    /** Functions that a driver of the host may take at the next boot. */
    List<PciFunction> exposed() {
        return card.functions().stream().filter(f -> now.fate(f).claimedBy().isPresent()).toList();
    }

    /** Functions of other slots that ids cannot tell from this card's and that are not kept for vfio-pci too. */
    List<PciFunction> twins() {
        Set<String> own = new TreeSet<>();
        card.functions().forEach(f -> f.vendorDevice().ifPresent(own::add));
        return host.functions().stream().filter(f -> !f.address().sameSlot(card.slot())
                && f.vendorDevice().filter(own::contains).isPresent() && !isGivenAway(f)).toList();
    }

    /** Kept for vfio-pci by a file, or already taken into account by ids that count. */
    private boolean isGivenAway(PciFunction function) {
        NextBoot theirs = new NextBoot(host.files(), host.commandLine().options(), host.slot(function.address().slot()),
                devices);
        return theirs.fate(function).keptBy().isPresent();
    }

    /** Ids that are read after Pitwall's file, and so hide its own: a later file, or the command line. */
    Optional<ModprobeConfig.Option> laterIds() {
        return now.ids().filter(o -> o.path().equals(ModprobeConfig.COMMAND_LINE)
                || name(o.path()).compareTo(name(Paths.OWN_MODPROBE)) > 0);
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** What the situation asks for; the person may choose otherwise. */
    Means usual() {
        boolean unknown = card.functions().stream().anyMatch(f -> f.vendorDevice().isEmpty());
        return unknown || !twins().isEmpty() || laterIds().isPresent() ? Means.ADDRESS : Means.IDS;
    }

    Means means() {
        return card.choices().get(KEY).map(v -> v.equals("address") ? Means.ADDRESS : v.equals("ids") ? Means.IDS : usual())
                .orElseGet(this::usual);
    }

    /** Files that are to be written so that every function is kept; the option for idle cards goes along if wanted. */
    List<FileChange> files() {
        Map<String, Content> after = new TreeMap<>();
        boolean reserve = !exposed().isEmpty();
        text(Paths.OWN_MODPROBE, modprobe(reserve && means() == Means.IDS)).ifPresent(c -> after.put(Paths.OWN_MODPROBE, c));
        if (reserve && means() == Means.ADDRESS) {
            text(Paths.OWN_UDEV, rules()).ifPresent(c -> after.put(Paths.OWN_UDEV, c));
        }
        if (reserve || !after.isEmpty()) {
            text(Paths.OWN_MODULES, modules()).ifPresent(c -> after.put(Paths.OWN_MODULES, c));
        }
        List<FileChange> changes = new ArrayList<>();
        after.forEach((path, content) -> changes.add(new FileChange(host.host(), path, host.file(path), content,
                Lines.summary(host.file(path), content, texts))));
        return changes;
    }

    private Optional<Content> text(String path, String text) {
        return text.equals(host.file(path).text()) ? Optional.empty() : Optional.of(Content.of(text));
    }

    private String modprobe(boolean byIds) {
        OwnModprobe own = OwnModprobe.of(host.file(Paths.OWN_MODPROBE).text());
        if (byIds) {
            Set<String> blacklist = new TreeSet<>();
            for (PciFunction f : card.functions()) {
                now.rivals(f).stream().filter(m -> !now.yields(m)).forEach(own::softdep);
                now.rivals(f).stream().filter(this::nobodyElses).forEach(blacklist::add);
            }
            own.ids(now.ids().map(o -> List.of(o.value().split(","))).orElse(List.of()));
            own.ids(card.functions().stream().flatMap(f -> f.vendorDevice().stream()).distinct().toList());
            blacklist.forEach(own::blacklist);
        }
        if (new IdleSleep(card, texts).wanted() && !IdleSleep.configured(now.modprobe())) {
            own.option(IdleSleep.PARAMETER, "1");
        }
        return own.text();
    }

    /** May be kept away from the whole host: only NVIDIA cards need it, and no other card lives by it. */
    private boolean nobodyElses(String module) {
        return devices.mayBeBlacklisted(module) && host.functions().stream()
                .filter(f -> !f.address().sameSlot(card.slot())).flatMap(f -> f.driver().stream())
                .noneMatch(d -> Devices.name(d).equals(module));
    }

    /**
     * One line a function. Vendor and device are compared too: addresses move when cards are added, and a rule must not
     * take what sits there then.
     */
    private String rules() {
        StringBuilder rules = new StringBuilder(whole(host.file(Paths.OWN_UDEV).text()));
        for (PciFunction f : card.functions()) {
            if (now.override(f.address()).isEmpty()) {
                rules.append("ACTION==\"add\", SUBSYSTEM==\"pci\", KERNEL==\"").append(f.address()).append('"');
                f.vendorId().ifPresent(v -> rules.append(", ATTR{vendor}==\"0x").append(v).append('"'));
                f.deviceId().ifPresent(d -> rules.append(", ATTR{device}==\"0x").append(d).append('"'));
                rules.append(", ATTR{driver_override}=\"vfio-pci\"\n");
            }
        }
        return rules.toString();
    }

    private String modules() {
        StringBuilder own = new StringBuilder(whole(host.file(Paths.OWN_MODULES).text()));
        List<String> wanted = new ArrayList<>(MODULES);
        if (KernelRelease.of(host.kernel()).before(KernelRelease.VIRQFD_BUILT_IN)) {
            wanted.add(VIRQFD);
        }
        wanted.stream().filter(m -> !now.loadedByName().contains(m)).forEach(m -> own.append(m).append('\n'));
        return own.toString();
    }

    private static String whole(String text) {
        return text.isEmpty() || text.endsWith("\n") ? text : text + "\n";
    }

    /** The files with what carries them on; without files where the initramfs only has to be made anew. */
    List<Change> changes(HostRestart restart) {
        List<Change> changes = new ArrayList<>(files());
        changes.add(times.command(host.host(), UPDATE, List.of(UPDATE, "-u", "-k", "all"), texts.say("initramfs")));
        changes.add(restart.change());
        return changes;
    }
}
