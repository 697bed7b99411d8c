package dev.pitwall.journey.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.PackageChange;
import dev.pitwall.journey.change.Risk;
import dev.pitwall.journey.survey.ShellNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** The way on which the GPU Operator brings the driver in a container: the node only has to be out of its way. */
final class OperatorDriver {
    /** What k8s-driver-manager puts there for a node that has a driver of its own (facts: cluster.md 1.3, 1.6). */
    private static final String LABEL = "nvidia.com/gpu.deploy.driver";
    private static final String PRE_INSTALLED = "pre-installed";

    private final NodeView view;
    private final DriverPackages packages;
    private final NodeTimes times;
    private final Sentences texts;

    OperatorDriver(NodeView view, DriverPackages packages, NodeTimes times, Sentences texts) {
        this.view = view;
        this.packages = packages;
        this.times = times;
        this.texts = texts;
    }

    Answer answer(List<Found> found) {
        ShellNode node = view.node();
        if (node.driver().runfile()) {
            return Answer.of(State.BLOCKED, texts.say("operator.runfile", node.name()), found);
        }
        if (view.secureBoot()) {
            return Answer.of(State.BLOCKED, texts.say("operator.secureBoot", node.name()), found)
                    .noting(texts.say("operator.secureBoot.os"), texts.say("operator.secureBoot.off"));
        }
        List<String> installed = packages.installed(node);
        if (!installed.isEmpty()) {
            return Answer.ready(texts.say("operator.both", node.name()), found, removal(installed))
                    .noting(texts.say("operator.both.goes"));
        }
        if (view.nouveauInTheWay()) {
            List<Change> changes = new ArrayList<>(new Nouveau(node, times, texts).keptAway());
            changes.add(restart().change());
            return Answer.ready(texts.say("nouveau.inTheWay", node.name()), found, changes);
        }
        Answer answer = Answer.of(State.NOT_APPLICABLE, node.driver().version().map(v -> texts.say("operator.drives", v))
                .orElse(texts.say("operator.brings")), found);
        return headersGone() ? answer.noting(texts.say("operator.headers", node.kernel())) : answer;
    }

    private NodeRestart restart() {
        return new NodeRestart(view.situation(), view.node().machine(), times);
    }

    /** The packages go, nouveau stays away, and after the reboot the node asks for the container again. */
    private List<Change> removal(List<String> installed) {
        ShellNode node = view.node();
        TreeMap<String, String> after = new TreeMap<>();
        installed.forEach(name -> after.put(name, PackageChange.ABSENT));
        List<Change> changes = new ArrayList<>();
        changes.add(PackageChange.of(node.machine(), node.software().manager().orElseThrow(), node.software().installed(),
                after, texts.count("packages.go", installed.size()), times.takes("toolkit"), times.limit("packages")));
        changes.addAll(new Nouveau(node, times, texts).keptAway());
        changes.add(restart().change());
        label().ifPresent(changes::add);
        return changes;
    }

    private Optional<Change> label() {
        return view.situation().nodeName().flatMap(name -> view.situation().cluster().flatMap(c -> c.node(name)
                .filter(n -> n.at("/metadata/labels").path(LABEL).asText().equals(PRE_INSTALLED))
                .map(n -> ManifestChange.setting(c.name(), ObjectRef.of(ObjectType.NODE, name), n, noLabel(), Risk.NONE,
                        texts.say("operator.label")))));
    }

    private static JsonNode noLabel() {
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        fields.putObject("metadata").putObject("labels").putNull(LABEL);
        return fields;
    }

    /** The driver container downloads them itself, from the same mirrors as a rule. */
    private boolean headersGone() {
        ShellNode node = view.node();
        return !node.software().offered().isEmpty() && view.node().driver().version().isEmpty()
                && packages.family(node.release()).filter("rhel"::equals).isEmpty()
                && !node.software().offered().containsKey("linux-headers-" + node.kernel());
    }
}
