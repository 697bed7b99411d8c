package dev.pitwall.journey.proof;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.PodReport;
import dev.pitwall.card.Sentences;
import dev.pitwall.card.ServerReport;
import dev.pitwall.card.Source;
import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.read.PodObject;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the server's step looked at, row by row. */
final class ServerRows {
    private final Sentences texts;
    private final CardNode node;
    private final Instant at;
    private final List<Found> rows = new ArrayList<>();

    ServerRows(Sentences texts, Situation situation, CardNode node) {
        this.texts = texts;
        this.node = node;
        this.at = new CardProof(situation, node).at();
    }

    List<Found> all() {
        return List.copyOf(rows);
    }

    void server(ServerThere server, ServerReport report) {
        row(texts.say("row.server"), texts.say("row.server.value", report.software(), report.version().orElse(""),
                server.service(), node.name()), Mark.OK, proxy(server, "api/version"));
        row(texts.say("row.installed"), report.installed().isEmpty() ? texts.say("none")
                : report.installed().stream().map(ServerReport.InstalledModel::name).collect(Collectors.joining(", ")),
                Mark.INFO, proxy(server, "api/tags"));
    }

    /** How much of each loaded model is on the card. */
    void split(ServerReport report) {
        report.loaded().forEach(model -> {
            if (model.sizeBytes().isPresent() && model.vramBytes().isPresent() && model.sizeBytes().getAsLong() > 0) {
                long part = 100 * model.vramBytes().getAsLong() / model.sizeBytes().getAsLong();
                rows.add(new Found(texts.say("row.loaded"), part >= 100 ? texts.say("row.loaded.all", model.name())
                        : texts.say("row.loaded.part", model.name(), part), part >= 100 ? Mark.OK : Mark.ATTENTION,
                        new Source(Source.Kind.MODELS, node.cluster().name(), "GET /api/ps"), at, "", List.of()));
            }
        });
    }

    void silent(ServerThere server, Trouble why) {
        row(texts.say("row.server"), why.what(), Mark.ATTENTION, proxy(server, "api/version"));
    }

    private static String proxy(ServerThere server, String path) {
        return "kubectl get --raw /api/v1/namespaces/" + server.service().namespace() + "/services/"
                + server.service().name() + ":" + server.port() + "/proxy/" + path;
    }

    void wish(ServerWish wish, ProofData.Server data) {
        row(texts.say("row.server"), texts.say("row.server.none", node.name()), Mark.INFO, "kubectl get pods -A -o wide");
        row(texts.say("row.class"), wish.storageClass(node).orElse(texts.say("none")),
                wish.storageClass(node).isPresent() ? Mark.OK : Mark.BAD, "kubectl get storageclasses");
        row(texts.say("row.memory"), node.memoryMiB().isPresent() ? node.memoryMiB().getAsLong() + " MiB"
                : texts.say("row.notTold"), Mark.INFO, "kubectl get node " + node.name() + " -L nvidia.com/gpu.memory");
    }

    /** What the pod of a server that is made waits for. */
    String pending(ServerWish wish) {
        return node.cluster().all(ObjectType.POD).stream()
                .filter(p -> p.at("/metadata/namespace").asText().equals(wish.namespace()))
                .filter(p -> p.at("/metadata/name").asText().startsWith(wish.name() + "-"))
                .map((JsonNode p) -> waitsFor(new PodObject().read(p))).findFirst().orElse(texts.say("server.noPod"));
    }

    /** In the words of the scheduler or the kubelet. */
    static String waitsFor(PodReport pod) {
        return Stream.concat(pod.scheduling().stream(), Stream.concat(pod.initContainers().stream(),
                        pod.containers().stream()).filter(c -> !c.ready()).flatMap(c -> Stream.concat(c.reason().stream(),
                        c.message().stream())))
                .filter(w -> !w.isBlank()).findFirst().orElse(pod.phase());
    }

    private void row(String name, String value, Mark mark, String byHand) {
        rows.add(new Found(name, value, mark, new Source(Source.Kind.CLUSTER, node.cluster().name(), byHand), at, "",
                List.of()));
    }
}
