package dev.pitwall.journey.talos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.Drain;
import dev.pitwall.journey.change.TalosConfigChange;
import dev.pitwall.journey.change.TalosUpgrade;
import dev.pitwall.journey.survey.TalosNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What has to be changed on a Talos node so that it has the driver: first its image, then its configuration. */
final class ExtensionChanges {
    private static final Duration TAKES = Duration.ofMinutes(3);
    /** The factory builds an image at its first pull, which alone may take minutes. */
    private static final Duration LIMIT = Duration.ofMinutes(25);

    private final Sentences texts;
    private final NodeImage image;
    private final Fit fit;
    private final Schematic wanted;
    private final NodeModules modules;

    ExtensionChanges(Sentences texts, NodeImage image, Fit fit, Schematic wanted, NodeModules modules) {
        this.texts = texts;
        this.image = image;
        this.fit = fit;
        this.wanted = wanted;
        this.modules = modules;
    }

    List<Change> of(boolean imageIsRight, Optional<Drain> drain) {
        List<Change> changes = new ArrayList<>();
        TalosNode node = image.node();
        if (!imageIsRight) {
            changes.add(new TalosUpgrade(node.name(), node.address(), image.running(), image.of(wanted), node.factory(),
                    drain, TAKES, LIMIT, texts.say("change.image", last(fit.modules()), last(fit.toolkit()))));
        }
        config(imageIsRight).ifPresent(changes::add);
        return List.copyOf(changes);
    }

    private static String last(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    private Optional<Change> config(boolean imageIsRight) {
        ObjectNode before = JsonNodeFactory.instance.objectNode();
        ObjectNode after = JsonNodeFactory.instance.objectNode();
        List<String> missing = modules.missing(image.version());
        List<String> words = new ArrayList<>();
        if (!missing.isEmpty()) {
            set(before, "kernel", "modules", modules.before());
            set(after, "kernel", "modules", modules.after(image.version()));
            words.add(texts.say("change.modules", String.join(", ", missing)));
        }
        // What is noted is what the node would be installed with anew.
        Optional<String> noted = image.noted().filter(r -> !imageIsRight && !r.equals(image.of(wanted).reference()));
        noted.ifPresent(reference -> {
            set(before, "install", "image", JsonNodeFactory.instance.textNode(reference));
            set(after, "install", "image", JsonNodeFactory.instance.textNode(image.of(wanted).reference()));
            words.add(texts.say("change.image.noted"));
        });
        return words.isEmpty() ? Optional.empty() : Optional.of(new TalosConfigChange(image.node().name(),
                image.node().address(), before, after, String.join("; ", words)));
    }

    private static void set(ObjectNode tree, String part, String field, JsonNode value) {
        tree.withObjectProperty("machine").withObjectProperty(part).set(field, value);
    }
}
