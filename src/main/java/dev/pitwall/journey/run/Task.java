package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Proxmox;

import java.time.Duration;
import java.util.Optional;

/** Writes of the API that may go on as a task: only its end tells whether it worked (facts 1.11). */
final class Task {
    private final Proxmox proxmox;
    private final String place;

    Task(Proxmox proxmox, String place) {
        this.proxmox = proxmox;
        this.place = place;
    }

    void run(Proxmox.Call call, Duration limit) throws TroubleException, InterruptedException {
        Optional<String> task = proxmox.send(call);
        if (task.isPresent()) {
            Proxmox.TaskEnd end = proxmox.await(task.get(), limit, line -> { });
            if (!end.ok()) {
                throw failed(place, end);
            }
        }
    }

    static TroubleException failed(String place, Proxmox.TaskEnd end) {
        return end.why().map(TroubleException::new).orElseGet(() -> Refusal.failed(place, "its task ended with: "
                + end.text(), "Read the task's log in Proxmox."));
    }
}
