package dev.pitwall.doctor.picture;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.doctor.sign.LineScanner;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.doctor.sign.SignBook;
import dev.pitwall.doctor.sign.SignTable;

/** Reads the sentences that stand in objects, such as an event's message, and gives them to the scanner of lines. */
public final class ObjectWords {
    private final SignTable table;
    private final SignBook book;
    private final LineScanner scanner;

    public ObjectWords(SignTable table, SignBook book, LineScanner scanner) {
        this.table = table;
        this.book = book;
        this.scanner = scanner;
    }

    /** Reads one object. */
    public void read(JsonNode object, String from, About about) {
        switch (object.path("kind").asText()) {
            case "Event" -> event(object, from, about);
            default -> { }
        }
    }

    private void event(JsonNode event, String from, About place) {
        JsonNode about = event.has("involvedObject") ? event.path("involvedObject") : event.path("regarding");
        String name = about.path("name").asText("");
        String pod = about.path("kind").asText().equals("Pod") ? about.path("namespace").asText("") + "/" + name : "";
        String text = event.path("reason").asText("") + " " + event.path("message").asText(event.path("note").asText(""));
        scanner.said(from + " event of " + name,
                new About(table.component(name), place.node(), place.card(), pod), text);
    }

    /** Notes a sign that an object itself gives. */
    void note(Sign sign) {
        book.add(sign);
    }
}
