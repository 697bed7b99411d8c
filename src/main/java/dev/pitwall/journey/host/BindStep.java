package dev.pitwall.journey.host;

import dev.pitwall.card.Floor;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.drain.Departure;
import dev.pitwall.journey.survey.HostSurvey;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps all functions of the card for vfio-pci. It is done when no driver of the host holds one, and none could at the next
 * boot either: what Proxmox binds when a VM starts is gone with the next reboot (facts: proxmox.md 2.3).
 */
final class BindStep implements Step {
    private final Sentences texts;
    private final WorkTimes times;
    private final Devices devices;
    private final IommuStep iommu;
    private final GroupStep group;

    BindStep(Sentences texts, WorkTimes times, Devices devices, IommuStep iommu, GroupStep group) {
        this.texts = texts;
        this.times = times;
        this.devices = devices;
        this.iommu = iommu;
        this.group = group;
    }

    @Override
    public String id() {
        return "bind";
    }

    @Override
    public Floor floor() {
        return Floor.VFIO;
    }

    @Override
    public Set<String> keys() {
        return Set.of(Binding.KEY, "console", Framebuffer.KEY, Departure.KEY);
    }

    @Override
    public Answer look(Situation situation) {
        HostCard card = new HostCard(situation);
        Optional<Answer> kept = card.staysWithHost() ? keptFromHost(card) : Optional.empty();
        return kept.or(() -> card.outOfReach(texts)).orElseGet(() -> look(situation, card));
    }

    /** A host that is to use the card itself cannot while something reserves it for VMs. */
    private Optional<Answer> keptFromHost(HostCard card) {
        Binding binding = new Binding(card, devices, times, texts);
        List<String> by = keepers(card, binding);
        return by.isEmpty() ? Optional.empty() : Optional.of(Answer.of(Answer.State.BLOCKED,
                texts.say("bind.metalKept", texts.list(by)),
                new BindRows(card, binding, new Framebuffer(card, texts), devices, texts).rows()));
    }

    private Answer look(Situation situation, HostCard card) {
        Binding binding = new Binding(card, devices, times, texts);
        Framebuffer framebuffer = new Framebuffer(card, texts);
        List<Found> found = new BindRows(card, binding, framebuffer, devices, texts).rows();
        Answer answer = state(situation, card, binding, framebuffer, found);
        return answer.asking(questions(card, binding, framebuffer).toArray(Answer.Question[]::new));
    }

    private Answer state(Situation situation, HostCard card, Binding binding, Framebuffer framebuffer, List<Found> found) {
        if (binding.held().isEmpty() && binding.exposed().isEmpty()) {
            return framebuffer.pending() ? Answer.of(Answer.State.WAITING, texts.say("bind.waitsForOption"), found)
                    : Answer.of(Answer.State.DONE, done(card, binding), found);
        }
        Optional<String> before = earlier(situation);
        if (before.isPresent()) {
            return Answer.of(Answer.State.WAITING, before.get(), found);
        }
        HostRestart restart = card.restart(times, texts);
        Optional<String> against = against(card, binding);
        if (against.isPresent()) {
            return Answer.of(Answer.State.BLOCKED, against.get(), found).noting(notes(card, binding));
        }
        Optional<Answer> held = restart.holds(found);
        if (held.isPresent()) {
            return held.get();
        }
        var changes = binding.changes(restart);
        return restart.ending(Answer.ready(texts.say("ready", changes.size(), card.host().host()), found, changes)
                .noting(notes(card, binding)));
    }

    /** For example {@code all 2 functions are on vfio-pci, by /etc/modprobe.d/vfio.conf}. */
    private String done(HostCard card, Binding binding) {
        List<String> by = keepers(card, binding);
        int bound = (int) card.functions().stream().filter(f -> f.driver().isPresent()).count();
        return by.isEmpty() ? texts.say(bound == 0 ? "bind.free" : "bind.freeAndBound")
                : texts.count("bind.kept", card.functions().size(), texts.list(by));
    }

    /** The files that keep the card for vfio-pci at the next boot. */
    private static List<String> keepers(HostCard card, Binding binding) {
        return card.functions().stream().map(binding.now()::fate).flatMap(fate -> fate.keptBy().stream()).distinct().toList();
    }

