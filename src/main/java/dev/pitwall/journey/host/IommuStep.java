package dev.pitwall.journey.host;

import dev.pitwall.card.Floor;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.drain.Departure;
import dev.pitwall.journey.survey.HostSurvey;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The IOMMU, and with it the kernel's command line: options that later steps ask for are added here, so that one step
 * alone writes it. Whether the IOMMU works is told by {@code /sys}, never by words of the kernel (facts: proxmox.md 2.1).
 */
final class IommuStep implements Step {
    private final Sentences texts;
    private final WorkTimes times;
    private final FirmwareAdvice advice;

    IommuStep(Sentences texts, WorkTimes times, FirmwareAdvice advice) {
        this.texts = texts;
        this.times = times;
        this.advice = advice;
    }

    @Override
    public String id() {
        return "iommu";
    }

    @Override
    public Floor floor() {
        return Floor.FIRMWARE;
    }

    @Override
    public Set<String> keys() {
        return Set.of("pt", Departure.KEY);
    }

    @Override
    public Answer look(Situation situation) {
        HostCard card = new HostCard(situation);
        return card.outOfReach(texts).orElseGet(() -> look(card));
    }

    private Answer look(HostCard card) {
        HostSurvey host = card.host();
        List<Found> found = new IommuRows(card, texts).rows();
        if (!host.virtualization()) {
            return firmware("iommu.noVirtualization", host, found);
        }
        if (host.iommuOn()) {
            return on(card, found);
        }
        Optional<String> table = Processor.of(host.cpuVendor()).table();
        if (table.filter(t -> !host.acpiTables().contains(t)).isPresent() || host.acpiTables().isEmpty()) {
            return firmware("iommu.noTable", host, found);
        }
        if (!IommuWords.leaveOff(host.commandLine().options(), host.cpuVendor())
                && switchOn(host).filter(w -> !w.in(host.commandLine().options())).isEmpty()) {
            return Answer.of(Answer.State.BLOCKED, texts.say("iommu.unexplained"), found)
                    .noting(texts.say("iommu.unexplained.note", host.host()));
        }
        return plan(card, found, IommuWords::withoutOff, switchOn(host));
    }

    private Answer firmware(String key, HostSurvey host, List<Found> found) {
        List<String> notes = new ArrayList<>();
        notes.add(texts.say("iommu.firmware.look", advice.general(host.cpuVendor())));
        advice.places(host.board(), host.cpuVendor()).forEach(place ->
                notes.add(texts.say(place.purpose().sentence(), host.board(), place.setting(), place.path())));
        notes.add(texts.say("iommu.firmware.moved"));
        return Answer.of(Answer.State.BLOCKED, texts.say(key), found).noting(notes);
    }

    /**
     * AMD's IOMMU needs no word, and knows none for on; Intel's needs one before kernel 6.8, and where the kernel does not
     * turn it on by itself though nothing says off (facts: proxmox.md 1.14, 2.1).
     */
    private static Optional<KernelWord> switchOn(HostSurvey host) {
        boolean intel = Processor.of(host.cpuVendor()) == Processor.INTEL;
        boolean byItself = !KernelRelease.of(host.kernel()).before(KernelRelease.INTEL_ON_BY_DEFAULT)
                && IommuWords.leaveOff(host.commandLine().options(), host.cpuVendor());
        return intel && !byItself ? Optional.of(IommuWords.INTEL_ON) : Optional.empty();
    }

    private Answer on(HostCard card, List<Found> found) {
        HostSurvey host = card.host();
        List<KernelWord> wanted = chosen(card.choices());
        if (wanted.stream().allMatch(w -> w.in(host.commandLine().options()))) {
            int groups = (int) host.groups().values().stream().distinct().count();
            return Answer.of(Answer.State.DONE, texts.count("iommu.on", groups), found)
                    .noting(offAtNextBoot(host)).asking(passThrough(card.choices()));
        }
        return plan(card, found, Optional::of, Optional.empty());
    }

    /** What works now may be gone after the next reboot, whoever makes it. */
    private List<String> offAtNextBoot(HostSurvey host) {
        return config(host).filter(c -> IommuWords.leaveOff(c.words(), host.cpuVendor()))
                .map(c -> List.of(texts.say("iommu.offAtNextBoot", c.refresh().target()))).orElse(List.of());
    }

    /** Options that the person chose here and in later steps. */
    private static List<KernelWord> chosen(Choices choices) {
        List<KernelWord> words = new ArrayList<>();
        choices.get("pt").filter("yes"::equals).ifPresent(yes -> words.add(IommuWords.PASS_THROUGH));
        AcsOverride.chosen(choices).ifPresent(words::add);
        Framebuffer.chosen(choices).ifPresent(words::add);
        return words;
    }

    private Answer plan(HostCard card, List<Found> found, Function<String, Optional<String>> keep,
                        Optional<KernelWord> switchOn) {
        HostSurvey host = card.host();
        Optional<BootConfig> config = config(host);
        if (config.isEmpty()) {
            return Answer.of(Answer.State.BLOCKED, texts.say("boot.unknown"), found)
                    .noting(texts.say("boot.unknown.note"));
        }
        HostRestart restart = card.restart(times, texts);
        Optional<Answer> held = restart.holds(found);
        if (held.isPresent()) {
            return held.get();
        }
        List<KernelWord> add = new ArrayList<>(switchOn.stream().toList());
        add.addAll(chosen(card.choices()));
        Function<String, Optional<String>> all = word -> keep.apply(word)
                .filter(kept -> !AcsOverride.contradicts(kept, card.choices()));
        return switch (config.get().rewrite(all, add)) {
            case BootConfig.Rewrite.Refused(String why) -> Answer.of(Answer.State.BLOCKED, why, found);
            case BootConfig.Rewrite.Possible(var files) -> {
                List<Change> changes = new ArrayList<>(files);
                changes.add(config.get().refresh());
                changes.add(restart.change());
                yield restart.ending(Answer.ready(texts.say("ready", changes.size(), host.host()), found, changes)
                        .noting(notes(add)).asking(passThrough(card.choices())));
            }
        };
    }

    private Optional<BootConfig> config(HostSurvey host) {
        return switch (host.loader()) {
            case GRUB -> Optional.of(new GrubConfig(host, times, texts));
            case SYSTEMD_BOOT -> Optional.of(new SystemdBootConfig(host, times, texts));
            case UNKNOWN -> Optional.empty();
        };
    }

    private List<String> notes(List<KernelWord> add) {
        return add.stream().map(KernelWord::name).distinct().filter(n -> !n.equals(IommuWords.INTEL_ON.name()))
                .map(name -> texts.say("iommu.adds." + name)).toList();
    }

    private Answer.Question passThrough(Choices choices) {
        return new Answer.Question("pt", texts.say("pt.ask"), List.of(
                new Answer.Option("no", texts.say("pt.no"), texts.say("pt.no.note")),
                new Answer.Option("yes", texts.say("pt.yes"), texts.say("pt.yes.note"))),
                choices.get("pt").filter("yes"::equals).orElse("no"));
    }
}
