package dev.pitwall.journey.host;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.drain.Departure;
import dev.pitwall.journey.survey.HostSurvey;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The reboot that ends a step: what stops for it, what does not come back by itself, and whether the host would still
 * be reached afterwards.
 */
final class HostRestart {
    private static final Pattern PORTS = Pattern.compile("(?m)^\\s*(?:bridge[-_]ports|bond-slaves|slaves)\\s+(.*)$");
    private static final Pattern DEFINED = Pattern.compile("(?m)^\\s*iface\\s+(\\S+)");

    private final HostSurvey survey;
    private final Departure departure;
    private final WorkTimes times;
    private final Sentences texts;

    HostRestart(Situation situation, WorkTimes times, Sentences texts) {
        this.survey = situation.host();
        this.departure = Departure.ofHost(situation);
        this.times = times;
        this.texts = texts;
    }

    /**
     * Why the host must not be rebooted now: a bridge names a network card that is not there, so after a reboot nobody
     * would reach it (facts: proxmox.md 2.9). Empty if nothing is known against it.
     */
    private Optional<String> obstacle() {
        List<String> missing = missing();
        return missing.isEmpty() ? Optional.empty()
                : Optional.of(texts.say("reboot.nic", texts.list(missing), survey.host()));
    }

    /**
     * What a step says instead of being ready, while the host must not be rebooted.
     *
     * @param found what the step looked at
     */
    Optional<Answer> holds(List<Found> found) {
        if (obstacle().isEmpty()) {
            return departure.holds(found).map(this::asking);
        }
        List<Found> all = new ArrayList<>(found);
        all.addAll(found(new HostEvidence(survey)));
        return Optional.of(Answer.of(Answer.State.BLOCKED, obstacle().get(), all));
    }

    /** A step that ends in the reboot, with what is to be known and decided about it. */
    Answer ending(Answer answer) {
        return asking(answer.noting(notes()));
    }

    private Answer asking(Answer answer) {
        return answer.asking(departure.questions().toArray(Answer.Question[]::new));
    }

    private List<String> missing() {
        return survey.nics().isEmpty() ? List.of()
                : ports().stream().filter(port -> !there(port)).toList();
    }

    /** Bonds and VLANs of the file are made at boot, so they need no card of their name. */
    private boolean there(String port) {
        return survey.nics().contains(port) || survey.nics().contains(port.split("\\.", 2)[0])
                || defined().contains(port);
    }

    private Set<String> ports() {
        Set<String> ports = new LinkedHashSet<>();
        Matcher m = PORTS.matcher(interfaces());
        while (m.find()) {
            Arrays.stream(m.group(1).strip().split("\\s+")).filter(p -> !p.isEmpty() && !p.equals("none")
                    && !p.startsWith("#")).forEach(ports::add);
        }
        return ports;
    }

    /** Of an interface with the plain name of a card, {@code iface} says nothing about the card being there. */
    private Set<String> defined() {
        return DEFINED.matcher(interfaces()).results().map(r -> r.group(1))
                .filter(n -> n.startsWith("bond") || n.startsWith("vmbr") || n.contains(".") || n.startsWith("vlan"))
                .collect(Collectors.toSet());
    }

    private String interfaces() {
        return survey.files().entrySet().stream().filter(e -> Paths.INTERFACES_PART.matcher(e.getKey()).matches())
                .map(e -> e.getValue().text()).collect(Collectors.joining("\n"));
    }

    HostReboot change() {
        List<HostReboot.Guest> stops = running().stream()
                .map(g -> new HostReboot.Guest(g.id(), g.name(), g.onboot())).toList();
        return new HostReboot(survey.host(), stops, departure.nodes(), times.takes("reboot"), times.limit("reboot", stops.size()));
    }

    private List<HostSurvey.Guest> running() {
        return survey.guests().stream().filter(HostSurvey.Guest::running)
                .sorted(Comparator.comparingInt(HostSurvey.Guest::id)).toList();
    }

    /** What a person should know before: who does not come back by itself, and the names of network cards. */
    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        List<String> stay = running().stream().filter(g -> !g.onboot()).map(g -> g.id() + " " + g.name()).toList();
        if (!stay.isEmpty()) {
            notes.add(texts.say("reboot.stayOff", texts.list(stay), survey.host()));
        }
        if (!ports().isEmpty()) {
            notes.add(texts.say("reboot.names", texts.list(List.copyOf(ports())), survey.host()));
        }
        notes.addAll(departure.notes());
        return notes;
    }

    /** The row on the network, where it decides. */
    private List<Found> found(HostEvidence evidence) {
        List<String> missing = missing();
        return missing.isEmpty() ? List.of() : List.of(evidence.file(texts.say("row.network"),
                texts.say("row.network.missing", texts.list(missing), texts.list(survey.nics())), Found.Mark.BAD,
                Paths.INTERFACES, line -> missing.stream().anyMatch(line::contains)));
    }
}
