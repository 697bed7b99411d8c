package dev.pitwall.cli.doctor;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.cli.journey.RunOutput;
import dev.pitwall.doctor.Treatment;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.doctor.diagnosis.Finding.Proof;
import dev.pitwall.doctor.sign.Cited;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.journey.Spans;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A diagnosis for the terminal and as JSON. */
final class DoctorReport {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final int SHOWN = 5;
    private final Diagnosis diagnosis;
    private final Map<Finding, Treatment> treatments;

    /** @param treatments what Pitwall would do, of the findings of a live site */
    DoctorReport(Diagnosis diagnosis, Map<Finding, Treatment> treatments) {
        this.diagnosis = diagnosis;
        this.treatments = Map.copyOf(treatments);
    }

    ObjectNode json() {
        ObjectNode json = NODES.objectNode();
        ArrayNode findings = json.putArray("findings");
        diagnosis.findings().forEach(finding -> findings.add(finding(finding)));
        ArrayNode waiting = json.putArray("waiting");
        diagnosis.waiting().forEach(wait -> waiting.add(waiting(wait)));
        ArrayNode harmless = json.putArray("harmless");
        diagnosis.harmless().forEach(finding -> harmless.add(finding(finding)));
        ArrayNode advice = json.putArray("advice");
        diagnosis.advice().forEach(finding -> advice.add(finding(finding)));
        texts(json.putArray("next"), diagnosis.next());
        texts(json.putArray("unseen"), diagnosis.unseen());
        Diagnosis.Looked looked = diagnosis.looked();
        json.putObject("looked").put("documents", looked.documents()).put("lines", looked.lines())
                .put("objects", looked.objects()).put("causes", looked.causes());
        return json;
    }

    private ObjectNode finding(Finding finding) {
        ObjectNode json = NODES.objectNode().put("trap", finding.trap().name())
                .put("floor", finding.trap().floor().wireName()).put("confidence", finding.confidence())
                .put("certain", finding.certain());
        if (finding.cards().isEmpty()) {
            json.putNull("card");
        } else {
            json.put("card", finding.cards().getFirst());
        }
        texts(json.putArray("cards"), finding.cards());
        texts(json.putArray("nodes"), finding.nodes());
        json.put("title", finding.trap().title()).put("summary", finding.summary());
        ArrayNode evidence = json.putArray("evidence");
        finding.evidence().forEach(proof -> evidence.add(proof(proof)));
        texts(json.putArray("explains"), finding.explained());
        ArrayNode ruledOut = json.putArray("ruledOut");
        finding.ruledOut().forEach(r -> ruledOut.addObject().put("trap", r.trap()).put("because", r.because()));
        ObjectNode fix = json.putObject("fix").put("summary", finding.trap().fix().summary());
        texts(fix.putArray("steps"), finding.trap().fix().steps());
        ArrayNode changes = fix.putArray("changes");
        Optional.ofNullable(treatments.get(finding)).ifPresent(treatment -> {
            fix.put("by", by(treatment));
            treatment.changes().forEach(change -> changes.add(RunOutput.change(change)));
        });
        return json;
    }

    private static String by(Treatment treatment) {
        return switch (treatment.means()) {
            case Treatment.WizardStep step -> "step " + step.step();
            case Treatment.OwnCure cure -> "cure " + cure.cure();
            case Treatment.ByHand hand -> "hand";
        };
    }

    private static ObjectNode proof(Proof proof) {
        ObjectNode json = NODES.objectNode();
        json.put("from", proof.line().map(Cited::from).orElse("comparison"));
        json.put("line", proof.line().map(Cited::text).orElse(proof.says()));
        json.put("role", proof.role().name().toLowerCase(Locale.ROOT));
        proof.line().filter(line -> line.number() > 0).ifPresent(line -> json.put("number", line.number()));
        if (!proof.sides().isEmpty()) {
            ArrayNode compared = json.putArray("compared");
            proof.sides().forEach(side -> side(compared.addObject(), side));
        }
        return json;
    }

