package dev.pitwall.doctor.live;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.ServerReport;
import dev.pitwall.card.SiteFacts;
import dev.pitwall.card.SiteFacts.ServerPlace;
import dev.pitwall.doctor.evidence.Document;
import dev.pitwall.doctor.sign.Hint;
import dev.pitwall.doctor.sign.Sign.About;

import java.util.Optional;

/** What the site's model servers said last of the models that they have loaded, in the form of their own answer. */
final class ServersPart implements LiveEvidence.Part {
    private final Places places;

    ServersPart(Places places) {
        this.places = places;
    }

    @Override
    public void gather(Gathered found) {
        places.facts().ifPresent(facts -> facts.servers().forEach((name, report) -> report.value()
                .filter(r -> r.software().equals("ollama") && !r.loaded().isEmpty() && report.trouble().isEmpty())
                .ifPresent(r -> found.add(Document.text("GET /api/ps of " + name, Hint.COMMAND_OUTPUT, about(facts, name), text(r))))));
    }

    private About about(SiteFacts facts, String name) {
        return Optional.ofNullable(facts.serverPlaces().get(name)).flatMap(ServerPlace::node).map(places::node)
                .orElse(About.NOTHING).of(name);
    }

    private static String text(ServerReport report) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        ArrayNode models = answer.putArray("models");
        report.loaded().forEach(model -> {
            ObjectNode entry = models.addObject().put("name", model.name()).put("model", model.name());
            model.sizeBytes().ifPresent(size -> entry.put("size", size));
            model.vramBytes().ifPresent(size -> entry.put("size_vram", size));
        });
        return answer.toPrettyString() + "\n";
    }
}
