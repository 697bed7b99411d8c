package dev.pitwall.journey.node;

import dev.pitwall.card.Floor;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.drain.Departure;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Who brings NVIDIA's driver into the node's kernel: the GPU Operator in a container, or the operating system by its
 * packages. Never both: two drivers in one kernel do not go (facts: cluster.md 1.6, 6).
 */
final class DriverStep implements Step {
    /** Of a node that runs Talos: which line of drivers. */
    private static final String TALOS_TIER = "tier";

    private final NodeReading reading;
    private final Generations generations;
    private final DriverPackages packages;
    private final DriverReleases releases;
    private final WhoBrings who;
    private final NodeTimes times;
    private final Sentences texts;

    DriverStep(NodeReading reading, Generations generations, DriverPackages packages, DriverReleases releases,
               NodeTimes times, Sentences texts) {
        this.reading = reading;
        this.generations = generations;
        this.packages = packages;
        this.releases = releases;
        this.who = new WhoBrings(packages);
        this.times = times;
        this.texts = texts;
    }

    @Override
    public String id() {
        return "driver";
    }

    @Override
    public Floor floor() {
        return Floor.DRIVER;
    }

    @Override
    public Set<String> keys() {
        return Set.of(Brings.DRIVER, SystemDriver.BRANCH, Departure.KEY, TALOS_TIER);
    }

    @Override
    public Answer look(Situation situation) {
        return reading.answer(situation, node -> look(NodeView.of(situation, node, generations)));
    }

    private Answer look(NodeView view) {
        List<Found> found = new DriverRows(view, packages, texts).rows();
        Brings brings = who.driver(view.situation()).orElseThrow();
        if (releases.liveBranches().noneMatch(view.fit()::takes)) {
            return Answer.of(State.BLOCKED, texts.say("driver.none", view.fit().names()), found);
        }
        Answer answer = switch (brings) {
            case OPERATOR -> new OperatorDriver(view, packages, times, texts).answer(found);
            case OS -> new SystemDriver(view, packages, releases, times, texts).answer(found);
        };
        return asking(view, brings, restarting(view, answer));
    }

    /** A step that ends in a reboot waits for the card, is refused where something would be lost, and says what stops. */
    private Answer restarting(NodeView view, Answer answer) {
        if (answer.state() != State.READY) {
            return answer;
        }
        NodeRestart restart = new NodeRestart(view.situation(), view.node().machine(), times);
        Optional<Answer> held = restart.holds(answer.found());
        List<Change> changes = answer.changes();
        if (held.isPresent()) {
            return held.get().noting(answer.notes()).asking(answer.questions().toArray(Answer.Question[]::new))
                    .asking(restart.questions().toArray(Answer.Question[]::new));
        }
        Answer planned = view.hasCard() ? answer : new Answer(State.WAITING, texts.say("waits.card"), answer.found(),
                List.of(), changes, answer.notes(), answer.questions());
        return planned.noting(restart.notes()).asking(restart.questions().toArray(Answer.Question[]::new));
    }

    private Answer asking(NodeView view, Brings brings, Answer answer) {
        Brings best = who.driver(view.situation(), view.node());
        Answer.Question question = new Answer.Question(Brings.DRIVER, texts.say("driver.ask"), List.of(
                new Answer.Option(Brings.OPERATOR.value(), label("driver.operator", best == Brings.OPERATOR),
                        texts.say("driver.operator.note")),
                new Answer.Option(Brings.OS.value(), label("driver.os", best == Brings.OS), texts.say("driver.os.note"))),
                brings.value());
        Answer asked = answer.asking(question).noting(texts.say(why(view)));
        return view.fit().unknown().isEmpty() ? asked : asked.noting(texts.say("driver.unknownCard",
                view.fit().unknown().getFirst().vendorDevice().orElse("?")));
    }

    private String why(NodeView view) {
        return switch (who.reason(view.situation(), view.node())) {
            case SECURE_BOOT -> "driver.why.secureBoot";
            case THERE -> "driver.why.there";
            case PLUGIN -> "driver.why.plugin";
            case NOTHING_THERE -> "driver.why.operator";
        };
    }

    private String label(String key, boolean recommended) {
        return recommended ? texts.say("recommended", texts.say(key)) : texts.say(key);
    }
}