    private static void side(ObjectNode json, Excerpt side) {
        ArrayNode lines = json.put("from", side.from()).putArray("lines");
        side.lines().forEach(line -> {
            ObjectNode row = lines.addObject().put("text", line.text()).put("marked", line.counts());
            if (line.number() > 0) {
                row.put("number", line.number());
            }
        });
    }

    private static ObjectNode waiting(Diagnosis.Waiting wait) {
        ObjectNode json = NODES.objectNode().put("trap", wait.finding().trap().name())
                .put("for", wait.finding().summary());
        json.put("since", wait.since().map(Object::toString).orElse(null));
        json.put("normalSeconds", wait.normal().toSeconds());
        return json;
    }

    private static void texts(ArrayNode array, List<String> texts) {
        texts.forEach(array::add);
    }

    String text() {
        StringBuilder text = new StringBuilder();
        diagnosis.findings().forEach(finding -> finding(text, finding));
        if (diagnosis.findings().isEmpty()) {
            text.append(nothing()).append('\n');
        }
        diagnosis.waiting().forEach(wait -> text.append("wait   ").append(wait.finding().summary())
                .append(" Normal: up to ").append(Spans.words(wait.normal())).append(".\n"));
        list(text, "harmless", diagnosis.harmless().stream().map(Finding::summary).toList());
        list(text, "advice", diagnosis.advice().stream().map(Finding::summary).toList());
        list(text, "look at next", diagnosis.next());
        list(text, "not looked at", diagnosis.unseen());
        Diagnosis.Looked looked = diagnosis.looked();
        return text.append(looked.causes()).append(" causes compared with ").append(looked.documents())
                .append(looked.documents() == 1 ? " document, " : " documents, ").append(looked.lines()).append(" lines, ")
                .append(looked.objects()).append(" objects\n").toString();
    }

    private String nothing() {
        return diagnosis.next().isEmpty() ? "ok     nothing wrong was found" : "?      no cause can be told from this; look at what is named below";
    }

    private void finding(StringBuilder text, Finding finding) {
        text.append(finding.certain() ? "fault  " : "likely ").append(finding.trap().floor().wireName()).append(" · ")
                .append(finding.trap().name()).append(" · ").append(Math.round(finding.confidence() * 100)).append(" %");
        String where = finding.nodes().isEmpty() ? "" : " · " + String.join(", ", finding.nodes());
        text.append(where).append("\n       ").append(finding.summary()).append('\n');
        Set<Excerpt> shown = new HashSet<>();
        finding.evidence().stream().limit(SHOWN).forEach(proof -> {
            text.append("       ").append(proof.line().map(DoctorReport::place).orElse("compared: " + proof.says())).append('\n');
            proof.beside().stream().filter(shown::add).forEach(side -> side(text, side));
        });
        finding.ruledOut().forEach(r -> text.append("       not ").append(r.trap()).append(": ").append(r.because())
                .append('\n'));
        if (!finding.explained().isEmpty()) {
            text.append("       explains ").append(finding.explained().stream().distinct().collect(Collectors.joining(", ")))
                    .append('\n');
        }
        text.append("       fix: ").append(finding.trap().fix().summary()).append('\n');
        int number = 1;
        for (String step : finding.trap().fix().steps()) {
            text.append("         ").append(number++).append(". ").append(step).append('\n');
        }
        Optional.ofNullable(treatments.get(finding)).filter(Treatment::canBeMade).ifPresent(treatment -> {
            text.append("       pitwall doctor --fix ").append(finding.trap().name()).append(" would do this:\n");
            treatment.changes().forEach(change -> text.append("         ").append(change.target()).append(" · ")
                    .append(change.summary()).append('\n'));
        });
        text.append('\n');
    }

    private static void side(StringBuilder text, Excerpt side) {
        text.append("         ").append(side.from()).append('\n');
        side.lines().forEach(line -> text.append(line.counts() ? "         > " : "           ")
                .append(line.number() > 0 ? line.number() + "  " : "").append(line.text()).append('\n'));
    }

    private static String place(Cited line) {
        return line.from() + (line.number() > 0 ? ":" + line.number() : "") + ": " + line.text().strip();
    }

    private static void list(StringBuilder text, String title, List<String> items) {
        items.forEach(item -> text.append(title).append(": ").append(item).append('\n'));
    }
}
