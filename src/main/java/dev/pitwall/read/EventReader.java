package dev.pitwall.read;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads events: the tables of {@code kubectl get events} and {@code kubectl describe}, and event objects. */
public final class EventReader {

    private static final Pattern DESCRIBED = Pattern.compile(
            "\\s*(Normal|Warning)\\s+([A-Za-z]\\w+)\\s+(\\d\\S*(?:\\s\\(x\\d+ over \\S+\\))?|<unknown>|<invalid>)\\s+(\\S+?(?:, \\S+)?)\\s+(\\S.*)");
    private static final Pattern LISTED = Pattern.compile(
            "\\s*(?:([a-z0-9][a-z0-9-]*)\\s+)?((?:\\d+[smhdy])+(?:\\s\\(x\\d+ over \\S+\\))?|<unknown>|<invalid>)\\s+(Normal|Warning)\\s+([A-Za-z]\\w+)\\s+(\\S+/\\S+)\\s+(\\S.*)");
    private static final Pattern HEAD = Pattern.compile("\\s*(?:Events:|Type\\s+Reason\\s+Age\\s+From\\s+Message|"
            + "----\\s+------.*|(?:NAMESPACE\\s+)?LAST SEEN\\s+TYPE\\s+REASON\\s+OBJECT\\s+MESSAGE)\\s*");

    /** How much the text looks like this form: 0 (not at all) to 1 (nothing else looks so). */
    public double likeness(Text text) {
        long rows = text.hits(t -> DESCRIBED.matcher(t).matches() || LISTED.matcher(t).matches());
        // In "kubectl describe pod" they are a few lines at the end.
        double least = text.hits(t -> t.startsWith("Events:")) > 0 ? 0.32 : 0.25;
        return rows == 0 ? 0 : Math.max(least, 0.25 + 0.7 * text.share(t -> DESCRIBED.matcher(t).matches()
                || LISTED.matcher(t).matches() || HEAD.matcher(t).matches()));
    }

    /** Reads as far as it goes; never throws. */
    public EventListing read(Text text) {
        Notes notes = new Notes();
        List<EventListing.Event> events = new ArrayList<>();
        for (Text.Line line : text.filled(notes::add)) {
            Matcher described = DESCRIBED.matcher(line.text());
            Matcher listed = LISTED.matcher(line.text());
            String end = line.open() ? "…" : "";
            if (line.open()) {
                notes.openEnd(line);
            }
            if (described.matches()) {
                events.add(new EventListing.Event(described.group(1), described.group(2), Optional.empty(), Optional.empty(),
                        Optional.of(described.group(3)), Optional.of(described.group(4)), described.group(5).strip() + end));
            } else if (listed.matches()) {
                events.add(new EventListing.Event(listed.group(3), listed.group(4), Optional.ofNullable(listed.group(1)),
                        Optional.of(listed.group(5)), Optional.of(listed.group(2)), Optional.empty(), listed.group(6).strip() + end));
            }
        }
        return new EventListing(events, notes.list());
    }

    /** One event object, of {@code v1} or {@code events.k8s.io/v1}. */
    public EventListing.Event read(JsonNode event) {
        JsonNode about = event.has("involvedObject") ? event.path("involvedObject") : event.path("regarding");
        Optional<String> object = Json.text(about, "name")
                .map(n -> Text.lower(Json.text(about, "kind").orElse("object")) + "/" + n);
        return new EventListing.Event(Json.text(event, "type").orElse("Normal"), Json.text(event, "reason").orElse(""),
                Json.text(event.path("metadata"), "namespace"), object,
                Json.text(event, "lastTimestamp").or(() -> Json.text(event, "eventTime")),
                Json.text(event.path("source"), "component").or(() -> Json.text(event, "reportingController")),
                Json.text(event, "message").or(() -> Json.text(event, "note")).orElse(""));
    }
}
