package dev.pitwall.journey.proof;

import dev.pitwall.card.Floor;
import dev.pitwall.card.Sentences;
import dev.pitwall.card.ServerReport;
import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.Option;
import dev.pitwall.journey.Answer.Question;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.ModelAsk;
import dev.pitwall.journey.change.ModelChange;
import dev.pitwall.journey.change.ModelChange.Disk;
import dev.pitwall.journey.change.ModelChange.Presence;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.Proof;
import dev.pitwall.journey.survey.ProofSurvey;
import dev.pitwall.journey.survey.ProofSurvey.Answered;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Gives the card a model server with a model that answers; one that is there already is kept as it is. */
final class ServerStep implements Step {
    static final String ID = "server";

    private final Sentences texts;
    private final ProofData data;

    ServerStep(Sentences texts, ProofData data) {
        this.texts = texts;
        this.data = data;
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public Floor floor() {
        return Floor.SERVER;
    }

    @Override
    public Set<String> keys() {
        return ServerWish.KEYS;
    }

    @Override
    public Answer look(Situation s) {
        if (ServerWish.Form.of(s) == ServerWish.Form.NONE) {
            return Answer.of(State.NOT_APPLICABLE, texts.say("server.none"), List.of()).asking(form(s));
        }
        Optional<Answer> below = new ProofStep.Ground(texts).missing(s);
        if (below.isPresent()) {
            return below.get();
        }
        CardNode node = CardNode.of(s).orElseThrow();
        Card card = new Card(s, node, new ServerRows(texts, s, node));
        return ServerThere.ofCard(s, node).map(card::there).orElseGet(card::none);
    }

    private Question form(Situation s) {
        return new Question(ServerWish.FORM, texts.say("ask.server"), List.of(
                new Option("ollama-chart", texts.say("ask.server.chart"), texts.say("ask.server.chart.note")),
                new Option("ollama-manifests", texts.say("ask.server.manifests"), texts.say("ask.server.manifests.note")),
                new Option("none", texts.say("ask.server.none"), "")), ServerWish.Form.of(s).word());
    }

    /** One look at a card. */
    private final class Card {
        private final Situation s;
        private final CardNode node;
        private final ServerRows rows;
        private final ServerWish wish;

        Card(Situation s, CardNode node, ServerRows rows) {
            this.s = s;
            this.node = node;
            this.rows = rows;
            this.wish = ServerWish.of(s, node, data);
        }

        /** A server that runs on the card. */
        Answer there(ServerThere server) {
            Answered answered = s.proofs().map(ProofSurvey::servers).map(all -> all.get(server.service())).orElse(null);
            return switch (answered) {
                case null -> Answer.of(State.UNKNOWN, texts.say("server.unasked", server.service()), rows.all());
                case Answered.Not(Trouble why) -> silent(server, why);
                case Answered.Well(ServerReport report) -> {
                    rows.server(server, report);
                    yield (report.software().equals(ServerThere.OLLAMA) ? ollama(server, report) : Answer.of(State.DONE,
                            texts.say("server.adopted", server.service().name(), report.software()), rows.all()))
                            .noting(reach(server.service(), server.port()));
                }
            };
        }

        private Answer silent(ServerThere server, Trouble why) {
            rows.silent(server, why);
            if (server.pod().ready()) {
                return Answer.of(State.BLOCKED, texts.say("server.silent", server.service(), why.what()), rows.all())
                        .noting(why.next());
            }
            return Answer.waiting(texts.say("server.starts", server.pod().name(), ServerRows.waitsFor(server.pod())),
                    rows.all(), List.of()).coming("server-starts", ProofData.seconds(data.server().startLimit()));
        }

        private Answer ollama(ServerThere server, ServerReport report) {
            List<String> installed = report.installed().stream().map(ServerReport.InstalledModel::name).toList();
            String model = s.choices().get(ServerWish.MODEL).filter(m -> !m.isBlank()).or(() -> installed.stream()
                    .filter(wish.model()::equals).findFirst().or(() -> installed.stream().findFirst())).orElse(wish.model());
            List<Change> changes = new ArrayList<>();
            new KubemootProvider(texts, node.cluster()).missing(server.service(), server.port()).ifPresent(changes::add);
            boolean pulls = !installed.contains(model);
            if (pulls) {
                changes.add(pull(server.service(), server.port(), model, Disk.THEIRS));
            }
            boolean ours = server.card().isPresent();
            if (pulls || ours && !asked(server.service(), model)) {
                changes.add(ask(server.service(), server.port(), model));
            }
            rows.split(report);
            if (changes.isEmpty()) {
                return Answer.of(State.DONE, texts.say(ours ? "server.done" : "server.adopted", server.service().name(),
                        ours ? model : ServerThere.OLLAMA), rows.all());
            }
            return Answer.ready(texts.say(pulls ? "server.ready.model" : changes.size() == 1 && ours
                    && changes.getFirst() instanceof ModelAsk ? "server.ready.ask" : "server.ready.provider", model),
                    rows.all(), changes).asking(modelQuestion(model, installed));
        }

        /** True if the journal has that it answered since the node was started, with the driver that is there. */
        private boolean asked(ObjectRef service, String model) {
            return s.proofs().flatMap(p -> p.last(ask(service, 1, model).key()))
                    .filter(p -> p.result() == Proof.Result.PASSED && p.boot().equals(node.boot())
                            && p.withDriver(node.driver())).isPresent();
        }

        private ModelAsk ask(ObjectRef service, int port, String model) {
            return new ModelAsk(node.cluster().name(), service, port, model, node.boot(), node.driver(),
                    ProofData.seconds(data.server().askUsual()), ProofData.seconds(data.server().askLimit()));
        }

        private ModelChange pull(ObjectRef service, int port, String model, Disk disk) {
            long bytes = data.models().stream().filter(m -> m.name().equals(model)).mapToLong(ProofData.Model::disk)
                    .findFirst().orElse(0);
            long start = disk == Disk.OURS ? data.server().startUsual() : 0;
            return new ModelChange(node.cluster().name(), service, port, model, Presence.PRESENT, disk, bytes,
                    Duration.ofSeconds(start + Math.max(10, bytes / data.server().download())),
                    ProofData.seconds(data.server().startLimit() + data.server().pullLimit()));
        }

        /** No server runs on the card. */
        Answer none() {
            rows.wish(wish, data.server());
            Optional<Answer> begun = begun();
            if (begun.isPresent()) {
                return begun.get();
            }
            ServerMaking making = new ServerMaking(texts, data, s, node, wish);
            Optional<String> hindrance = making.hindrance();
            if (hindrance.isPresent()) {
                return asked(Answer.of(State.BLOCKED, hindrance.get(), rows.all()));
            }
            List<Change> changes = new ArrayList<>(making.changes());
            changes.add(pull(wish.service(), data.server().port(), wish.model(), Disk.OURS));
            changes.add(ask(wish.service(), data.server().port(), wish.model()));
            return asked(judged(changes)).noting(notes());
        }

        private Answer judged(List<Change> changes) {
            Optional<String> resource = node.offered();
            if (resource.isEmpty()) {
                return Answer.waiting(texts.say("proof.waits.plugin", node.name()), rows.all(), changes);
            }
            List<Holder> holders = Holder.of(node, resource.get());
            long free = node.allocatable(resource.get()) - holders.stream().mapToLong(Holder::cards).sum();
            boolean proofsOnly = holders.stream().anyMatch(h -> h.card().isPresent());
            if (free <= 0 && !proofsOnly) {
                return Answer.of(State.BLOCKED, texts.say("server.held", holders.stream().map(Holder::words)
                        .collect(Collectors.joining(", "))), rows.all());
            }
            return Answer.ready(texts.say("server.ready", wish.name(), node.name()), rows.all(), changes);
        }

        /** Its objects are there, and its pod is not on the node yet. */
        private Optional<Answer> begun() {
            boolean release = node.cluster().releases().stream().anyMatch(r -> r.name().equals(wish.name())
                    && r.namespace().equals(wish.namespace()));
            boolean deployment = node.cluster().one(ObjectType.DEPLOYMENT, wish.namespace(), wish.name()).isPresent();
            return release || deployment ? Optional.of(Answer.waiting(texts.say("server.begun", wish.name(),
                    wish.namespace(), rows.pending(wish)), rows.all(), List.of())
                    .coming("server-starts", ProofData.seconds(data.server().startLimit()))) : Optional.empty();
        }

        private List<String> notes() {
            List<String> notes = new ArrayList<>();
            if (node.cards() > 1) {
                notes.add(texts.say("server.note.several", node.name(), node.cards()));
            }
            notes.add(reach(wish.service(), data.server().port()));
            return notes;
        }

        private String reach(ObjectRef service, int port) {
            return texts.say("server.reach", service.namespace(), service.name(), port);
        }

        private Answer asked(Answer answer) {
            List<Option> classes = node.cluster().all(ObjectType.STORAGE_CLASS).stream().map(ServerWish::name)
                    .map(name -> new Option(name, name, "")).toList();
            Answer with = answer.asking(form(s), modelQuestion(wish.model(), List.of()),
                    new Question(ServerWish.NAMESPACE, texts.say("ask.serverNamespace"),
                            List.of(new Option(wish.namespace(), wish.namespace(), "")), wish.namespace()));
            return classes.isEmpty() ? with : with.asking(new Question(ServerWish.STORAGE, texts.say("ask.class"), classes,
                    wish.storageClass(node).orElse(classes.getFirst().value())));
        }

        private Question modelQuestion(String chosen, List<String> installed) {
            List<Option> options = new ArrayList<>();
            installed.forEach(name -> options.add(new Option(name, name, texts.say("ask.model.installed"))));
            data.models().stream().filter(m -> !installed.contains(m.name())).forEach(m -> options.add(new Option(m.name(),
                    m.name(), texts.say("ask.model.note", m.disk() / 1_000_000, (m.needBytes() >> 20) + 1))));
            return new Question(ServerWish.MODEL, texts.say("ask.model"), options, chosen);
        }
    }
}
