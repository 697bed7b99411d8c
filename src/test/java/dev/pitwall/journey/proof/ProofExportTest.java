package dev.pitwall.journey.proof;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.pitwall.card.Floor;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.CardPlan.Planned;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.StepTexts;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.journey.change.Risk;
import dev.pitwall.journey.export.Exports;
import dev.pitwall.journey.operator.PaperCluster;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** What a plan of the last two steps looks like for kubectl and Helm. */
class ProofExportTest {
    private final ProofScene scene = new ProofScene();

    private CardPlan plan() {
        Situation situation = scene.situation();
        StepTexts texts = StepTexts.load();
        List<Planned> steps = new ArrayList<>();
        for (Step step : ProofSteps.all()) {
            steps.add(new Planned(step.id(), step.floor(), texts.of(step.id()), step.look(situation)));
        }
        return new CardPlan(situation.card(), situation.choices(), ProofScene.NOW, steps);
    }

    private static String render(String kind, CardPlan plan) {
        return Exports.all().stream().filter(e -> e.kind().equals(kind)).findFirst().orElseThrow().render(plan);
    }

    private static List<JsonNode> documents(String yaml) throws Exception {
        return new ObjectMapper(new YAMLFactory()).readerFor(JsonNode.class).<JsonNode>readValues(yaml).readAll().stream()
                .filter(d -> !d.isNull() && !d.isMissingNode()).toList();
    }

    @Test
    void manifestsHaveEveryObjectAndPodAsItWouldBeMade() throws Exception {
        CardPlan plan = plan(scene.choose("server", "ollama-manifests"));
        String text = render("manifests", plan);

        List<JsonNode> wanted = plan.changes().stream().flatMap(c -> switch (c) {
            case ManifestChange m -> m.after().stream();
            case PodRun p -> Stream.of(p.manifest());
            default -> Stream.<JsonNode>of();
        }).toList();
        assertThat(documents(text)).isEqualTo(wanted).hasSize(6);
        assertThat(text).contains("kubectl apply --server-side").contains("logs -f pitwall-vectoradd")
                .contains("# Not in it: model llama3.2:3b");
    }

    private CardPlan plan(ProofScene changed) {
        assertThat(changed).isSameAs(scene);
        return plan();
    }

    @Test
    void fieldsThatAreSetAreNamedAndFieldsThatGoAreACommand() throws Exception {
        ObjectRef node = ObjectRef.of(ObjectType.NODE, "worker-1");
        JsonNode present = PaperCluster.yaml("{metadata: {labels: {a: x, b: y}}}");
        CardPlan plan = new CardPlan(plan().card(), plan().choices(), ProofScene.NOW, List.of(new Planned("proof",
                Floor.PROOF, StepTexts.load().of("proof"), Answer.ready("", List.of(), List.of(
                ManifestChange.setting("paper", node, present, PaperCluster.yaml("{metadata: {labels: {a: z}}}"), Risk.NONE, "label"),
                ManifestChange.setting("paper", ObjectRef.of(ObjectType.NODE, "worker-2"), present,
                        PaperCluster.yaml("{metadata: {labels: {b: null}}}"), Risk.NONE, "no label"))))));
        String text = render("manifests", plan);

        assertThat(documents(text)).singleElement().satisfies(d -> assertThat(d).isEqualTo(PaperCluster.yaml(
                "{apiVersion: v1, kind: Node, metadata: {name: worker-1, labels: {a: z}}}")));
        assertThat(text).contains("# no label: kubectl patch nodes/worker-2 --type merge -p '{\"metadata\":{\"labels\":{\"b\":null}}}'");
    }

    @Test
    void valuesAreTheSameTreeWithAReasonAboveEach() throws Exception {
        CardPlan plan = plan();
        HelmChange release = (HelmChange) plan.changes().stream().filter(HelmChange.class::isInstance).findFirst().orElseThrow();
        String text = render("helm-values", plan);

        assertThat(documents(text)).containsExactly(release.after().orElseThrow().values());
        assertThat(text).contains("helm upgrade --install ollama-worker-1-01-00 ollama --repo https://charts.example --version 1.77.0");
        assertThat(release.lines()).allSatisfy(line -> assertThat(text).contains("# " + line.reason()));
        assertThat(text).contains("    # the server works on a card\n    enabled: true");
    }

    @Test
    void aPlanThatChangesNothingSaysSo() {
        scene.choose("server", "none").offers("", "");
        assertThat(render("helm-values", plan())).contains("No release is to be changed now.");
        assertThat(render("manifests", plan())).contains("Nothing is to be changed now.").contains("Prove the card: waits until");
    }
}
