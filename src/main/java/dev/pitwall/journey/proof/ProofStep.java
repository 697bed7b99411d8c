package dev.pitwall.journey.proof;

import dev.pitwall.card.Floor;
import dev.pitwall.card.Sentences;
import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.journey.survey.Proof;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Proves the card with pods of its own: admission, quota, scheduler, device plugin, runtime and driver all have their
 * part in it. Done as long as the node was not started since, and has the same driver.
 */
final class ProofStep implements Step {
    static final String ID = "proof";
    static final String IMAGE = "proof-image";
    static final String NAMESPACE = "proof-namespace";
    static final String HELD = "proof-held";
    static final String WAIT = "wait";
    static final String PAUSE = "pause";
    /** Only proofs from that moment on count; a roll call sets it. */
    static final String SINCE = "proof-since";
    /** A kubelet that has restarted needs that long until its node is ready again. */
    private static final Duration NODE_READY = Duration.ofMinutes(5);

    private final Sentences texts;
    private final ProofData data;
    private final ProofPods pods;

    ProofStep(Sentences texts, ProofData data) {
        this.texts = texts;
        this.data = data;
        this.pods = new ProofPods(data);
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public Floor floor() {
        return Floor.PROOF;
    }

    @Override
    public Set<String> keys() {
        return Set.of(IMAGE, NAMESPACE, HELD, SINCE);
    }

    @Override
    public Answer look(Situation s) {
        Optional<Answer> below = new Ground(texts).missing(s);
        if (below.isPresent()) {
            return below.get();
        }
        CardNode node = CardNode.of(s).orElseThrow();
        ProofRows rows = new ProofRows(texts, s, node);
        CardProof proof = new CardProof(s, node);
        rows.proofs(proof);
        if (proof.standing() == CardProof.Standing.PROVED) {
            Proof last = proof.last(ProofPods.Kind.CUDA).orElseThrow();
            return Answer.of(State.DONE, texts.say("proof.done", data.passed(), ProofRows.ago(last, proof.at())),
                    rows.all());
        }
        return new Trial(s, node, proof, rows).answer();
    }

    /** One look at a card that is to be tried. */
    private final class Trial {
        private final Situation s;
        private final CardNode node;
        private final CardProof proof;
        private final ProofRows rows;
        private final String image;
        private final ProofPlace place;

        Trial(Situation s, CardNode node, CardProof proof, ProofRows rows) {
            this.s = s;
            this.node = node;
            this.proof = proof;
            this.rows = rows;
            this.image = s.choices().get(IMAGE).filter(i -> !i.isBlank()).orElse(data.image());
            this.place = ProofPlace.of(s, data);
        }

        Answer answer() {
            Optional<String> resource = node.offered();
            if (resource.isEmpty()) {
                rows.resource(CardNode.CARD);
                return asked(Answer.waiting(texts.say(node.registered() ? "proof.waits.healthy" : "proof.waits.plugin",
                        node.name()), rows.all(), foreseen()), List.of());
            }
            rows.resource(resource.get());
            rows.cuda(image);
            rows.taints();
            List<Holder> holders = Holder.of(node, resource.get());
            rows.holders(holders);
            return asked(hindrance(resource.get(), holders).orElseGet(() -> ready(resource.get(), holders)), holders);
        }

        /** What would be done once the cards are offered: all of them are free then, as far as is known now. */
        private List<Change> foreseen() {
            return List.copyOf(runs(CardNode.CARD, node.cards(), List.of()));
        }

        private Optional<Answer> hindrance(String resource, List<Holder> holders) {
            if (!node.ready() || !node.conditions().isEmpty()) {
                return Optional.of(Answer.waiting(texts.say("proof.notReady", node.name(),
                        node.conditions().isEmpty() ? "NotReady" : String.join(", ", node.conditions())), rows.all(),
                        List.copyOf(runs(resource, cards(resource, holders), pauses(resource, holders))))
                        .coming("node-ready", NODE_READY));
            }
            if (node.cordoned()) {
                return blocked("proof.cordoned", node.name());
            }
            Optional<Cuda> built = Cuda.ofImage(image);
            if (built.isPresent() && node.cuda().filter(c -> c.compareTo(built.get()) < 0).isPresent()) {
                return blocked("proof.cuda", built.get(), node.driver(), node.cuda().get());
            }
            return held(resource, holders).or(this::refused);
        }

        private Optional<Answer> blocked(String key, Object... arguments) {
            return Optional.of(Answer.of(State.BLOCKED, texts.say(key, arguments), rows.all()));
        }

        private Optional<Answer> held(String resource, List<Holder> holders) {
            if (free(resource, holders) > 0 || !pauses(resource, holders).isEmpty()) {
                return Optional.empty();
            }
            Optional<Holder> other = holders.stream().filter(h -> h.card().isPresent()).findFirst();
            if (other.isPresent()) {
                return Optional.of(waits("proof.other", "other-proof", Duration.ofSeconds(data.deadline()), resource,
                        holders, other.get().words()));
            }
            Optional<Holder> leaving = holders.stream().filter(h -> h.pod().deleting()).findFirst();
            if (leaving.isPresent()) {
                return Optional.of(waits("proof.leaving", "holder-leaves", NODE_READY, resource, holders,
                        leaving.get().words()));
            }
            if (holders.isEmpty()) {
                return blocked("proof.heldUnseen", resource, node.name());
            }
            String names = holders.stream().map(Holder::words).collect(Collectors.joining(", "));
            return blocked(pausable(holders).isEmpty() ? "proof.heldForGood" : "proof.held", names);
        }

        private Answer waits(String key, String what, Duration normal, String resource, List<Holder> holders,
                             String name) {
            return Answer.waiting(texts.say(key, name), rows.all(),
                    List.copyOf(runs(resource, cards(resource, holders), List.of()))).coming(what, normal);
        }

        private Optional<Answer> refused() {
            rows.place(place);
            return switch (place) {
                case ProofPlace.Fits fits -> Optional.empty();
                case ProofPlace.Unknown unknown -> Optional.empty();
                case ProofPlace.Bent(String namespace, String how) -> blocked("proof.bent", namespace, how);
                case ProofPlace.Refused(String namespace, Trouble why) ->
                        blocked("proof.refused", namespace, why.what(), why.next());
            };
        }

        private Answer ready(String resource, List<Holder> holders) {
            List<PodRun> runs = runs(resource, cards(resource, holders), pauses(resource, holders));
            List<String> notes = new ArrayList<>();
            if (node.shares(resource) && node.cards() > 1) {
                notes.add(texts.say("proof.note.shared", node.cards()));
            } else if (runs.getLast().manifest().at("/spec/containers").size() > 1) {
                notes.add(texts.say("proof.note.several", runs.getLast().manifest().at("/spec/containers").size()));
            }
            return Answer.ready(texts.say("proof.ready." + switch (proof.standing()) {
                case NEW, PROVED -> "new";
                case FAILED -> "failed";
                case BOOTED -> "booted";
                case OTHER_DRIVER -> "driver";
                case ASKED_AGAIN -> "again";
            }), rows.all(), List.copyOf(runs)).noting(notes);
        }

        private List<PodRun> runs(String resource, int cards, List<PodRun.Pause> pauses) {
            return pods.runs(s, node, new ProofPods.Ask(place.namespace(), image, resource, cards, marks(), pauses),
                    proof.at());
        }

        /** In a machine a card has the address that its slot has; in a VM it has another one. */
        private String marks() {
            return node.bare() ? "%08X:%02X:%02X.".formatted(s.card().slot().domain(), s.card().slot().bus(),
                    s.card().slot().device()) : "GPU-";
        }

        /** Only a pod that has all free cards of a node surely has this one. */
        private int cards(String resource, List<Holder> holders) {
            return node.shares(resource) ? 1 : (int) Math.max(1, pauses(resource, holders).isEmpty()
                    ? free(resource, holders) : node.allocatable(resource));
        }

        private long free(String resource, List<Holder> holders) {
            return node.allocatable(resource) - holders.stream().mapToLong(Holder::cards).sum();
        }

        /** What is stopped: nothing where a card is free, or nobody has chosen that. */
        private List<PodRun.Pause> pauses(String resource, List<Holder> holders) {
            return free(resource, holders) > 0 || !s.choices().get(HELD).filter(PAUSE::equals).isPresent()
                    ? List.of() : pausable(holders);
        }

        /** Empty also where one of them could not be stopped: then it is not known whether this card would be free. */
        private List<PodRun.Pause> pausable(List<Holder> holders) {
            return holders.stream().allMatch(h -> h.pause().isPresent())
                    ? holders.stream().flatMap(h -> h.pause().stream()).distinct().toList() : List.of();
        }

        private Answer asked(Answer answer, List<Holder> holders) {
            Answer asked = answer.asking(new Answer.Question(IMAGE, texts.say("ask.image"),
                    List.of(new Answer.Option(data.image(), texts.say("ask.image.usual"), texts.say("ask.image.note"))),
                    image), new Answer.Question(NAMESPACE, texts.say("ask.namespace"), place.options().stream()
                    .map(n -> new Answer.Option(n, n, "")).toList(), place.namespace()));
            if (pausable(holders).isEmpty()) {
                return asked;
            }
            String names = holders.stream().map(Holder::words).collect(Collectors.joining(", "));
            return asked.asking(new Answer.Question(HELD, texts.say("ask.held", names), List.of(
                    new Answer.Option(WAIT, texts.say("ask.held.wait"), texts.say("ask.held.wait.note")),
                    new Answer.Option(PAUSE, texts.say("ask.held.pause"), texts.say("ask.held.pause.note", names))),
                    s.choices().get(HELD).orElse(WAIT)));
        }
    }

    /** What must be there before anything can be tried. */
    static final class Ground {
        private final Sentences texts;

        Ground(Sentences texts) {
            this.texts = texts;
        }

        Optional<Answer> missing(Situation s) {
            if (s.cluster().isEmpty()) {
                return Optional.of(Answer.of(State.NOT_APPLICABLE, texts.say("none.cluster"), List.of()));
            }
            ClusterSurvey cluster = s.cluster().get();
            Trouble unread = cluster.unread().get(ObjectType.NODE.resource());
            if (unread != null) {
                return Optional.of(Answer.of(State.UNKNOWN, unread.sentence(), List.of()).noting(unread.next()));
            }
            return CardNode.of(s).isPresent() ? Optional.empty() : Optional.of(Answer.of(State.WAITING,
                    texts.say("waits.node", s.vm().map(vm -> "VM " + vm.vmid()).orElse(s.card().host()),
                            cluster.name()), List.of()));
        }
    }
}
