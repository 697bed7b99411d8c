package dev.pitwall.journey.guest;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Step;

import java.util.List;

/** The steps that bring a card from its host into a guest. */
public final class GuestSteps {
    private GuestSteps() {
    }

    /** In the order in which they are walked: {@code vm}, {@code attach}, {@code power-cycle}, {@code guest}. */
    public static List<Step> all() {
        Sentences texts = new Sentences("journey/guest");
        GuestSettings settings = new GuestSettings();
        VmStep vm = new VmStep(texts, settings);
        AttachStep attach = new AttachStep(texts, settings, vm);
        return List.of(vm, attach, new PowerCycleStep(texts, settings, vm, attach), new GuestStep(texts, settings, vm));
    }
}
