package dev.pitwall.lab.kube.cron;

/** A text is no schedule; the message says why, in the words of the library that Kubernetes reads it with. */
public final class ScheduleRefusal extends Exception {
    private static final long serialVersionUID = 1;

    ScheduleRefusal(String message) {
        super(message, null, false, false);
    }
}
