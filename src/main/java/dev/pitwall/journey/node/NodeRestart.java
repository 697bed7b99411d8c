package dev.pitwall.journey.node;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.Drain;
import dev.pitwall.journey.change.NodeReboot;
import dev.pitwall.journey.change.ObjectType;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The reboot that ends a step: which pods leave before, what of them is lost, and whether anybody can take them. */
final class NodeRestart {
    static final String KEY = NodeEviction.KEY;
    private static final String EVICT = NodeEviction.EVICT;
    private static final String KEEP = "keep";

    private final Situation situation;
    private final String machine;
    private final NodeEviction eviction;
    private final NodeTimes times;
    private final Sentences texts;

    NodeRestart(Situation situation, String machine, NodeTimes times, Sentences texts) {
        this.situation = situation;
        this.machine = machine;
        this.eviction = new NodeEviction(situation, times.limit("drain"));
        this.times = times;
        this.texts = texts;
    }

    NodeReboot change() {
        String key = situation.host().proxmox().isEmpty() ? "rebootMetal" : "reboot";
        Optional<Drain> drain = eviction.drain();
        return new NodeReboot(machine, drain, drain.isEmpty() ? eviction.pods() : List.of(), times.takes(key), times.limit(key));
    }

    /** Why it must not be rebooted as things are: something would be lost that nobody has agreed to. */
    Optional<String> refusal() {
        List<Drain.Pod> losing = change().drain().map(Drain::losing).orElse(List.of());
        return losing.isEmpty() || situation.choices().get(KEY).filter(EVICT::equals).isPresent() ? Optional.empty()
                : Optional.of(texts.say("drain.loses", situation.nodeName().orElse(machine), names(losing)));
    }

    private static String names(List<Drain.Pod> pods) {
        return pods.stream().map(Drain.Pod::place).collect(Collectors.joining(", "));
    }

    /** Asked where something would be lost. */
    List<Answer.Question> questions() {
        List<Drain.Pod> losing = change().drain().map(Drain::losing).orElse(List.of());
        if (losing.isEmpty()) {
            return List.of();
        }
        return List.of(new Answer.Question(KEY, texts.say("drain.ask", names(losing)), List.of(
                new Answer.Option(KEEP, texts.say("drain.keep"), texts.say("drain.keep.note")),
                new Answer.Option(EVICT, texts.say("drain.evict"), texts.say("drain.evict.note"))),
                situation.choices().get(KEY).filter(EVICT::equals).orElse(KEEP)));
    }

    List<String> notes() {
        NodeReboot reboot = change();
        List<String> notes = new ArrayList<>();
        if (situation.cluster().filter(c -> !c.objects().containsKey(ObjectType.POD)).isPresent()) {
            notes.add(texts.say("drain.unread", machine));
        } else if (reboot.drain().isPresent()) {
            notes.add(texts.count("drain.leave", reboot.drain().get().pods().size(), reboot.drain().get().node(),
                    reboot.drain().get().names()));
        } else if (!reboot.stops().isEmpty()) {
            notes.add(texts.count("drain.alone", reboot.stops().size(), names(reboot.stops())));
        }
        return notes;
    }
}
