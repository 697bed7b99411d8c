package dev.pitwall.lab.kube.cluster;

import java.time.Duration;
import java.time.Instant;

/** Where a pod is in its life. Times are lab time. */
sealed interface PodLife {

    /** When it was created. */
    Instant born();

    /** No node takes it. @param message the scheduler's */
    record Unscheduled(Instant born, String message) implements PodLife {
    }

    /** The sandbox or a volume cannot be set up: on a node, nothing started. */
    record Held(Instant born) implements PodLife {
    }

    /** An init container runs. @param done init containers that have finished */
    record Initializing(Instant born, int done, Instant since) implements PodLife {
    }

    /** The main container's image does not come. @param reason ErrImagePull or ImagePullBackOff */
    record NoImage(Instant born, int initDone, String reason, String message) implements PodLife {
    }

    /** The main container runs but is not ready. */
    record Starting(Instant born, Instant started, int restarts) implements PodLife {
    }

    record Running(Instant born, Instant started) implements PodLife {
    }

    /** The main container was killed and waits for its next try. */
    record Crashing(Instant born, int restarts, Instant started, Instant ended, int exitCode, String reason)
            implements PodLife {
    }

    record Finished(Instant born, Instant started, Instant ended) implements PodLife {
    }

    /** Told to stop, still there. */
    record Terminating(Instant born, Instant started, Instant told, int graceSeconds) implements PodLife {
    }

    /**
     * A container that dies again and again: it runs for a while, then waits 10 s, twice as long each time, at most
     * 300 s, as the kubelet has it.
     */
    static PodLife crashLoop(Instant since, Duration runs, int exitCode, String reason, Instant now) {
        Instant start = since;
        int restarts = 0;
        long wait = 10;
        while (true) {
            Instant death = start.plus(runs);
            if (now.isBefore(death)) {
                return new Starting(since, start, restarts);
            }
            Instant next = death.plusSeconds(wait);
            if (now.isBefore(next)) {
                return new Crashing(since, restarts, start, death, exitCode, reason);
            }
            start = next;
            restarts++;
            wait = Math.min(300, wait * 2);
        }
    }
}
