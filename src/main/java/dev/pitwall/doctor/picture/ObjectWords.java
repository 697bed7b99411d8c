package dev.pitwall.doctor.picture;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.doctor.picture.words.ClusterWords;
import dev.pitwall.doctor.picture.words.Spoken;
import dev.pitwall.doctor.sign.LineScanner;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.doctor.sign.SignTable;

/**
 * Reads the sentences that stand in objects, such as an event's message or why a container waits, and gives them to the
 * scanner of lines in the words of kubectl: one expression finds a thing in an object and in a pasted text.
 */
public final class ObjectWords {
    private final SignTable table;
    private final LineScanner scanner;
    private final ClusterWords words = new ClusterWords();

    public ObjectWords(SignTable table, LineScanner scanner) {
        this.table = table;
        this.scanner = scanner;
    }

    /** Reads one object. */
    public void read(JsonNode object, String from, About about) {
        if (object.path("kind").asText().equals("Event")) {
            event(object, from, about);
        } else {
            words.of(object).ifPresent(spoken -> say(spoken, object, from, about));
        }
    }

    private void say(Spoken spoken, JsonNode object, String from, About place) {
        scanner.said(from + " " + object.path("kind").asText() + " " + spoken.name(),
                about(spoken.name(), spoken.node(), spoken.pod(), place), String.join("\n", spoken.lines()));
    }

    /** What an event says is about the object it names, and that object's node, if a node reported it. */
    private void event(JsonNode event, String from, About place) {
        JsonNode subject = event.has("involvedObject") ? event.path("involvedObject") : event.path("regarding");
        String name = subject.path("name").asText("");
        String kind = subject.path("kind").asText();
        String pod = kind.equals("Pod") ? subject.path("namespace").asText("") + "/" + name : "";
        String node = kind.equals("Node") ? name
                : event.path("source").path("host").asText(event.path("deprecatedSource").path("host").asText(""));
        String text = event.path("reason").asText("") + " " + event.path("message").asText(event.path("note").asText(""));
        scanner.said(from + " event of " + name, about(name, node, pod, place), text);
    }

    private About about(String name, String node, String pod, About place) {
        return new About(table.component(name), node.isEmpty() ? place.node() : node, place.card(), pod);
    }
}
