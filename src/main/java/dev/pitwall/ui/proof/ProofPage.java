package dev.pitwall.ui.proof;

import dev.pitwall.ui.change.CodeLine;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.Tone;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the page of the proof shows beside its step, but for ages.
 *
 * @param standing whether the card's proof is as wanted now
 * @param head     what the last try came to; empty where nothing was tried
 * @param proved   what that shows, floor by floor; empty where it shows nothing
 * @param roll     all cards of the site
 * @param tally    how many of them have passed, for example {@code 3 of 3}
 * @param log      what the deciding pod printed
 * @param held     why no card can be called now; empty text if they can
 * @param trouble  why the last call ended early; empty text if it did not
 */
public record ProofPage(Standing standing, Optional<Head> head, List<Proved> proved, List<RollLine> roll, String tally,
                        Optional<Log> log, String held, String trouble) {

    /** Of a site without a wizard. */
    static final ProofPage NOTHING = new ProofPage(Standing.DUE, Optional.empty(), List.of(), List.of(), "",
            Optional.empty(), "", "");

    /** How the card's proof stands. */
    public enum Standing {
        /** Passed, since the node was started and with its driver. */
        PROVED,
        /** Not tried, failed, or old. */
        DUE
    }

    /**
     * The result.
     *
     * @param when     day, time and number of the run
     * @param took     empty text where it is not known
     * @param tookNote from when to when
     */
    record Head(Mark mark, Tone tone, String title, String text, String when, String took, String tookNote) {
    }

    /** One floor that the test has shown to work, or what it has not shown. */
    record Proved(Mark mark, String floor, String text, String detail) {
    }

    /**
     * One card.
     *
     * @param word what came of its last test, or what it is at
     * @param note a few words more; may be empty
     * @param took empty text where nothing was measured
     * @param at   when it was tested; empty where it was not
     */
    record RollLine(String cardId, Mark mark, Tone tone, String host, String name, String node, String word, String note,
                    String took, Optional<Instant> at, boolean chosen) {
    }

    /** @param title for example {@code log of pod pitwall-vectoradd-pve2-01-00-…} */
    record Log(String title, List<CodeLine> lines, Optional<Instant> at) {
        Log {
            lines = List.copyOf(lines);
        }

        String text() {
            return String.join("\n", lines.stream().map(CodeLine::text).toList()) + "\n";
        }
    }

    public ProofPage {
        proved = List.copyOf(proved);
        roll = List.copyOf(roll);
    }
}
