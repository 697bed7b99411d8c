package dev.pitwall.journey.proof;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.pitwall.card.ServerReport;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Cluster.Earnest;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Survey;
import dev.pitwall.journey.Surveys;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.journey.survey.Proof;
import dev.pitwall.journey.survey.ProofSurvey;
import dev.pitwall.journey.survey.ProofSurvey.Answered;
import dev.pitwall.journey.survey.ProofSurvey.Tried;
import dev.pitwall.read.OllamaAnswer;
import dev.pitwall.read.OllamaReader;

import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads what the last two steps rest on beside what others have read: the journal's tries of the card, what holds it, what
 * the cluster would say to the proof's pod, and what model servers on the node answer.
 */
public final class ProofSurveys implements Surveys {
    private static final JsonMapper JSON = new JsonMapper();

    private final Surveys below;
    private final ProofHistory history;
    private final InstantSource clock;
    private final ProofData data = ProofData.load();
    private final ProofPods pods = new ProofPods(data);

    /** @param below reads everything else */
    public ProofSurveys(Surveys below, Journal journal, String siteId, InstantSource clock) {
        this.below = below;
        this.history = new ProofHistory(journal, siteId);
        this.clock = clock;
    }

    @Override
    public Situation read(Systems systems, Situation.Subject card, Choices choices)
            throws TroubleException, InterruptedException {
        return below.read(systems, card, choices);
    }

    @Override
    public Situation more(Systems systems, Situation known, Survey what) throws TroubleException, InterruptedException {
        if (what != Survey.PROOFS) {
            return below.more(systems, known, what);
        }
        return tries(systems, known.knows(Survey.CLUSTER) ? known : below.more(systems, known, Survey.CLUSTER))
                .reading(Survey.PROOFS);
    }

    private Situation tries(Systems systems, Situation read) throws TroubleException, InterruptedException {
        Optional<Cluster> cluster = read.cluster().isEmpty() ? Optional.empty() : systems.cluster();
        if (cluster.isEmpty()) {
            return read;
        }
        List<Proof> proofs = history.of(read.card().id());
        Instant at = clock.instant();
        if (CardNode.of(read).isEmpty()) {
            return read.with(new ProofSurvey(at, proofs, Map.of(), Map.of()));
        }
        Situation whole = new ProofObjects(systems, cluster.get(), data).added(read);
        CardNode node = CardNode.of(whole).orElseThrow();
        Situation known = whole.with(new ProofSurvey(at, proofs, Map.of(), Map.of()));
        boolean proved = new CardProof(known, node).standing() == CardProof.Standing.PROVED;
        return known.with(new ProofSurvey(at, proofs, proved ? Map.of() : tried(cluster.get(), known, node, at),
                answers(cluster.get(), node)));
    }

    /** The chosen namespace, or one after the other until one lets the pod in as it is. */
    private Map<String, Tried> tried(Cluster cluster, Situation s, CardNode node, Instant at)
            throws TroubleException, InterruptedException {
        Optional<String> chosen = s.choices().get(ProofStep.NAMESPACE).filter(n -> !n.isBlank());
        Map<String, Tried> tried = new LinkedHashMap<>();
        for (String namespace : chosen.map(Set::of).orElseGet(() -> candidates(node))) {
            tried.put(namespace, tried(cluster, s, node, namespace, at));
            if (ProofPlace.of(s.with(new ProofSurvey(at, List.of(), tried, Map.of())), data)
                    instanceof ProofPlace.Fits) {
                break;
            }
        }
        return tried;
    }

    private Tried tried(Cluster cluster, Situation s, CardNode node, String namespace, Instant at)
            throws TroubleException, InterruptedException {
        String image = s.choices().get(ProofStep.IMAGE).filter(i -> !i.isBlank()).orElse(data.image());
        PodRun run = pods.runs(s, node, new ProofPods.Ask(namespace, image, node.offered().orElse(CardNode.CARD), 1,
                "", List.of()), at).getLast();
        try {
            return new Tried.Admitted(run.manifest(), cluster.create(run.pod(), run.manifest(), Earnest.TRY));
        } catch (TroubleException e) {
            return new Tried.Refused(known(e));
        }
    }

    private static Trouble known(TroubleException e) throws TroubleException {
        if (e.trouble().kind().unreachable()) {
            throw e;
        }
        return e.trouble();
    }

    private Set<String> candidates(CardNode node) {
        Set<String> names = new LinkedHashSet<>(data.namespaces());
        node.offered().ifPresent(resource -> Holder.of(node, resource).forEach(h -> names.add(h.pod().namespace())));
        List<String> there = node.cluster().all(ObjectType.NAMESPACE).stream().map(ServerWish::name).toList();
        names.removeIf(name -> !there.isEmpty() && !there.contains(name));
        return names.isEmpty() ? Set.of(data.namespaces().getFirst()) : names;
    }

    private static Map<ObjectRef, Answered> answers(Cluster cluster, CardNode node) throws InterruptedException {
        Map<ObjectRef, Answered> answers = new HashMap<>();
        for (ServerThere server : ServerThere.of(node)) {
            try {
                answers.put(server.service(), new Answered.Well(ask(cluster, server)));
            } catch (TroubleException e) {
                // Its silence is its own: a cluster that is lost shows in all that is read of it.
                answers.put(server.service(), new Answered.Not(e.trouble()));
            }
        }
        return answers;
    }

    private static ServerReport ask(Cluster cluster, ServerThere server) throws TroubleException, InterruptedException {
        if (!server.software().equals(ServerThere.OLLAMA)) {
            cluster.ask(server.service(), String.valueOf(server.port()), "health", Optional.empty());
            return new ServerReport(server.service().name(), server.software(), Optional.empty(), List.of(), List.of());
        }
        OllamaReader reader = new OllamaReader();
        Optional<String> version = Optional.of(get(cluster, server, "api/version").path("version").asText(""))
                .filter(v -> !v.isEmpty());
        OllamaAnswer loaded = reader.read(get(cluster, server, "api/ps"));
        OllamaAnswer installed = reader.read(get(cluster, server, "api/tags"));
        return new ServerReport(server.service().name(), ServerThere.OLLAMA, version,
                loaded.models().stream().map(OllamaAnswer.Model::loaded).toList(),
                installed.models().stream().map(OllamaAnswer.Model::installed).toList());
    }

    private static JsonNode get(Cluster cluster, ServerThere server, String path)
            throws TroubleException, InterruptedException {
        try {
            return JSON.readTree(cluster.ask(server.service(), String.valueOf(server.port()), path, Optional.empty()));
        } catch (JsonProcessingException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, server.service().toString(),
                    "it does not answer as Ollama does", "See what stands behind that service."), e);
        }
    }
}
