package dev.pitwall.doctor.diagnosis;

import dev.pitwall.doctor.catalogue.Trap;
import dev.pitwall.doctor.sign.Cited;
import dev.pitwall.doctor.sign.Excerpt;

import java.util.List;
import java.util.Optional;

/**
 * One diagnosis: a named cause and what proves it.
 *
 * @param trap       the cause
 * @param confidence 0 to 1: how likely it is the cause by what was seen
 * @param summary    one or two sentences about this case
 * @param nodes      names of the nodes it was found on, if it is about some in particular
 * @param cards      ids of the cards it keeps from being used, as far as known
 * @param evidence   lines that decide, the strongest first
 * @param explained  names of other causes that follow from this one and are not told beside it
 * @param ruledOut   causes that looked likely, and why they are not
 */
public record Finding(Trap trap, double confidence, String summary, List<String> nodes, List<String> cards,
                      List<Proof> evidence, List<String> explained, List<RuledOut> ruledOut) {

    /** From here on a finding is named without "may". */
    public static final double CERTAIN = 0.6;

    /**
     * @param line of the evidence; empty where what counts is what was not there or what a comparison gave
     * @param says what was seen, in words
     * @param sides what each of the things shows that were compared; empty where nothing was compared
     */
    public record Proof(Role role, String says, Optional<Cited> line, List<Excerpt> sides) {
        public Proof {
            sides = List.copyOf(sides);
        }

        /** What the compared things show beyond the line itself. */
        public List<Excerpt> beside() {
            return sides.stream().filter(side -> line.map(Excerpt::of).filter(side::equals).isEmpty()).toList();
        }

        /** What one line proves. */
        public Proof(Role role, String says, Optional<Cited> line) {
            this(role, says, line, List.of());
        }
    }

    /** What a line is to a finding. */
    public enum Role { DECIDES, SYMPTOM }

    /** @param because what speaks against it, with the reading */
    public record RuledOut(String trap, String because) {
    }

    public Finding {
        nodes = List.copyOf(nodes);
        cards = List.copyOf(cards);
        evidence = List.copyOf(evidence);
        explained = List.copyOf(explained);
        ruledOut = List.copyOf(ruledOut);
    }

    /** True if what was seen suffices to name the cause. */
    public boolean certain() {
        return confidence >= CERTAIN;
    }
}
