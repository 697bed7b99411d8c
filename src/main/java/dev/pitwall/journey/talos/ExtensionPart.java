package dev.pitwall.journey.talos;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Sentences;
import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.Option;
import dev.pitwall.journey.Answer.Question;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.TalosUpgrade;
import dev.pitwall.journey.node.DriverFit;
import dev.pitwall.journey.node.Generations;
import dev.pitwall.journey.survey.ShellNode;
import dev.pitwall.journey.survey.TalosNode;
import dev.pitwall.journey.survey.TalosShowing;
import dev.pitwall.journey.survey.UnreadNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The step {@code driver} on a Talos node: the NVIDIA extensions that fit its cards and its release are in its image, its
 * machine configuration names their modules, and the driver has the card (facts: cluster.md 4).
 */
public final class ExtensionPart {
    static final String DRIVER = "driver";
    static final String EXTENSION = "extension";
    static final String TIER = "tier";
    /** Modules that are named are loaded within seconds; the boot before may take a while. */
    private static final Duration LOADING = Duration.ofMinutes(2);

    private final Sentences texts = new Sentences("journey/talos");
    private final Generations generations = new Generations();

    /** The keys of its questions. */
    public static Set<String> keys() {
        return Set.of(DRIVER, TIER, TalosDrain.KEY);
    }

    /** @return empty where the node does not run Talos, or is not known */
    public Optional<Answer> look(Situation situation) {
        return situation.node().flatMap(node -> switch (node) {
            case TalosNode talos -> Optional.of(look(situation, talos));
            case ShellNode shell -> Optional.empty();
            case UnreadNode unread -> Optional.empty();
        });
    }

    private Answer look(Situation s, TalosNode node) {
        Optional<Release> release = Release.of(node.version());
        Optional<TalosVersion> version = TalosVersion.of(node.version());
        if (release.isEmpty() || version.isEmpty()) {
            return Answer.of(State.BLOCKED, texts.say("release.unknown", node.version(), Release.newest()), List.of());
        }
        if (node.config().isEmpty()) {
            return unread(node, TalosShowing.CONFIG, "config.unread");
        }
        List<PciFunction> cards = cards(s, node);
        DriverFit drivers = DriverFit.of(cards, generations);
        List<Fit> fits = Fit.of(release.get(), cards, drivers);
        if (fits.isEmpty()) {
            return Answer.of(State.BLOCKED, texts.say("fit.none", node.version(), drivers.names(), from(cards, drivers)),
                    List.of());
        }
        Optional<Answer> hidden = hidden(node, fits.getFirst());
        if (hidden.isPresent()) {
            return hidden.get();
        }
        NodeImage image = new NodeImage(node, version.get(), schematic(node).orElseThrow());
        Fit fit = chosen(s, fits, image.schematic());
        Answer answer = judge(s, new Wanted(image, fit, node.config().get()));
        return asking(noted(answer, drivers), s, fits, fit, image);
    }

    /** What the node is to have. */
    private record Wanted(NodeImage image, Fit fit, JsonNode config) {
        TalosNode node() {
            return image.node();
        }

        Schematic schematic() {
            return image.schematic().with(fit.over(image.schematic().extensions()));
        }

        /** In whatever order: another order alone is no reason to reboot. */
        boolean imageIsRight() {
            return new HashSet<>(schematic().extensions()).equals(new HashSet<>(image.schematic().extensions()));
        }

        NodeModules modules() {
            return new NodeModules(node(), config);
        }
    }

    /** What is in the node, and the card that is to come into it. */
    private static List<PciFunction> cards(Situation s, TalosNode node) {
        return Stream.concat(node.devices().stream(), s.host().slot(s.card().slot()).stream())
                .filter(PciFunction::isNvidiaGpu).toList();
    }

