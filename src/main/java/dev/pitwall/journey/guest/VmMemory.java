package dev.pitwall.journey.guest;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.survey.DatacenterSurvey;
import dev.pitwall.journey.survey.DatacenterSurvey.Memory;
import dev.pitwall.journey.survey.HostSurvey.Guest;
import dev.pitwall.journey.survey.Showing;
import dev.pitwall.journey.survey.VmSurvey;
import dev.pitwall.read.PropertyText;

import java.util.Map;
import java.util.Optional;

/** A VM with a card has all its memory from the start on, since VFIO pins it (facts 1.9). */
final class VmMemory {
    /** Proxmox's own when none is set, in MiB. */
    private static final long DEFAULT_MIB = 512;

    private final Sentences texts;

    VmMemory(Sentences texts) {
        this.texts = texts;
    }

    /** What a configuration gives its guest, in MiB; {@code memory} is a property text with one property. */
    static long configured(Map<String, String> config) {
        return Optional.ofNullable(config.get("memory"))
                .flatMap(text -> PropertyText.parse(text, "current").get("current"))
                .filter(text -> text.matches("\\d{1,9}")).map(Long::valueOf).orElse(DEFAULT_MIB);
    }

    /** Why the host can never give it. */
    Optional<String> tooMuch(Situation s, VmSurvey vm) {
        return host(s).filter(m -> configured(vm.config()) > m.totalMiB())
                .map(m -> texts.say("memory.never", vm.vmid(), configured(vm.config()), s.host().host(), m.totalMiB()));
    }

    /**
     * What may become tight. A VM that is off is held against what is free now; of one that runs it is not known how
     * much it has already, so all guests that run are added up.
     */
    Optional<String> note(Situation s, VmSurvey vm) {
        long wanted = configured(vm.config());
        if (!vm.running()) {
            return host(s).filter(m -> wanted > m.availableMiB())
                    .map(m -> texts.say("memory.now", vm.vmid(), wanted, s.host().host(), m.availableMiB()));
        }
        long all = s.host().guests().stream().filter(Guest::running).mapToLong(g -> configured(g.config())).sum();
        return host(s).filter(m -> all > m.totalMiB())
                .map(m -> texts.say("memory.all", all, m.totalMiB(), s.host().host(), vm.vmid(), wanted));
    }

    void found(Situation s, VmSurvey vm, VmEvidence evidence) {
        evidence.vm(Showing.CONFIG, texts.say("row.memory"), configured(vm.config()) + " MiB",
                tooMuch(s, vm).isPresent() ? Mark.BAD : note(s, vm).isPresent() ? Mark.ATTENTION : Mark.OK,
                "\"memory\"");
        host(s).ifPresent(m -> evidence.datacenter(Showing.NODE, texts.say("row.hostMemory"),
                texts.say("row.hostMemory.value", m.totalMiB(), m.availableMiB()), Mark.INFO, "\"total\""));
    }

    private static Optional<Memory> host(Situation s) {
        return s.datacenter().flatMap(DatacenterSurvey::memory);
    }
}
