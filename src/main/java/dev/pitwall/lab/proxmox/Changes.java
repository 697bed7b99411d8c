package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.World;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Changes of a world that look first and may refuse: all of it under one hold of the world's lock. */
final class Changes {
    private final World world;

    /** A change that may refuse. */
    @FunctionalInterface
    interface Attempt<T> {
        T make(World world) throws PveError;
    }

    Changes(World world) {
        this.world = world;
    }

    /** @throws PveError what the attempt refused with; the world then is as the attempt left it */
    <T> T make(Attempt<T> attempt) throws PveError {
        AtomicReference<T> result = new AtomicReference<>();
        AtomicReference<PveError> refusal = new AtomicReference<>();
        world.change(w -> {
            try {
                result.set(attempt.make(w));
            } catch (PveError e) {
                refusal.set(e);
            }
        });
        Optional<PveError> refused = Optional.ofNullable(refusal.get());
        if (refused.isPresent()) {
            throw refused.get();
        }
        return result.get();
    }
}
