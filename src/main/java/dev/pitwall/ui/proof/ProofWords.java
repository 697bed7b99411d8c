package dev.pitwall.ui.proof;

import dev.pitwall.journey.proof.ProofPod;
import dev.pitwall.journey.proof.ProofRun;
import dev.pitwall.ui.change.CodeLine;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.Tone;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Says what one proof came to, and what it shows. Pure: all of it is in the journal. */
final class ProofWords {

    private static final DateTimeFormatter WHEN =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());

    private final Texts texts;

    ProofWords(Texts texts) {
        this.texts = texts;
    }

    /** @param due what the step says of it; empty text where the proof is as wanted */
    ProofPage.Head head(ProofRun proof, String due) {
        ProofPod pod = proof.deciding();
        String when = texts.get("proof.when", pod.at().map(WHEN::format).orElse(""), proof.run().number());
        String took = pod.took().map(Ages::took).orElse("");
        if (proof.failed()) {
            return new ProofPage.Head(Mark.FAILING, Tone.FAILING, texts.get("proof.failed"), pod.said(), when, took,
                    texts.get("proof.took"));
        }
        String text = due.isEmpty() ? passed(proof) : texts.get("proof.due", due);
        return due.isEmpty() ? new ProofPage.Head(Mark.OK, Tone.OK, texts.get("proof.passed"), text, when, took, texts.get("proof.took"))
                : new ProofPage.Head(Mark.CLOCK, Tone.GREY, texts.get("proof.passed.old"), text, when, took,
                        texts.get("proof.took"));
    }

    private String passed(ProofRun proof) {
        int cards = proof.computed().map(ProofPod::cards).orElse(1);
        String resource = proof.deciding().resource();
        return cards == 1 ? texts.get("proof.passed.text", resource) : texts.get("proof.passed.several", resource, cards);
    }

    /** What each floor has had to do for it; a pod that failed shows nothing, one before it that passed does. */
    List<ProofPage.Proved> proved(ProofRun proof, Optional<ProofCard> card) {
        List<ProofPage.Proved> lines = new ArrayList<>();
        Optional<ProofPod> ran = proof.pods().stream().filter(ProofPod::passed).findFirst();
        if (ran.isEmpty()) {
            return List.of();
        }
        lines.addAll(floors(ran.get(), devices(proof), card));
        proof.computed().filter(ProofPod::passed).ifPresent(pod ->
                lines.add(line("card", texts.get("proof.shows.card"), pod.image().replaceFirst("^.*/", ""))));
        lines.add(new ProofPage.Proved(Mark.MINUS, texts.get("proof.floor.none"), texts.get("proof.shows.not-power"),
                texts.get("proof.shows.not-power.next")));
        if (proof.computed().filter(ProofPod::passed).isEmpty()) {
            lines.add(new ProofPage.Proved(Mark.MINUS, texts.get("proof.floor.none"), texts.get("proof.shows.not-computed"), ""));
        }
        return lines;
    }

    private List<ProofPage.Proved> floors(ProofPod pod, List<String> devices, Optional<ProofCard> card) {
        boolean own = card.flatMap(ProofCard::uuid).filter(uuid -> devices.stream().anyMatch(d -> d.contains(uuid))).isPresent();
        String given = devices.size() == 1 ? own ? texts.get("proof.shows.plugin.this") : texts.get("proof.shows.plugin")
                : texts.get("proof.shows.plugin.several", devices.size());
        return List.of(
                line("driver", texts.get("proof.shows.driver"),
                        pod.driver().isEmpty() ? "" : texts.get("proof.shows.driver.version", pod.driver())),
                line("runtime", pod.runtimeClass().map(name -> texts.get("proof.shows.runtime.class", name))
                        .orElseGet(() -> texts.get("proof.shows.runtime")), ""),
                line("plugin", devices.isEmpty() ? texts.get("proof.shows.plugin.unlisted", pod.resource()) : given,
                        String.join("\n", devices)),
                line("scheduling", texts.get("proof.shows.scheduling", pod.hostname()), pod.tolerated().isEmpty() ? ""
                        : texts.get("proof.shows.tolerates", String.join(", ", pod.tolerated()))),
                line("admission", texts.get("proof.shows.admission", pod.run().pod().namespace()),
                        texts.get("proof.shows.user", pod.user())));
    }

    /** The cards that a pod was given, a line each. */
    private static List<String> devices(ProofRun proof) {
        return proof.listed().filter(ProofPod::passed).map(pod -> pod.log().stream().filter(l -> l.contains("GPU-"))
                .map(ProofWords::device).toList()).orElse(List.of());
    }

    /** Address and UUID, of what nvidia-smi lists in this order: address, UUID, name, driver. */
    private static String device(String line) {
        return Stream.of(line.split(",")).limit(2).map(String::strip).collect(Collectors.joining(" · "));
    }

    private ProofPage.Proved line(String floor, String text, String detail) {
        return new ProofPage.Proved(Mark.OK, texts.get("proof.floor." + floor), text, detail);
    }

    /** The lines that decide are marked: those with the text that was waited for. */
    ProofPage.Log log(ProofRun proof) {
        ProofPod pod = proof.deciding();
        List<CodeLine> lines = new ArrayList<>();
        pod.log().forEach(line -> lines.add(new CodeLine("", "", line,
                pod.passed() && line.contains(pod.run().expects()) ? CodeLine.Look.GOOD : CodeLine.Look.PLAIN)));
        if (lines.isEmpty()) {
            lines.add(new CodeLine("", "", pod.said(), pod.passed() ? CodeLine.Look.GOOD : CodeLine.Look.DECIDES));
        }
        return new ProofPage.Log(texts.get("proof.log", pod.run().pod().name()), lines, pod.at());
    }

    /** As a report has it. */
    static String day(Instant at) {
        return WHEN.format(at);
    }
}
