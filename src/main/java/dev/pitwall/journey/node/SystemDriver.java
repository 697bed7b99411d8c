package dev.pitwall.journey.node;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.PackageChange;
import dev.pitwall.journey.node.DriverPackages.Build;
import dev.pitwall.journey.node.DriverPackages.Offer;
import dev.pitwall.journey.survey.ShellNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The way on which the node's operating system has the driver as packages. */
final class SystemDriver {
    static final String BRANCH = "driver-branch";
    private static final Pattern IN_NAME = Pattern.compile("-(\\d{3})(?:-|$)");
    /** The kernel about a module that it does not take. */
    private static final Pattern REFUSES = Pattern.compile("rejected by service|unavailable key|Required key not available");
    /** NVIDIA's module about a card that it does not take. */
    private static final Pattern DOES_NOT_TAKE = Pattern.compile("NVRM.*(?:is not supported by|requires use of the NVIDIA open"
            + "|Legacy drivers|No NVIDIA GPU found|None of the NVIDIA devices were initialized)");

    private final NodeView view;
    private final DriverPackages packages;
    private final DriverReleases releases;
    private final NodeTimes times;
    private final Sentences texts;
    private final ShellNode node;

    SystemDriver(NodeView view, DriverPackages packages, DriverReleases releases, NodeTimes times, Sentences texts) {
        this.view = view;
        this.packages = packages;
        this.releases = releases;
        this.times = times;
        this.texts = texts;
        this.node = view.node();
    }

    Answer answer(List<Found> found) {
        if (works()) {
            return Answer.of(State.DONE, texts.count("os.done", node.driver().devices().size(),
                    node.driver().version().orElse("")), found);
        }
        if (node.driver().runfile()) {
            return Answer.of(State.BLOCKED, texts.say("os.runfile", node.name()), found);
        }
        Optional<Offer> offer = chosen();
        if (offer.isEmpty()) {
            return refused(found);
        }
        return plan(offer.get(), found);
    }

    /** NVIDIA's module of these packages is loaded, and lists every card. */
    private boolean works() {
        ShellNode.Driver driver = node.driver();
        boolean own = packages.hasModules(node) || driver.runfile();
        return own && driver.version().isPresent() && driver.trouble().isEmpty() && view.hasCard()
                && driver.devices().size() >= view.cards().size();
    }

    private List<Offer> offers() {
        return packages.offers(node, view.fit(), releases).stream()
                .filter(o -> o.build() == Build.SIGNED || !view.secureBoot() || node.driver().keyEnrolled()).toList();
    }

    /** The branch that is chosen, else the one that is installed in part, else the best. */
    Optional<Offer> chosen() {
        List<Offer> offers = offers();
        OptionalInt wanted = view.situation().choices().number(BRANCH);
        if (wanted.isPresent()) {
            return offers.stream().filter(o -> o.branch() == wanted.getAsInt()).findFirst();
        }
        OptionalInt there = packages.installed(node).stream().flatMapToInt(n -> branch(n).stream()).findFirst();
        return offers.stream().filter(o -> there.isPresent() && o.branch() == there.getAsInt()).findFirst()
                .or(() -> offers.stream().findFirst());
    }

    private static OptionalInt branch(String name) {
        Matcher m = IN_NAME.matcher(name);
        return m.find() ? OptionalInt.of(Integer.parseInt(m.group(1))) : OptionalInt.empty();
    }

    private Answer refused(List<Found> found) {
        if (packages.family(node.release()).isEmpty()) {
            return Answer.of(State.BLOCKED, texts.say("os.unknown", node.release().getOrDefault("PRETTY_NAME", "?")), found);
        }
        if (node.software().offered().isEmpty()) {
            return Answer.of(State.BLOCKED, texts.say("os.noLists", node.machine()), found);
        }
        if (packages.offers(node, view.fit(), releases).isEmpty()) {
            return Answer.of(State.BLOCKED, texts.say("os.noOffer", node.name(), view.fit().names()), found)
                    .noting(texts.say("os.noOffer.way"));
        }
        return Answer.of(State.BLOCKED, texts.say("os.secureBoot", node.name()), found)
                .noting(texts.say("os.mok.make"), texts.say("os.mok.ask"), texts.say("os.mok.console"),
                        texts.say("os.mok.off"));
    }

