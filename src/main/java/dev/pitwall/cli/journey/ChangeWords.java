package dev.pitwall.cli.journey;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pitwall.journey.Spans;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.Drain;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.ModelAsk;
import dev.pitwall.journey.change.ModelChange;
import dev.pitwall.journey.change.NodeDown;
import dev.pitwall.journey.change.NodeReboot;
import dev.pitwall.journey.change.PackageChange;
import dev.pitwall.journey.change.PodRestart;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.journey.change.Risk;
import dev.pitwall.journey.change.TalosConfigChange;
import dev.pitwall.journey.change.TalosUpgrade;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmCreation;
import dev.pitwall.journey.change.VmPowerCycle;
import dev.pitwall.journey.change.VmRemoval;
import dev.pitwall.journey.change.YamlText;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A change as text and as JSON. */
final class ChangeWords {
    private static final int CONTEXT = 3;

    private final Change change;

    ChangeWords(Change change) {
        this.change = change;
    }

    /** What is there before it; empty where there is nothing, or it is no change of contents. */
    Optional<String> before() {
        return switch (change) {
            case FileChange c -> text(c.before());
            case VmConfigChange c -> Optional.of(VmConfigChange.lines(c.before()));
            case MappingChange c -> c.before().map(ChangeWords::lines);
            case ManifestChange c -> c.before().map(YamlText::of);
            case HelmChange c -> Optional.of(c.textBefore());
            case TalosUpgrade c -> Optional.of(c.textBefore());
            case TalosConfigChange c -> Optional.of(YamlText.of(c.before()));
            case PackageChange c -> Optional.of(c.lines(c.before()));
            case PodRun c -> Optional.empty();
            case ModelChange c -> Optional.empty();
            case ModelAsk c -> Optional.empty();
            case PodRestart c -> Optional.of(c.lines());
            case VmCreation c -> Optional.empty();
            case VmRemoval c -> Optional.empty();
            case CommandChange c -> Optional.empty();
            case HostReboot c -> Optional.empty();
            case NodeReboot c -> Optional.empty();
            case VmPowerCycle c -> Optional.empty();
        };
    }

    Optional<String> after() {
        return switch (change) {
            case FileChange c -> text(c.after());
            case VmConfigChange c -> Optional.of(VmConfigChange.lines(c.after()));
            case MappingChange c -> c.after().map(ChangeWords::lines);
            case ManifestChange c -> c.after().map(YamlText::of);
            case HelmChange c -> Optional.of(c.textAfter());
            case TalosUpgrade c -> Optional.of(c.textAfter());
            case TalosConfigChange c -> Optional.of(YamlText.of(c.after()));
            case PodRun c -> Optional.of(c.paused().lines().map(l -> "# " + l + "\n").collect(Collectors.joining())
                    + YamlText.of(c.manifest()));
            case ModelChange c -> Optional.empty();
            case ModelAsk c -> Optional.empty();
            case PodRestart c -> Optional.empty();
            case PackageChange c -> Optional.of(c.lines(c.after()));
            case VmCreation c -> Optional.of(c.lines());
            case VmRemoval c -> Optional.empty();
            case CommandChange c -> Optional.empty();
            case HostReboot c -> Optional.empty();
            case NodeReboot c -> Optional.empty();
            case VmPowerCycle c -> Optional.empty();
        };
    }

    private static Optional<String> text(Content content) {
        return content.absent() ? Optional.empty() : Optional.of(content.text());
    }

    private static String lines(List<String> entries) {
        return entries.stream().map(e -> e + "\n").collect(Collectors.joining());
    }

    ObjectNode json() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("kind", change.kind().wireName()).put("system", change.system()).put("target", change.target())
                .put("summary", change.summary());
        node.put("before", before().orElse(null)).put("after", after().orElse(null));
        node.put("risk", change.risk().wireName()).put("undo", change.undo().orElse(null));
        nodes().forEach(down -> put(node.withArray("nodes").addObject(), down));
        return node;
    }

    /** The nodes of a cluster that go down for it. */
    private List<NodeDown> nodes() {
        return switch (change) {
            case HostReboot c -> c.nodes();
            case VmPowerCycle c -> c.kubernetes().stream().toList();
            case NodeReboot c -> List.of(new NodeDown(c.drain().map(Drain::node).orElse(c.machine()), NodeDown.MACHINE, c.drain(),
                    c.stops()));
            default -> List.of();
        };
    }

    private static void put(ObjectNode into, NodeDown node) {
        into.put("node", node.node());
        into.putArray("leave").addAll(words(node.leaves()));
        into.putArray("lose").addAll(words(node.losing()));
        into.putArray("stop").addAll(words(node.stops()));
    }

    private static List<TextNode> words(List<Drain.Pod> pods) {
        return pods.stream().map(p -> TextNode.valueOf(p.place())).toList();
    }

    /** One line for the change, with how it is taken back, and what differs below it. */
    String text(String indent) {
        return text(indent, change.undo().orElse(""));
    }

    /** For a change that takes another back itself. */
    String textOfUndo(String indent) {
        return text(indent, "");
    }

    private String text(String indent, String undo) {
        StringBuilder out = new StringBuilder(indent).append(change.kind().wireName()).append(' ')
                .append(change.target());
        List<String> beside = Stream.of(change.summary(), risk(), usual(), undo).filter(s -> !s.isEmpty()).toList();
        if (!beside.isEmpty()) {
            out.append("  (").append(String.join("; ", beside)).append(')');
        }
        out.append('\n');
        details().forEach(line -> out.append(indent).append("  ").append(line).append('\n'));
        return out.toString();
    }

    private String risk() {
        return change.risk() == Risk.NONE ? "" : change.risk().wireName();
    }

    private String usual() {
        return change.usual().map(u -> "about " + Spans.words(u)).orElse("");
    }

    private List<String> details() {
        return switch (change) {
            case HostReboot c -> Stream.concat(c.stops().stream().map(g -> "stops " + g.id() + " " + g.name()
                    + (g.onboot() ? ", which starts with the host" : ", which does not start by itself")),
                    c.nodes().stream().flatMap(n -> pods(n, " of " + n.node()))).toList();
            case NodeReboot c -> pods(new NodeDown(c.machine(), NodeDown.MACHINE, c.drain(), c.stops()), "").toList();
            case VmPowerCycle c -> c.kubernetes().stream().flatMap(n -> pods(n, " of " + n.node())).toList();
            default -> new UnifiedDiff(before().orElse(""), after().orElse(""), CONTEXT).lines();
        };
    }

    private static Stream<String> pods(NodeDown node, String where) {
        return Stream.concat(node.leaves().stream().map(p -> "leaves " + p.place() + where + loss(p)),
                node.stops().stream().map(p -> "stops " + p.place() + where));
    }

    private static String loss(Drain.Pod pod) {
        return pod.owner().isEmpty() ? ", which nothing makes again" : pod.data() ? ", whose emptyDir goes with it" : "";
    }
}
