package dev.pitwall.journey.drain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.Option;
import dev.pitwall.journey.Answer.Question;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.Drain;
import dev.pitwall.journey.change.Drain.Whom;
import dev.pitwall.journey.change.NodeDown;
import dev.pitwall.journey.survey.HostNodes;
import dev.pitwall.journey.survey.HostSurvey.Guest;
import dev.pitwall.journey.survey.NodePods;
import dev.pitwall.journey.survey.VmSurvey;
import dev.pitwall.read.PropertyText;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What becomes of the pods of nodes whose machines go down together: they leave before, as far as another node takes them,
 * else they stop and start with the machine. So do those of which something would be lost by leaving, unless the person
 * wants them to leave too.
 */
public final class Departure {
    /** The key of the question about it. */
    public static final String KEY = "drain";
    /** Pods leave although something of them is lost. */
    public static final String EVICT = "evict";
    /** Pods stop and start with the machine. */
    public static final String SKIP = "skip";
    /** Those of which something would be lost stop and start with the machine; the others leave. */
    private static final String KEEP = "keep";
    /** Pods with a long grace, and budgets that wait for another pod first. */
    public static final Duration LIMIT = Duration.ofMinutes(10);
    /** How long an API server may take that is just starting, for example with the machine that was rebooted. */
    private static final Duration STARTS = Duration.ofMinutes(3);

    private final Sentences texts = new Sentences("journey/drain");
    private final Optional<HostNodes> known;
    private final List<Going> going;
    private final Choices choices;

    /**
     * A machine that goes down and is a node, or may be one.
     *
     * @param machine as a person names it, for example {@code VM 110 k3s-gpu-1}
     * @param node    its name in the cluster; empty where the cluster did not tell whether it is one
     * @param vmid    as in {@link NodeDown}
     */
    private record Going(String machine, Optional<String> node, int vmid) {
    }

    /** @param known empty for a site without a cluster */
    private Departure(Optional<HostNodes> known, List<Going> going, Choices choices) {
        this.known = known;
        this.going = List.copyOf(going);
        this.choices = choices;
    }

    /** Of a host that reboots: its VMs that run, and the host where it is a node itself. */
    public static Departure ofHost(Situation s) {
        Stream<Going> guests = s.host().guests().stream().filter(Guest::running)
                .sorted(Comparator.comparingInt(Guest::id)).flatMap(g -> going(s, g).stream());
        Stream<Going> itself = Stream.of(s.host().host()).filter(s.nodes()::containsValue)
                .map(name -> new Going(name, Optional.of(name), NodeDown.MACHINE));
        return new Departure(s.hostNodes(), Stream.concat(guests, itself).toList(), s.choices());
    }

    /** Of a VM that is shut down; one that is off takes nothing along. */
    public static Departure ofVm(Situation s, int vmid) {
        return new Departure(s.hostNodes(), s.host().guests().stream().filter(g -> g.id() == vmid && g.running())
                .flatMap(g -> going(s, g).stream()).toList(), s.choices());
    }

    /**
     * Of the card's node, as the whole cluster's survey has it.
     *
     * @param machine that reboots, as the site names it
     */
    public static Departure ofNode(Situation s, String machine, Choices choices) {
        int vmid = s.vm().map(VmSurvey::vmid).orElse(NodeDown.MACHINE);
        boolean unheard = s.nodes().isEmpty() && s.cluster().isPresent();
        return new Departure(s.cluster().map(HostNodes::of), Stream.of(new Going(machine, s.nodeName(), vmid))
                .filter(g -> g.node().isPresent() || unheard).toList(), choices);
    }

    /** Of a VM whose node alone was asked for; it is drained if that can be. */
    public static Departure ofVm(HostNodes known, String machine, int vmid, String smbios) {
        Optional<String> node = PropertyText.smbiosUuid(smbios).flatMap(uuid -> Optional.ofNullable(known.byUuid().get(uuid)));
        return new Departure(Optional.of(known), node.stream().map(n -> new Going(machine, Optional.of(n), vmid)).toList(),
                Choices.NONE);
    }

    /** Empty for a VM that is no node; while the cluster has never told its nodes, each VM may be one. */
    private static Optional<Going> going(Situation s, Guest guest) {
        Optional<String> node = s.nodeOf(guest.config());
        boolean unheard = s.nodes().isEmpty() && guest.config().containsKey("smbios1");
        return node.isPresent() || unheard ? Optional.of(new Going("VM " + guest.id() + " " + guest.name(), node, guest.id()))
                : Optional.empty();
    }

    /** The nodes that go down, in the order of their machines. */
    public List<NodeDown> nodes() {
        return going.stream().flatMap(g -> g.node().stream().map(node -> down(g, node))).toList();
    }