    private Answer plan(Offer offer, List<Found> found) {
        Optional<List<FileChange>> source = offer.source().isPresent()
                ? offer.source().get().changes(node, texts.say("source.file")) : Optional.of(List.of());
        if (source.isEmpty()) {
            return Answer.of(State.BLOCKED, texts.say("source.noKey", offer.source().get().keyAddress(node.release())), found);
        }
        Optional<PackageChange> install = install(offer);
        Optional<String> refusal = node.driver().log().stream().filter(l -> DOES_NOT_TAKE.matcher(l).find()).findFirst();
        if (install.isEmpty() && refusal.isPresent()) {
            found.add(new DriverRows(view, packages, texts).refusal(refusal.get()));
            return Answer.of(State.BLOCKED, texts.say("os.refused", node.name()), found);
        }
        if (packages.hasModules(node)) {
            Optional<String> rejected = node.driver().log().stream().filter(l -> REFUSES.matcher(l).find()).findFirst();
            if (rejected.isPresent() && view.secureBoot()) {
                return Answer.of(State.BLOCKED, texts.say("os.rejected", node.name()), found)
                        .noting(texts.say("os.mok.ask"), texts.say("os.mok.console"), texts.say("os.mok.off"));
            }
        }
        List<Change> changes = new ArrayList<>(source.get());
        install.ifPresent(changes::add);
        if (!node.driver().nouveauKept()) {
            changes.addAll(new Nouveau(node, times, texts).keptAway());
        }
        changes.add(new NodeRestart(view.situation(), node.machine(), times).change());
        Answer answer = Answer.ready(texts.say(changes.size() == 1 ? "os.restart" : "os.ready", node.name(), offer.branch(),
                texts.say("type." + offer.type().value())), found, changes);
        return answer.noting(notes(offer)).asking(question(offer));
    }

    /** What is not there yet comes; what another branch has left goes, since the two exclude each other. */
    private Optional<PackageChange> install(Offer offer) {
        TreeMap<String, String> after = new TreeMap<>();
        offer.packages().forEach((name, version) -> {
            if (!node.software().has(name) || !version.equals(PackageChange.OFFERED)
                    && !node.software().installed().get(name).equals(version)) {
                after.put(name, version);
            }
        });
        packages.installed(node).stream().filter(n -> branch(n).isPresent() && branch(n).getAsInt() != offer.branch())
                .forEach(name -> after.put(name, PackageChange.ABSENT));
        return after.isEmpty() ? Optional.empty() : Optional.of(PackageChange.of(node.machine(),
                node.software().manager().orElseThrow(), node.software().installed(), after,
                texts.say("os.packages", texts.say("build." + offer.build().name().toLowerCase(Locale.ROOT))),
                times.takes("packages"), times.limit("packages")));
    }

    private List<String> notes(Offer offer) {
        List<String> notes = new ArrayList<>();
        notes.add(texts.say(offer.build() == Build.SIGNED ? "os.signed" : "os.dkms"));
        if (view.operatorDrives()) {
            notes.add(texts.say("os.both.goes"));
        }
        if (!node.software().cutOff().isEmpty()) {
            notes.add(texts.say("os.cutOff", String.join(", ", node.software().cutOff())));
        }
        return notes;
    }

    private Answer.Question question(Offer chosen) {
        List<Answer.Option> options = offers().stream().map(Offer::branch).distinct().map(b -> new Answer.Option(
                Integer.toString(b), texts.say("branch.option", b), releases.newest(b).map(v -> texts.say("branch.live", v))
                .orElse(texts.say("branch.old")))).toList();
        return new Answer.Question(BRANCH, texts.say("branch.ask"), options, Integer.toString(chosen.branch()));
    }
}
