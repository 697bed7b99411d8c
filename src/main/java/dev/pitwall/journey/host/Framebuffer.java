package dev.pitwall.journey.host;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.survey.Showing;
import dev.pitwall.read.KernelLog;
import dev.pitwall.read.KernelLogReader;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The console that the kernel draws on a card before any driver of it is loaded. {@code video=efifb:off} does nothing on
 * Proxmox's kernels; {@code initcall_blacklist=sysfb_init} is what works (facts: proxmox.md 2.6).
 */
final class Framebuffer {
    static final String KEY = "sysfb";
    private static final KernelWord OFF = KernelWord.of("initcall_blacklist", "sysfb_init");
    private static final Pattern ADDRESS =
            Pattern.compile("[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[01][0-9a-fA-F]\\.[0-7]");

    private final HostCard card;
    private final Sentences texts;

    Framebuffer(HostCard card, Sentences texts) {
        this.card = card;
        this.texts = texts;
    }

    static Optional<KernelWord> chosen(Choices choices) {
        return choices.get(KEY).filter("yes"::equals).map(yes -> OFF);
    }

    /** True if the memory map shows the boot framebuffer inside a range of this card. */
    boolean onCard() {
        return card.host().framebuffer().stream().anyMatch(this::names);
    }

    /** The survey has the kernel's line with the card behind it. */
    private boolean decides(String line) {
        return !line.isBlank() && card.host().framebuffer().stream().filter(this::names)
                .anyMatch(found -> found.startsWith(line.strip()));
    }

    private boolean names(String line) {
        Matcher m = ADDRESS.matcher(line);
        while (m.find()) {
            if (PciAddress.parse(m.group()).filter(a -> a.sameSlot(card.slot())).isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** True if it may matter for this card at all. */
    boolean matters() {
        return onCard() || card.bootDisplay() || refused(new HostEvidence(card.host())).isPresent();
    }

    /** Chosen, and the running kernel does not have it yet: the step of the IOMMU adds it. */
    boolean pending() {
        return chosen(card.choices()).filter(w -> !w.in(card.host().commandLine().options())).isPresent();
    }

    List<Found> rows(HostEvidence evidence) {
        List<Found> rows = new ArrayList<>();
        if (onCard()) {
            rows.add(evidence.row(texts.say("row.framebuffer"), texts.say("row.framebuffer.here"), Found.Mark.ATTENTION,
                    Showing.IOMEM, this::decides));
        }
        refused(evidence).ifPresent(line -> rows.add(evidence.row(texts.say("row.framebuffer"), line,
                Found.Mark.ATTENTION, Showing.KERNEL_LOG, l -> l.contains(line))));
        return rows;
    }

    /** The kernel's line that something else has a range of this card's memory. */
    private Optional<String> refused(HostEvidence evidence) {
        return evidence.text(Showing.KERNEL_LOG).map(new KernelLogReader()::read).stream()
                .flatMap(log -> log.events().stream()).filter(e -> e.what().equals("bar-not-reserved"))
                .filter(e -> e.address().filter(a -> a.sameSlot(card.slot())).isPresent())
                .map(KernelLog.Event::text).findFirst();
    }

    Answer.Question question() {
        return new Answer.Question(KEY, texts.say("sysfb.ask"), List.of(
                new Answer.Option("no", texts.say("sysfb.no"), texts.say("sysfb.no.note")),
                new Answer.Option("yes", texts.say("sysfb.yes"), texts.say("sysfb.yes.note"))),
                chosen(card.choices()).isPresent() ? "yes" : "no");
    }
}
