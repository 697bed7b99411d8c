package dev.pitwall.journey.host;

import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.survey.HostSurvey;
import dev.pitwall.journey.survey.Showing;
import dev.pitwall.read.KernelLog;
import dev.pitwall.read.KernelLogReader;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The sleep from which some idle cards never wake, and the parameter of vfio-pci that keeps them from it
 * (facts: proxmox.md 2.5).
 */
final class IdleSleep {
    static final String KEY = "idle-power";
    static final String PARAMETER = "disable_idle_d3";
    static final String MODULE = Devices.name(Devices.VFIO);
    private static final String DEEP = "D3cold";
    private static final Set<String> YES = Set.of("1", "Y", "y", "");

    private final HostCard card;
    private final Sentences texts;

    IdleSleep(HostCard card, Sentences texts) {
        this.card = card;
        this.texts = texts;
    }

    /** True if the running kernel keeps idle cards awake. A file that says so proves nothing. */
    boolean prevented() {
        return YES.contains(card.host().parameters().getOrDefault(MODULE + "." + PARAMETER, "N"));
    }

    /** True if the files say so for the next boot. */
    static boolean configured(ModprobeConfig modprobe) {
        return modprobe.option(MODULE, PARAMETER).map(ModprobeConfig.Option::value).filter(YES::contains).isPresent();
    }

    /** What speaks for it, each as half a sentence; empty where nothing does. */
    List<String> signs() {
        List<String> signs = new ArrayList<>();
        if (asleep()) {
            signs.add(texts.say("idle.sign.asleep"));
        }
        if (wakeFailed().isPresent()) {
            signs.add(texts.say("idle.sign.log"));
        }
        waiting().forEach(vm -> signs.add(texts.say("idle.sign.onboot", vm.id(), vm.name())));
        template().filter(vm -> !vm.onboot())
                .ifPresent(vm -> signs.add(texts.say("idle.sign.template", vm.id(), vm.name())));
        return signs;
    }

    boolean asleep() {
        return deepest().isPresent();
    }

    /** The first function that is in the sleep from which some do not wake. */
    Optional<PciFunction> deepest() {
        return card.functions().stream().filter(f -> card.state(f).flatMap(HostSurvey.FunctionState::powerState)
                .filter(DEEP::equals).isPresent()).findFirst();
    }

    /**
     * VMs with this card that do not start with the host: until somebody starts them the card idles. The one that is to get
     * it counts before it has it, or the step would ask for a second reboot of the host right after.
     */
    private List<HostSurvey.Guest> waiting() {
        Optional<Integer> chosen = card.chosenVm();
        Stream<HostSurvey.Guest> next = card.host().guests().stream()
                .filter(g -> g.type().equals("qemu") && chosen.filter(id -> id == g.id()).isPresent());
        return Stream.concat(CardUsers.holders(card).stream(), next).distinct().filter(g -> !g.onboot()).toList();
    }

    /** What a new VM is to be a copy of: the copy starts with the host if the template says so. */
    private Optional<HostSurvey.Guest> template() {
        OptionalInt from = card.choices().number("new-from");
        return card.choices().get("vm").filter("new"::equals).isEmpty() || card.chosenVm().isPresent() ? Optional.empty()
                : card.host().guests().stream().filter(g -> OptionalInt.of(g.id()).equals(from)).findFirst();
    }

    /** The kernel's line of a wake-up that failed for this card, if its log has one. */
    Optional<String> wakeFailed() {
        return events().filter(e -> e.what().equals("not-ready-after-reset") || e.what().equals("stuck-in-d3"))
                .map(KernelLog.Event::text).reduce((first, last) -> last)
                .or(() -> events().filter(e -> e.what().equals("acpi-power-failed")).map(KernelLog.Event::text)
                        .findFirst());
    }

    /** True if the kernel gave the card up: only a power cycle of the host brings it back (facts: proxmox.md 5.3). */
    boolean givenUp() {
        return events().anyMatch(e -> e.text().contains("giving up") || e.what().equals("stuck-in-d3"));
    }

    private Stream<KernelLog.Event> events() {
        return new HostEvidence(card.host()).text(Showing.KERNEL_LOG).map(new KernelLogReader()::read).stream()
                .flatMap(log -> log.events().stream()).filter(this::concerns);
    }

    /** Lines without an address are counted where there is one card only, which they then must be of. */
    private boolean concerns(KernelLog.Event event) {
        return event.address().map(card.slot()::sameSlot).orElseGet(() -> card.host().functions().stream()
                .filter(PciFunction::isNvidiaGpu).count() <= 1);
    }

    /** Chosen by the person, else by the signs. */
    boolean wanted() {
        Choices choices = card.choices();
        return choices.get(KEY).map("yes"::equals).orElseGet(() -> !signs().isEmpty());
    }

    boolean refused() {
        return card.choices().get(KEY).filter("no"::equals).isPresent();
    }
}