    /** What has to be done or clear before; both may end in the same reboot as this step. */
    private Optional<String> earlier(Situation situation) {
        return switch (iommu.look(situation).state()) {
            case DONE, READY -> group.look(situation).state() == Answer.State.BLOCKED
                    ? Optional.of(texts.say("waits.group")) : Optional.empty();
            case WAITING, BLOCKED, NOT_APPLICABLE, UNKNOWN, SKIPPED -> Optional.of(texts.say("waits.iommu"));
        };
    }

    /** Why it must not be done, with what to do. */
    private Optional<String> against(HostCard card, Binding binding) {
        CardUsers users = new CardUsers(card);
        List<HostSurvey.Guest> containers = users.containers().stream().filter(HostSurvey.Guest::running).toList();
        if (!containers.isEmpty()) {
            return Optional.of(texts.say("bind.container", texts.list(CardUsers.names(containers))));
        }
        if (!users.otherVms().isEmpty()) {
            return Optional.of(texts.say("bind.otherVm", texts.list(CardUsers.names(users.otherVms()))));
        }
        if (losesConsole(card) && card.choices().get("console").filter("give-up"::equals).isEmpty()) {
            return Optional.of(texts.say("bind.console", card.host().host()));
        }
        return binding.means() == Binding.Means.IDS ? binding.laterIds().map(o -> texts.say("bind.laterIds", o.path()))
                : Optional.empty();
    }

    /** True if the firmware's console is on the card and no other graphics could show one. */
    static boolean losesConsole(HostCard card) {
        return card.bootDisplay() && card.host().functions().stream()
                .filter(f -> !f.address().sameSlot(card.slot()))
                .filter(f -> f.driver().filter(Devices.VFIO::equals).isEmpty())
                .noneMatch(f -> f.classCode().filter(c -> c.startsWith("03")).isPresent());
    }

    private List<String> notes(HostCard card, Binding binding) {
        List<String> notes = new ArrayList<>();
        CardUsers users = new CardUsers(card);
        notes.add(texts.say("bind.cost", card.host().host()));
        if (!users.driverModules().isEmpty()) {
            notes.add(texts.say("bind.hostDriver", texts.list(users.driverModules())));
        }
        List<HostSurvey.Guest> off = users.containers().stream().filter(g -> !g.running()).toList();
        if (!off.isEmpty()) {
            notes.add(texts.say("bind.containerOff", texts.list(CardUsers.names(off))));
        }
        if (!users.perhaps().isEmpty()) {
            notes.add(texts.say("bind.containerMay", texts.list(CardUsers.names(users.perhaps()))));
        }
        if (card.bootDisplay()) {
            notes.add(texts.say(losesConsole(card) ? "console.lost" : "console.moves"));
        }
        if (!binding.twins().isEmpty() && binding.means() == Binding.Means.IDS) {
            notes.add(texts.say("bind.takesTwins", texts.list(addresses(binding.twins()))));
        }
        if (new IdleSleep(card, texts).wanted() && !new IdleSleep(card, texts).prevented()) {
            notes.add(texts.say("bind.withIdle"));
        }
        return notes;
    }

    private List<Answer.Question> questions(HostCard card, Binding binding, Framebuffer framebuffer) {
        List<Answer.Question> questions = new ArrayList<>();
        questions.add(new Answer.Question("bind", texts.say("bind.ask"), List.of(
                new Answer.Option("ids", texts.say("bind.ids"), binding.twins().isEmpty() ? texts.say("bind.ids.note")
                        : texts.say("bind.ids.twins", texts.list(addresses(binding.twins())))),
                new Answer.Option("address", texts.say("bind.address"), texts.say("bind.address.note"))),
                binding.means() == Binding.Means.IDS ? "ids" : "address"));
        if (losesConsole(card)) {
            questions.add(new Answer.Question("console", texts.say("console.ask"), List.of(
                    new Answer.Option("keep", texts.say("console.keep"), texts.say("console.keep.note")),
                    new Answer.Option("give-up", texts.say("console.giveUp"), texts.say("console.lost"))),
                    card.choices().get("console").filter("give-up"::equals).orElse("keep")));
        }
        if (framebuffer.matters()) {
            questions.add(framebuffer.question());
        }
        return questions;
    }

    private static List<String> addresses(List<PciFunction> functions) {
        return functions.stream().map(f -> f.address().toString()).toList();
    }
}
