package dev.pitwall.journey.guest;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.survey.VmSurvey;

import java.util.List;
import java.util.Optional;

/** A lock of Proxmox on the VM: most end with the task that set them, some only by a person's hand. */
final class VmLock {
    private final Sentences texts;

    VmLock(Sentences texts) {
        this.texts = texts;
    }

    Optional<Answer> stops(VmSurvey vm, List<Found> found) {
        return vm.lock().map(lock -> switch (lock) {
            case "suspended" -> Answer.of(State.BLOCKED, texts.say("lock.suspended", vm.vmid()), found);
            default -> Answer.of(State.WAITING, texts.say("lock.waits", vm.vmid(), lock), found);
        });
    }
}
