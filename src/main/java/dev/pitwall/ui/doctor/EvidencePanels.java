package dev.pitwall.ui.doctor;

import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.doctor.diagnosis.Finding.Proof;
import dev.pitwall.doctor.sign.Cited;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.ui.change.CodeLine;
import dev.pitwall.ui.words.Texts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Puts the lines that prove a finding back into their documents. Pure. */
final class EvidencePanels {

    /** More marked lines than that in one document tell nothing apart. */
    private static final int MOST_MARKED = 5;
    private static final CodeLine GAP = CodeLine.plain("…");

    private final Texts texts;

    EvidencePanels(Texts texts) {
        this.texts = texts;
    }

    List<EvidencePanel> of(Finding finding) {
        Map<String, List<Proof>> documents = new LinkedHashMap<>();
        finding.evidence().forEach(proof -> documents
                .computeIfAbsent(proof.line().map(Cited::from).orElse(""), _ -> new ArrayList<>()).add(proof));
        return documents.entrySet().stream().flatMap(d -> Stream.concat(Stream.of(panel(d.getKey(), d.getValue())),
                        d.getValue().stream().flatMap(proof -> proof.beside().stream().map(side -> side(side, proof)))))
                .filter(panel -> !panel.lines().isEmpty()).distinct().toList();
    }

    /** One of the things that were compared, as it stands where it was read. */
    private EvidencePanel side(Excerpt side, Proof proof) {
        List<CodeLine> lines = new ArrayList<>();
        long last = 0;
        for (Excerpt.Line line : side.lines()) {
            if (last > 0 && line.number() > last + 1) {
                lines.add(GAP);
            }
            last = line.number();
            lines.add(new CodeLine(line.number() > 0 ? Long.toString(line.number()) : "", "", line.text(),
                    line.counts() ? look(proof) : CodeLine.Look.PLAIN));
        }
        return new EvidencePanel(side.from(), lines);
    }

    private EvidencePanel panel(String name, List<Proof> proofs) {
        if (name.isEmpty()) {
            return new EvidencePanel("", proofs.stream().filter(p -> !p.says().isEmpty())
                    .map(p -> new CodeLine("", "", p.says(), look(p), word(p))).distinct().toList());
        }
        boolean numbered = proofs.stream().allMatch(p -> p.line().orElseThrow().number() > 0);
        return new EvidencePanel(name, numbered ? numbered(proofs) : oneAfterTheOther(proofs));
    }

    private List<CodeLine> numbered(List<Proof> proofs) {
        TreeMap<Long, CodeLine> lines = new TreeMap<>();
        int marked = 0;
        for (Proof proof : proofs) {
            Cited cited = proof.line().orElseThrow();
            context(lines, cited.number() - cited.before().size(), cited.before());
            context(lines, cited.number() + 1, cited.after());
            if (marked++ < MOST_MARKED) {
                lines.put(cited.number(), new CodeLine(Long.toString(cited.number()), "", cited.text(), look(proof), note(proof)));
            } else {
                context(lines, cited.number(), List.of(cited.text()));
            }
        }
        List<CodeLine> all = new ArrayList<>();
        long last = lines.firstKey() - 1;
        for (Map.Entry<Long, CodeLine> line : lines.entrySet()) {
            if (line.getKey() > last + 1) {
                all.add(GAP);
            }
            last = line.getKey();
            all.add(line.getValue());
        }
        return all;
    }

    private static void context(Map<Long, CodeLine> lines, long from, List<String> texts) {
        for (int i = 0; i < texts.size(); i++) {
            long number = from + i;
            lines.putIfAbsent(number, new CodeLine(Long.toString(number), "", texts.get(i), CodeLine.Look.PLAIN));
        }
    }

    /** What an API gave has no numbers; what belongs together stays together. */
    private List<CodeLine> oneAfterTheOther(List<Proof> proofs) {
        List<CodeLine> all = new ArrayList<>();
        int marked = 0;
        for (Proof proof : proofs) {
            Cited cited = proof.line().orElseThrow();
            CodeLine line = new CodeLine("", "", cited.text(), look(proof), note(proof));
            if (marked++ >= MOST_MARKED || all.contains(line)) {
                continue;
            }
            if (!all.isEmpty()) {
                all.add(GAP);
            }
            cited.before().forEach(text -> all.add(CodeLine.plain(text)));
            all.add(line);
            cited.after().forEach(text -> all.add(CodeLine.plain(text)));
        }
        return all;
    }

    private static CodeLine.Look look(Proof proof) {
        return switch (proof.role()) {
            case DECIDES -> CodeLine.Look.DECIDES;
            case SYMPTOM -> CodeLine.Look.SYMPTOM;
        };
    }

    private String note(Proof proof) {
        boolean repeats = proof.line().filter(line -> line.text().strip().equals(proof.says().strip())).isPresent();
        return proof.says().isEmpty() || repeats ? word(proof) : proof.says();
    }

    private String word(Proof proof) {
        return switch (proof.role()) {
            case DECIDES -> texts.get("doctor.decides");
            case SYMPTOM -> texts.get("doctor.symptom");
        };
    }
}