    private NodeDown down(Going machine, String node) {
        List<Drain.Pod> pods = known.map(k -> NodePods.leaving(k.pods(), node)).orElse(List.of());
        Whom whom = choices.get(KEY).filter(EVICT::equals).isPresent() ? Whom.ALL : Whom.UNHARMED;
        List<Drain.Pod> leave = whom.of(pods);
        Optional<Drain> drain = known.filter(k -> !skipped() && k.node(node).filter(Departure::ready).isPresent() && elsewhere(k))
                .map(k -> new Drain(k.cluster(), node, leave, whom, LIMIT));
        return new NodeDown(node, machine.vmid(), drain,
                drain.isEmpty() ? pods : pods.stream().filter(p -> !leave.contains(p)).toList());
    }

    private boolean skipped() {
        return choices.get(KEY).filter(SKIP::equals).isPresent();
    }

    /** True if another node takes pods: nobody gains by an eviction else. */
    private boolean elsewhere(HostNodes all) {
        Set<String> down = going.stream().flatMap(g -> g.node().stream()).collect(Collectors.toSet());
        return all.nodes().stream().filter(n -> !down.contains(n.at("/metadata/name").asText())).anyMatch(Departure::takesPods);
    }

    /** A control plane that is kept free takes none of them. */
    private static boolean takesPods(JsonNode node) {
        boolean closed = node.at("/spec/unschedulable").asBoolean(false) || node.at("/spec/taints").valueStream()
                .anyMatch(t -> t.path("key").asText().startsWith("node-role.kubernetes.io/"));
        return ready(node) && !closed;
    }

    private static boolean ready(JsonNode node) {
        return node.at("/status/conditions").valueStream().anyMatch(c -> c.path("type").asText().equals("Ready")
                && c.path("status").asText().equals("True"));
    }

    /** True if nobody knows which pods stop, and the person has not said that it does not matter. */
    private boolean blind() {
        return !skipped() && !going.isEmpty() && known.flatMap(HostNodes::unread).isPresent();
    }

    /** What a step says instead of being ready, while pods would be cut off that nobody can name. */
    public Optional<Answer> holds(List<Found> found) {
        return blind() ? Optional.of(Answer.of(State.WAITING, texts.say("unread", known.orElseThrow().cluster(), machines()), found)
                .noting(known.get().unread().orElseThrow().sentence()).coming("cluster-answers", STARTS)) : Optional.empty();
    }

    private String machines() {
        return going.stream().map(g -> g.node().orElse(g.machine())).collect(Collectors.joining(", "));
    }

    private static String names(List<Drain.Pod> pods) {
        return pods.stream().map(Drain.Pod::place).collect(Collectors.joining(", "));
    }

    /** Asked where something would be lost, where nobody knows, and where the person has decided already. */
    public List<Question> questions() {
        if (blind()) {
            return List.of(question(texts.say("ask.unread"), List.of(
                    new Option(EVICT, texts.say("ask.leave"), texts.say("ask.later.note"))),
                    choices.get(KEY).filter(EVICT::equals).orElse("")));
        }
        List<Drain.Pod> losing = new Departure(known, going, Choices.NONE.with(KEY, EVICT)).nodes().stream()
                .flatMap(n -> n.losing().stream()).toList();
        if (losing.isEmpty()) {
            return skipped() && !going.isEmpty() ? List.of(question(texts.say("ask"), List.of(
                    new Option(EVICT, texts.say("ask.leave"), texts.say("ask.leave.note"))), SKIP)) : List.of();
        }
        return List.of(question(texts.say("ask.loses", names(losing)), List.of(
                new Option(KEEP, texts.say("ask.keep"), texts.say("ask.keep.note")),
                new Option(EVICT, texts.say("ask.evict"), texts.say("ask.evict.note"))),
                choices.get(KEY).filter(List.of(EVICT, SKIP)::contains).orElse(KEEP)));
    }

    private Question question(String text, List<Option> options, String chosen) {
        List<Option> all = new ArrayList<>(options);
        all.add(new Option(SKIP, texts.say("ask.skip"), texts.say("ask.skip.note")));
        return new Question(KEY, text, all, chosen);
    }

    /** Which pods leave and which stop, a sentence each. */
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (skipped() && known.flatMap(HostNodes::unread).isPresent() && !going.isEmpty()) {
            notes.add(texts.say("skipped.unread", machines()));
        }
        for (NodeDown node : nodes()) {
            note(notes, "leave", node, node.leaves());
            note(notes, skipped() ? "skipped" : node.drain().isPresent() ? "stay" : "alone", node, node.stops());
        }
        return notes;
    }

    private void note(List<String> notes, String key, NodeDown node, List<Drain.Pod> pods) {
        if (!pods.isEmpty()) {
            notes.add(texts.count(key, pods.size(), node.node(), names(pods)));
        }
    }
}
