package dev.pitwall.journey.node;

import dev.pitwall.card.Floor;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.PackageChange;
import dev.pitwall.journey.survey.Evidence;
import dev.pitwall.journey.survey.ShellNode;
import dev.pitwall.journey.survey.ShellNode.Engine;
import dev.pitwall.journey.survey.Showing;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Who teaches containerd about cards: the GPU Operator's toolkit container, or the toolkit's packages in the node. */
final class RuntimeStep implements Step {
    private static final String PACKAGE = "nvidia-container-toolkit";

    private final NodeReading reading;
    private final DriverStep driver;
    private final DriverPackages packages;
    private final WhoBrings who;
    private final NodeTimes times;
    private final Sentences texts;

    RuntimeStep(NodeReading reading, DriverStep driver, DriverPackages packages, NodeTimes times, Sentences texts) {
        this.reading = reading;
        this.driver = driver;
        this.packages = packages;
        this.who = new WhoBrings(packages);
        this.times = times;
        this.texts = texts;
    }

    @Override
    public String id() {
        return "runtime";
    }

    @Override
    public Floor floor() {
        return Floor.RUNTIME;
    }

    @Override
    public Set<String> keys() {
        return Set.of(Brings.TOOLKIT);
    }

    @Override
    public Answer look(Situation situation) {
        return reading.answer(situation, node -> look(situation, node));
    }

    private Answer look(Situation situation, ShellNode node) {
        List<Found> found = rows(node);
        Optional<Engine> engine = node.runtime().engine();
        if (engine.isEmpty()) {
            return Answer.of(State.BLOCKED, texts.say("runtime.none", node.name()), found);
        }
        Brings brings = who.toolkit(situation).orElseThrow();
        ContainerdHandler handler = new ContainerdHandler(node, engine.get(), times, texts);
        Answer answer = handler.hindrance().map(path -> Answer.of(State.BLOCKED, texts.say("runtime.template", path), found)
                .noting(texts.say("runtime.template.way"))).orElseGet(() -> switch (brings) {
                    case OPERATOR -> operator(node, handler, found);
                    case OS -> system(situation, node, handler, found);
                });
        return answer.asking(question(situation, node, brings));
    }

    private Answer operator(ShellNode node, ContainerdHandler handler, List<Found> found) {
        if (node.software().has(PACKAGE)) {
            TreeMap<String, String> after = new TreeMap<>();
            packages.toolkit().stream().filter(node.software()::has).forEach(n -> after.put(n, PackageChange.ABSENT));
            List<Change> changes = new ArrayList<>();
            changes.add(change(node, after, texts.count("packages.go", after.size())));
            changes.addAll(handler.changes().reversed().subList(0, 1));
            return Answer.ready(texts.say("runtime.both", node.name()), found, changes)
                    .noting(texts.say("runtime.both.goes"));
        }
        Answer answer = Answer.of(State.NOT_APPLICABLE, texts.say("runtime.operator"), found);
        return handler.ownTemplate().map(path -> answer.noting(texts.say("runtime.ownTemplate", path))).orElse(answer);
    }

    private Answer system(Situation situation, ShellNode node, ContainerdHandler handler, List<Found> found) {
        List<String> missing = packages.toolkit().stream().filter(n -> !node.software().has(n)).toList();
        if (missing.isEmpty() && handler.there()) {
            return Answer.of(State.DONE, texts.say("runtime.done", node.software().installed().get(PACKAGE)), found);
        }
        Optional<List<FileChange>> source = source(node);
        if (source.isEmpty()) {
            return Answer.of(State.BLOCKED, texts.say("source.noKey",
                    packages.toolkitSource(node).orElseThrow().keyAddress(node.release())), found);
        }
        List<Change> changes = new ArrayList<>(source.get());
        if (!missing.isEmpty()) {
            TreeMap<String, String> after = new TreeMap<>();
            missing.forEach(name -> after.put(name, PackageChange.OFFERED));
            changes.add(change(node, after, texts.say("runtime.packages")));
        }
        changes.addAll(handler.changes());
        Answer answer = Answer.ready(texts.say("runtime.ready", node.name(), node.runtime().unit()), found, changes)
                .noting(texts.say("runtime.restart", node.runtime().unit()), texts.say("runtime.cdi"));
        return waiting(situation, answer);
    }

    private Optional<List<FileChange>> source(ShellNode node) {
        return packages.toolkitSource(node).map(s -> s.changes(node, texts.say("source.file"))).orElse(Optional.of(List.of()));
    }

    private PackageChange change(ShellNode node, TreeMap<String, String> after, String summary) {
        return PackageChange.of(node.machine(), node.software().manager().orElseThrow(), node.software().installed(), after,
                summary, times.takes("toolkit"), times.limit("toolkit"));
    }

    /** A driver that is to come first takes the machine down; one that cannot come leaves nothing to inject. */
    private Answer waiting(Situation situation, Answer answer) {
        if (answer.state() != State.READY) {
            return answer;
        }
        return switch (driver.look(situation).state()) {
            case DONE, READY, NOT_APPLICABLE, SKIPPED -> answer;
            case WAITING, BLOCKED, UNKNOWN -> new Answer(State.WAITING, texts.say("waits.driver"), answer.found(), List.of(),
                    answer.changes(), answer.notes(), answer.questions());
        };
    }

    private Answer.Question question(Situation situation, ShellNode node, Brings brings) {
        Brings best = who.toolkit(situation, node);
        return new Answer.Question(Brings.TOOLKIT, texts.say("toolkit.ask"), List.of(
                new Answer.Option(Brings.OPERATOR.value(), label("toolkit.operator", best == Brings.OPERATOR),
                        texts.say("toolkit.operator.note")),
                new Answer.Option(Brings.OS.value(), label("toolkit.os", best == Brings.OS), texts.say("toolkit.os.note"))),
                brings.value());
    }

    private String label(String key, boolean recommended) {
        return recommended ? texts.say("recommended", texts.say(key)) : texts.say(key);
    }

    private List<Found> rows(ShellNode node) {
        Evidence evidence = Evidence.of(node);
        List<Found> rows = new ArrayList<>();
        rows.add(evidence.row(texts.say("row.engine"), node.runtime().engine().map(e -> texts.say("engine." + e.name()
                        .toLowerCase(Locale.ROOT)) + " · " + node.runtime().unit()).orElse(texts.say("row.engine.none")),
                node.runtime().engine().isPresent() ? Mark.INFO : Mark.BAD, Showing.SERVICES));
        String version = node.software().installed().getOrDefault(PACKAGE, "");
        rows.add(evidence.row(texts.say("row.toolkit"), version.isEmpty() ? texts.say("row.toolkit.none") : version, Mark.INFO,
                Showing.PACKAGES, l -> l.startsWith(PACKAGE + "\t")));
        rows.add(evidence.row(texts.say("row.binary"), node.runtime().programs().isEmpty() ? texts.say("row.binary.none")
                : texts.list(node.runtime().programs()), Mark.INFO, Showing.RUNTIMES));
        node.runtime().engine().ifPresent(engine -> {
            boolean there = new ContainerdHandler(node, engine, times, texts).there();
            rows.add(evidence.row(texts.say("row.handler"), texts.say(there ? "row.handler.there" : "row.handler.none",
                    engine.config()), there ? Mark.OK : Mark.INFO, Showing.RUNTIMES));
        });
        rows.add(evidence.row(texts.say("row.cdi"), node.runtime().specs().isEmpty() ? texts.say("row.cdi.none")
                : texts.list(node.runtime().specs()), Mark.INFO, Showing.CDI));
        return rows;
    }
}
