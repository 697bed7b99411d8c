package dev.pitwall.journey.host;

import dev.pitwall.card.Floor;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.survey.CardGroup;
import dev.pitwall.journey.survey.CardGroup.Part;
import dev.pitwall.journey.survey.Showing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Tells who shares the card's IOMMU group, and what a person can do about it. */
final class GroupStep implements Step {
    private final Sentences texts;
    private final Devices devices;

    GroupStep(Sentences texts, Devices devices) {
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
        if (!card.host().iommuOn()) {
            return Answer.of(Answer.State.WAITING, texts.say("waits.iommu"), List.of())
                    .noting(texts.say("group.later", card.host().host()));
        }
        CardGroup group = new CardGroup(card.host(), card.slot());
        List<Found> found = rows(card, group);
        if (!group.known()) {
            return Answer.of(Answer.State.UNKNOWN, texts.say("group.noGroup"), found);
        }
        if (group.clean()) {
            return clean(card, group, found);
        }
        Optional<KernelWord> chosen = AcsOverride.chosen(card.choices());
        boolean waits = chosen.filter(w -> !w.in(card.host().commandLine().options())).isPresent();
        return Answer.of(waits ? Answer.State.WAITING : Answer.State.BLOCKED, waits ? texts.say("group.waitsForAcs")
                        : texts.say("group.shared", numbers(group), names(group.others())), found)
                .noting(wayOut(card, group.others())).asking(AcsOverride.question(card.choices(), texts));
    }

    private Answer clean(HostCard card, CardGroup group, List<Found> found) {
        boolean split = group.numbers().size() > 1;
        Answer answer = Answer.of(Answer.State.DONE, texts.say(split ? "group.split" : "group.clean", numbers(group)), found);
        if (split) {
            answer = answer.noting(texts.say("group.split.note"));
        }
        return AcsOverride.active(card.host().commandLine()).isPresent()
                ? answer.noting(texts.say("acs.warning")) : answer;
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

    private List<Found> rows(HostCard card, CardGroup group) {
        HostEvidence evidence = new HostEvidence(card.host());
        List<Found> rows = new ArrayList<>();
        for (int number : group.numbers()) {
            List<PciFunction> others = group.members(number, Part.OTHER);
            rows.add(evidence.row(texts.say("row.group", number), String.join(", ", members(group, number)),
                    others.isEmpty() ? Mark.OK : Mark.BAD, Showing.GROUPS, in(number)));
            others.forEach(f -> rows.add(evidence.slot(f.address().toString(),
                    texts.say("row.group.taken", devices.title(f), f.driver().orElse(texts.say("noDriver"))),
                    Mark.BAD, f.address().slot(), line -> line.contains("Kernel driver in use"))));
        }
        AcsOverride.active(card.host().commandLine()).ifPresent(value -> rows.add(evidence.row(texts.say("row.acs"),
                texts.say("row.acs.active", value), Mark.ATTENTION, Showing.COMMAND_LINE,
                line -> line.contains(AcsOverride.NAME))));
        return rows;
    }

    /** For example {@code This card's 2 functions}, {@code 1 root port}. */
    private List<String> members(CardGroup group, int number) {
        List<String> parts = new ArrayList<>();
        parts.add(texts.count("row.group.own", group.members(number, Part.CARD).size()));
        SortedMap<String, Long> bridges = group.members(number, Part.BRIDGE).stream()
                .collect(Collectors.groupingBy(f -> f.classCode().orElseThrow(), TreeMap::new, Collectors.counting()));
        bridges.forEach((code, count) -> parts.add(texts.count("row.group." + code, count.intValue())));
        List<PciFunction> others = group.members(number, Part.OTHER);
        if (!others.isEmpty()) {
            parts.add(names(others));
        }
        return parts;
    }

    private static Predicate<String> in(int group) {
        return line -> line.contains("/iommu_groups/" + group + "/");
    }

    /** For example {@code SATA controller 0000:00:17.0}. */
    private String names(List<PciFunction> functions) {
        return texts.list(functions.stream().map(f -> devices.kind(f).word() + " " + f.address()).toList());
    }

    private String numbers(CardGroup group) {
        return texts.list(group.numbers().stream().map(String::valueOf).toList());
    }
}