    private String from(List<PciFunction> cards, DriverFit drivers) {
        List<String> lines = Release.all().stream().filter(r -> !Fit.of(r, cards, drivers).isEmpty())
                .flatMap(r -> TalosVersion.of(r.talos()).stream()).map(TalosVersion::line).distinct().toList();
        return lines.isEmpty() ? texts.say("fit.never") : texts.say("fit.from", String.join(", ", lines));
    }

    private Answer unread(TalosNode node, TalosShowing what, String text) {
        Optional<Trouble> trouble = Optional.ofNullable(node.unread().get(what.key()));
        return Answer.of(State.UNKNOWN, texts.say(text, node.name(), trouble.map(Trouble::what).orElse("")), List.of())
                .noting(trouble.map(Trouble::next).stream().toList());
    }

    /** What the image is made of has to be known, or its other parts would be lost. */
    private Optional<Answer> hidden(TalosNode node, Fit fit) {
        if (node.unread().containsKey(TalosShowing.SCHEMATIC.key())) {
            return Optional.of(unread(node, TalosShowing.SCHEMATIC, "schematic.unread"));
        }
        Optional<Schematic> schematic = schematic(node);
        if (schematic.isEmpty()) {
            return Optional.of(Answer.of(State.BLOCKED, texts.say("schematic.foreign", node.name(), node.factory()),
                    List.of()));
        }
        return schematic.filter(Schematic::holdsSecrets).map(secret -> Answer.of(State.BLOCKED,
                texts.say("schematic.secrets", node.name(), fit.modules(), fit.toolkit()), List.of()));
    }

    /** One without the factory's mark and without extensions is the plain image of Talos. */
    private static Optional<Schematic> schematic(TalosNode node) {
        return node.image().schematic().isEmpty() && node.extensions().isEmpty() ? Optional.of(Schematic.empty())
                : node.image().content().flatMap(Schematic::parse);
    }

    /** What was chosen; else what the image has already, if it fits; else the best. */
    private static Fit chosen(Situation s, List<Fit> fits, Schematic present) {
        Optional<Fit> installed = Fit.installed(fits, present.extensions());
        Optional<String> wish = s.choices().get(TIER);
        if (wish.isEmpty()) {
            return installed.orElse(fits.getFirst());
        }
        return installed.filter(fit -> fit.choice().equals(wish.get()))
                .or(() -> fits.stream().filter(fit -> fit.choice().equals(wish.get())).findFirst())
                .orElse(fits.getFirst());
    }

    private Answer judge(Situation s, Wanted wanted) {
        ExtensionRows rows = new ExtensionRows(texts, wanted.node());
        rows.image(wanted.image().schematic(), wanted.fit(), wanted.imageIsRight());
        rows.modules(wanted.modules(), wanted.modules().missing(wanted.image().version()));
        Optional<PciFunction> card = card(s, wanted.node());
        rows.card(card);
        Optional<String> lacking = wanted.schematic().extensions().stream().filter(name ->
                !wanted.node().offered().isEmpty() && !wanted.node().offered().contains(name)).findFirst();
        if (lacking.isPresent()) {
            return Answer.of(State.BLOCKED, texts.say("offered.lacks", lacking.get(), wanted.node().version()), rows.all());
        }
        ExtensionChanges making = new ExtensionChanges(texts, wanted.image(), wanted.fit(), wanted.schematic(),
                wanted.modules());
        List<Change> changes = making.of(wanted.imageIsRight(), new TalosDrain(s, texts).drain());
        if (card.isEmpty()) {
            return Answer.waiting(texts.say("driver.waits.card", wanted.node().name()), rows.all(), changes)
                    .noting(changes.isEmpty() ? List.of() : notes(s, wanted));
        }
        if (!changes.isEmpty()) {
            return Answer.ready(wanted.imageIsRight() ? texts.say("driver.ready.modules")
                            : texts.say("driver.ready.image", wanted.fit().modules(), wanted.fit().toolkit()), rows.all(), changes)
                    .noting(notes(s, wanted));
        }
        return loaded(wanted, card.get(), rows);
    }

