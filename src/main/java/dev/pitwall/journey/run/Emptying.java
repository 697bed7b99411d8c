package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The nodes that go down with one machine: their pods leave before, and when the machine is back they are waited for and take
 * pods again if they took some. What is done is told by the boot that each kubelet reports, so a run that died goes on
 * wherever it was.
 */
final class Emptying {
    private static final Pattern NODE = Pattern.compile(" node ([^ ]+) boot ([^ ]*) (open|closed)");

    private final List<Node> nodes;

    Emptying(List<Node> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    /** Whether a node comes up with its machine; a VM that nobody starts is not waited for. */
    enum Comes { WITH_MACHINE, LATER }

    record Node(NodeDrain drain, Comes comes) {
    }

    /** How the nodes are before, to be kept with the mark of the machine. */
    String mark() throws TroubleException, InterruptedException {
        StringBuilder mark = new StringBuilder();
        for (Node node : nodes) {
            NodeDrain drain = node.drain();
            mark.append(" node ").append(drain.node()).append(" boot ").append(drain.readyBoot().orElse("")).append(' ')
                    .append(drain.cordoned() ? "closed" : "open");
        }
        return mark.toString();
    }

    /** The machine's own part of a mark. */
    static String ofMachine(String mark) {
        Matcher m = NODE.matcher(mark);
        return m.find() ? mark.substring(0, m.start()) : mark;
    }

    private static Optional<Matcher> of(String node, String mark) {
        Matcher m = NODE.matcher(mark);
        while (m.find()) {
            if (m.group(1).equals(node)) {
                return Optional.of(m);
            }
        }
        return Optional.empty();
    }

    /** A pod that would be lost and that nobody has agreed to; in one sentence. */
    Optional<String> surprise() throws TroubleException, InterruptedException {
        for (Node node : nodes) {
            Optional<String> surprise = node.drain().surprise();
            if (surprise.isPresent()) {
                return surprise;
            }
        }
        return Optional.empty();
    }

    /**
     * No pod of one node moves to another that is emptied next. Where one may not leave nothing goes down, so the nodes take
     * pods again as before: nobody comes back to open them.
     */
    void empty(String mark) throws TroubleException, InterruptedException {
        try {
            for (Node node : nodes) {
                node.drain().cordon(true);
            }
            for (Node node : nodes) {
                node.drain().empty();
            }
        } catch (TroubleException e) {
            if (!Lost.is(e.trouble())) {
                reopen(mark);
            }
            throw e;
        }
    }

    /** True when every node that comes with the machine is ready with another boot than before. */
    boolean back(String mark) throws TroubleException, InterruptedException {
        for (Node node : nodes) {
            if (node.comes() == Comes.WITH_MACHINE && !back(node.drain(), mark)) {
                return false;
            }
        }
        return true;
    }

    private static boolean back(NodeDrain drain, String mark) throws TroubleException, InterruptedException {
        String before = of(drain.node(), mark).map(m -> m.group(2)).orElse("");
        return drain.readyBoot().filter(now -> !now.equals(before)).isPresent();
    }

    /** The nodes that took pods before and do not now. */
    private List<NodeDrain> shut(String mark) throws TroubleException, InterruptedException {
        List<NodeDrain> shut = new ArrayList<>();
        for (Node node : nodes) {
            NodeDrain drain = node.drain();
            if (of(drain.node(), mark).filter(m -> m.group(3).equals("closed")).isEmpty() && drain.cordoned()) {
                shut.add(drain);
            }
        }
        return shut;
    }

    boolean reopened(String mark) throws TroubleException, InterruptedException {
        return shut(mark).isEmpty();
    }

    void reopen(String mark) throws TroubleException, InterruptedException {
        for (NodeDrain drain : shut(mark)) {
            drain.cordon(false);
        }
    }
}
