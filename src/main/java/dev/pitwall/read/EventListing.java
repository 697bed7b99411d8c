package dev.pitwall.read;

import java.util.List;
import java.util.Optional;

/** Kubernetes events. */
public record EventListing(List<Event> events, List<String> notes) implements Understood {
    public EventListing {
        events = List.copyOf(events);
        notes = List.copyOf(notes);
    }

    /**
     * @param type   {@code Normal} or {@code Warning}
     * @param object for example {@code pod/ollama-0}
     * @param age    as printed, or the last time as RFC 3339
     * @param from   who reported it
     */
    public record Event(String type, String reason, Optional<String> namespace, Optional<String> object,
                        Optional<String> age, Optional<String> from, String message) {
    }

    @Override
    public Kind kind() {
        return Kind.EVENTS;
    }
}
