package dev.pitwall.journey.proof;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Sentences;
import dev.pitwall.card.Source;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Spans;
import dev.pitwall.journey.survey.Proof;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the proof looked at, row by row. */
final class ProofRows {
    private final Sentences texts;
    private final CardNode node;
    private final Instant at;
    private final List<Found> rows = new ArrayList<>();

    ProofRows(Sentences texts, Situation situation, CardNode node) {
        this.texts = texts;
        this.node = node;
        this.at = new CardProof(situation, node).at();
    }

    List<Found> all() {
        return List.copyOf(rows);
    }

    void proofs(CardProof proof) {
        proof.newest().ifPresent(last -> {
            boolean now = proof.standing() == CardProof.Standing.PROVED;
            Mark mark = last.result() == Proof.Result.FAILED ? Mark.BAD : now ? Mark.OK : Mark.ATTENTION;
            String value = texts.say("row.last." + switch (proof.standing()) {
                case PROVED, NEW, ASKED_AGAIN -> "good";
                case FAILED -> "failed";
                case BOOTED -> "booted";
                case OTHER_DRIVER -> "driver";
            }, ago(last, proof.at()), Spans.words(last.took()));
            rows.add(new Found(texts.say("row.last"), value, mark,
                    new Source(Source.Kind.JOURNAL, "pitwall", "pitwall journal --run " + last.run()), last.at(),
                    last.text(), List.of()));
        });
    }

    /** For example {@code 3 min ago}. */
    static String ago(Proof proof, Instant now) {
        return Spans.ago(proof.at(), now);
    }

    void resource(String resource) {
        long offered = node.allocatable(resource);
        cluster(texts.say("row.offered"), node.registered() ? texts.say("row.offered.value", resource, offered,
                node.capacity(resource)) : texts.say("row.offered.none", resource), offered > 0 ? Mark.OK : Mark.ATTENTION,
                "kubectl get node " + node.name() + " -o jsonpath={.status.allocatable}", "");
    }

    void cuda(String image) {
        Optional<Cuda> built = Cuda.ofImage(image);
        Optional<Cuda> most = node.cuda();
        String value = texts.say("row.cuda.value", most.map(Cuda::toString).orElse(texts.say("row.notTold")),
                node.driver().isEmpty() ? texts.say("row.notTold") : node.driver(),
                built.map(Cuda::toString).orElse(texts.say("row.notTold")));
        boolean old = built.isPresent() && most.filter(m -> m.compareTo(built.get()) < 0).isPresent();
        cluster(texts.say("row.cuda"), value, old ? Mark.BAD : most.isPresent() && built.isPresent() ? Mark.OK : Mark.INFO,
                "kubectl get node " + node.name() + " -L nvidia.com/cuda.runtime-version.full", "");
    }

    void taints() {
        if (!node.taints().isEmpty()) {
            cluster(texts.say("row.taints"), node.taints().stream().map(ProofRows::taint)
                    .collect(Collectors.joining(", ")) + " · " + texts.say("row.taints.tolerated"), Mark.OK,
                    "kubectl get node " + node.name() + " -o jsonpath={.spec.taints}", "");
        }
    }

    private static String taint(JsonNode taint) {
        String value = taint.path("value").asText("");
        return taint.path("key").asText() + (value.isEmpty() ? "" : "=" + value) + ":" + taint.path("effect").asText();
    }

    void holders(List<Holder> holders) {
        cluster(texts.say("row.holders"), holders.isEmpty() ? texts.say("row.holders.none")
                : holders.stream().map(Holder::words).collect(Collectors.joining(", ")),
                holders.isEmpty() ? Mark.OK : Mark.ATTENTION,
                "kubectl get pods -A --field-selector spec.nodeName=" + node.name(), "");
    }

    void place(ProofPlace place) {
        switch (place) {
            case ProofPlace.Fits fits -> cluster(texts.say("row.place"), fits.added().isEmpty()
                    ? texts.say("row.place.fits", fits.namespace())
                    : texts.say("row.place.added", fits.namespace(), fits.added()), Mark.OK, dryRun(fits.namespace()), "");
            case ProofPlace.Unknown unknown -> { }
            case ProofPlace.Bent bent -> cluster(texts.say("row.place"), bent.how(), Mark.BAD, dryRun(bent.namespace()), "");
            case ProofPlace.Refused refused -> cluster(texts.say("row.place"), texts.say("row.place.refused",
                    refused.namespace()), Mark.BAD, dryRun(refused.namespace()), refused.why().what());
        }
    }

    private static String dryRun(String namespace) {
        return "kubectl create -n " + namespace + " --dry-run=server -f POD";
    }

    private void cluster(String name, String value, Mark mark, String byHand, String raw) {
        rows.add(new Found(name, value, mark, new Source(Source.Kind.CLUSTER, node.cluster().name(), byHand), at, raw,
                List.of()));
    }
}
