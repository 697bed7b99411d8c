package dev.pitwall.journey.host;

import dev.pitwall.card.Floor;
import dev.pitwall.card.PciFunction;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.survey.HostSurvey;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Who shares the card's IOMMU group. Proxmox takes every device of it from the host when the VM starts, bridges left out,
 * whether or not the VM names it (facts: proxmox.md 1.8, 2.4).
 */
final class GroupStep implements Step {
    /** Root ports and host bridges are never bound to vfio-pci, so they are welcome in a group. */
    private static final Set<String> STAYS = Set.of("0604", "0600");

    /** Classes of the functions of graphics cards: display, sound, USB and its controller. */
    private static final List<String> OF_CARDS = List.of("03", "0403", "0c03", "0c80");
    private static final List<String> OF_GRAPHICS = List.of("03", "0403");

    private final HostTexts texts;
    private final Devices devices;

    GroupStep(HostTexts texts, Devices devices) {
        this.texts = texts;
        this.devices = devices;
    }

    @Override
    public String id() {
        return "group";
    }

    @Override
    public Floor floor() {
        return Floor.VFIO;
    }

    @Override
    public Set<String> keys() {
        return Set.of(AcsOverride.KEY);
    }

    @Override
    public Nature nature() {
        return Nature.CHECKS;
    }

    @Override
    public Answer look(Situation situation) {
        HostCard card = new HostCard(situation);
        return card.outOfReach(texts).orElseGet(() -> look(card));
    }

    private Answer look(HostCard card) {
        HostSurvey host = card.host();
        if (!host.iommuOn()) {
            return Answer.of(Answer.State.WAITING, texts.say("waits.iommu"), List.of());
        }
        Set<Integer> groups = new TreeSet<>();
        card.functions().forEach(f -> host.group(f.address()).ifPresent(groups::add));
        List<Found> found = rows(card, groups);
        if (card.functions().stream().anyMatch(f -> host.group(f.address()).isEmpty())) {
            return Answer.of(Answer.State.UNKNOWN, texts.say("group.noGroup"), found);
        }
        List<PciFunction> foreign = foreign(card, groups);
        if (foreign.isEmpty()) {
            return clean(card, groups, found);
        }
        Optional<KernelWord> chosen = AcsOverride.chosen(card.choices());
        boolean waits = chosen.filter(w -> !w.in(host.commandLine().options())).isPresent();
        return Answer.of(waits ? Answer.State.WAITING : Answer.State.BLOCKED, waits ? texts.say("group.waitsForAcs")
                        : texts.say("group.shared", numbers(groups), names(foreign)), found)
                .noting(wayOut(card, foreign)).asking(AcsOverride.question(card.choices(), texts));
    }

    private Answer clean(HostCard card, Set<Integer> groups, List<Found> found) {
        Answer answer = Answer.of(Answer.State.DONE, groups.size() == 1
                ? texts.say("group.clean", numbers(groups)) : texts.say("group.split", numbers(groups)), found);
        if (groups.size() > 1) {
            answer = answer.noting(texts.say("group.split.note"));
        }
        return AcsOverride.active(card.host().commandLine()).isPresent()
                ? answer.noting(texts.say("acs.warning")) : answer;
    }

    private static List<PciFunction> foreign(HostCard card, Set<Integer> groups) {
        return members(card, groups).stream().filter(f -> !own(card, f) && !stays(f)).toList();
    }

    /**
     * A slot with functions that no graphics card has is a part of the processor: of it only graphics and sound are the
     * card's, and the rest, such as a security processor, the host's.
     */
    private static boolean own(HostCard card, PciFunction function) {
        return function.address().sameSlot(card.slot()) && (card.functions().stream().allMatch(f -> hasClass(f, OF_CARDS))
                || hasClass(function, OF_GRAPHICS));
    }

    private static boolean hasClass(PciFunction function, List<String> beginnings) {
        return function.classCode().map(c -> beginnings.stream().anyMatch(c::startsWith)).orElse(true);
    }

    private static boolean stays(PciFunction function) {
        return function.classCode().filter(STAYS::contains).isPresent();
    }

    private static List<PciFunction> members(HostCard card, Set<Integer> groups) {
        HostSurvey host = card.host();
        return host.functions().stream().filter(f -> host.group(f.address()).isPresent()
                        && groups.contains(host.group(f.address()).getAsInt()))
                .sorted(Comparator.comparing(PciFunction::address)).toList();
    }

    private List<String> wayOut(HostCard card, List<PciFunction> foreign) {
        List<String> notes = new ArrayList<>();
        foreign.forEach(f -> notes.add(texts.say("group.loses", f.address(), devices.title(f), card.host().host(),
                devices.kind(f).loss())));
        notes.add(texts.say("group.way.slot"));
        notes.add(texts.say("group.way.firmware"));
        notes.add(texts.say(AcsOverride.active(card.host().commandLine()).isPresent()
                ? "group.way.acsActive" : "group.way.acs"));
        return notes;
    }

    private List<Found> rows(HostCard card, Set<Integer> groups) {
        Evidence evidence = new Evidence(card.host());
        List<Found> rows = new ArrayList<>();
        for (int group : groups) {
            List<PciFunction> members = members(card, Set.of(group));
            long own = members.stream().filter(f -> own(card, f)).count();
            List<PciFunction> foreign = foreign(card, Set.of(group));
            List<String> parts = new ArrayList<>();
            parts.add(texts.count("row.group.own", (int) own));
            STAYS.stream().sorted().forEach(code -> {
                int count = (int) members.stream().filter(f -> f.classCode().filter(code::equals).isPresent()).count();
                if (count > 0) {
                    parts.add(texts.count("row.group." + code, count));
                }
            });
            if (!foreign.isEmpty()) {
                parts.add(names(foreign));
            }
            rows.add(evidence.row(texts.say("row.group", group), String.join(", ", parts),
                    foreign.isEmpty() ? Mark.OK : Mark.BAD, Showing.GROUPS, in(group)));
            foreign.forEach(f -> rows.add(evidence.slot(f.address().toString(),
                    texts.say("row.group.taken", devices.title(f), f.driver().orElse(texts.say("noDriver"))),
                    Mark.BAD, f.address().slot(), line -> line.contains("Kernel driver in use"))));
        }
        AcsOverride.active(card.host().commandLine()).ifPresent(value -> rows.add(evidence.row(texts.say("row.acs"),
                texts.say("row.acs.active", value), Mark.ATTENTION, Showing.COMMAND_LINE,
                line -> line.contains(AcsOverride.NAME))));
        return rows;
    }

    private static Predicate<String> in(int group) {
        return line -> line.contains("/iommu_groups/" + group + "/");
    }

    /** For example {@code SATA controller 0000:00:17.0}. */
    private String names(List<PciFunction> functions) {
        return texts.list(functions.stream().map(f -> devices.kind(f).word() + " " + f.address()).toList());
    }

    private String numbers(Set<Integer> groups) {
        return texts.list(groups.stream().map(String::valueOf).toList());
    }
}
