package dev.pitwall.journey.guest;

import dev.pitwall.journey.Situation;
import dev.pitwall.journey.survey.VmSurvey;

/** Whether the VM that a card is for runs with it, for the steps above the VM. */
public final class CardInVm {

    private CardInVm() {
    }

    /** True if the VM is off, or runs without an entry that is the card or may be it. A bare machine lacks nothing. */
    public static boolean isLacking(Situation situation) {
        return situation.vm().filter(vm -> !vm.running() || !mayHave(situation, vm)).isPresent();
    }

    private static boolean mayHave(Situation situation, VmSurvey vm) {
        CardEntries entries = new CardEntries(situation);
        return !entries.of(vm.live()).isEmpty() || entries.all(vm.live()).stream().anyMatch(entries::hidden);
    }
}