    /** All is there: has the driver the card? */
    private Answer loaded(Wanted wanted, PciFunction card, ExtensionRows rows) {
        if (card.driver().filter("nvidia"::equals).isPresent()) {
            return Answer.of(State.DONE, texts.say("driver.done", wanted.fit().driver()), rows.all());
        }
        Optional<String> refusal = rows.refusal();
        if (refusal.isPresent()) {
            return Answer.of(State.BLOCKED, texts.say("driver.refused", wanted.node().name(), refusal.get()), rows.all());
        }
        boolean module = wanted.node().modules().contains("nvidia");
        return Answer.of(State.WAITING, texts.say(module ? "driver.waits.bind" : "driver.waits.load"), rows.all())
                .coming(module ? "driver-binds" : "modules-load", LOADING);
    }

    /** The card in the node: the one with its ids; where the host does not tell those, any that is there. */
    private static Optional<PciFunction> card(Situation s, TalosNode node) {
        Optional<String> ids = s.host().slot(s.card().slot()).stream().filter(PciFunction::isNvidiaGpu).findFirst()
                .flatMap(PciFunction::vendorDevice);
        return node.devices().stream().filter(PciFunction::isNvidiaGpu)
                .filter(f -> ids.isEmpty() || f.vendorDevice().equals(ids)).findFirst();
    }

    private List<String> notes(Situation s, Wanted wanted) {
        List<String> notes = new ArrayList<>();
        TalosNode node = wanted.node();
        if (!wanted.imageIsRight()) {
            notes.add(texts.say("note.reboot", node.name(), kept(wanted)));
            notes.addAll(new TalosDrain(s, texts).notes());
            notes.add(texts.say("note.tied", node.version()));
        }
        if (node.worker()) {
            notes.add(texts.say("note.taint"));
        }
        return notes;
    }

    private String kept(Wanted wanted) {
        List<String> others = new ArrayList<>(wanted.image().schematic().extensions());
        others.retainAll(wanted.schematic().extensions());
        List<String> arguments = wanted.schematic().kernelArguments();
        return others.isEmpty() && arguments.isEmpty() ? texts.say("note.kept.none")
                : arguments.isEmpty() ? texts.say("note.kept", texts.list(others))
                : texts.say("note.kept.arguments", texts.list(others), String.join(" ", arguments));
    }

    private Answer noted(Answer answer, DriverFit drivers) {
        return drivers.unknown().isEmpty() ? answer : answer.noting(texts.say("note.unknownCard",
                drivers.unknown().getFirst().name().orElse(drivers.unknown().getFirst().vendorDevice().orElse(""))));
    }

    private Answer asking(Answer answer, Situation s, List<Fit> fits, Fit fit, NodeImage image) {
        Question driver = new Question(DRIVER, texts.say("ask.driver"), List.of(new Option(EXTENSION,
                texts.say("ask.driver.extension"), texts.say("ask.driver.extension.note"))), EXTENSION);
        Optional<Fit> installed = Fit.installed(fits, image.schematic().extensions());
        Question tier = new Question(TIER, texts.say("ask.tier"), fits.stream()
                .filter(f -> fits.stream().filter(o -> o.tier() == f.tier()).findFirst().equals(Optional.of(f)))
                .map(f -> new Option(f.choice(), texts.say("ask.tier.option", f.choice(), f.driver(), f.type().value()),
                        texts.say(installed.filter(f::equals).isPresent() ? "ask.tier.installed"
                                : f.equals(fits.getFirst()) ? "ask.tier.newest" : "ask.tier.other"))).toList(), fit.choice());
        Answer asked = answer.asking(driver, tier);
        boolean upgrades = answer.intended().stream().anyMatch(TalosUpgrade.class::isInstance);
        return upgrades ? asked.asking(new TalosDrain(s, texts).questions().toArray(Question[]::new)) : asked;
    }
}
