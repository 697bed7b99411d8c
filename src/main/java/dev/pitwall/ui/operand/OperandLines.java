package dev.pitwall.ui.operand;

import dev.pitwall.card.ClusterReport;
import dev.pitwall.card.FloorStatus.Progress;
import dev.pitwall.card.NodeReport;
import dev.pitwall.card.Observed;
import dev.pitwall.card.OperandTower;
import dev.pitwall.card.OperandTower.Tier;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.Tone;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Puts the operands of a node into words and shapes. Pure. Only the lowest that is not ready has colour: those above it
 * wait for it, and what waits never looks like what fails.
 */
public final class OperandLines {

    private final Texts texts;
    private final OperandTower tower = new OperandTower();

    public OperandLines(Texts texts) {
        this.texts = texts;
    }

    /**
     * @param cluster as it is watched; empty for a site without one
     * @param node    the one that has the card now
     */
    public OperandPage of(Optional<Observed<ClusterReport>> cluster, Optional<String> node, Instant now) {
        Optional<ClusterReport> report = cluster.flatMap(Observed::value);
        Optional<NodeReport> found = report.flatMap(r -> node.flatMap(name ->
                r.nodes().stream().filter(n -> n.name().equals(name)).findFirst()));
        if (found.isEmpty()) {
            return new OperandPage("", cluster.isEmpty() ? texts.get("operand.no-cluster") : texts.get("operand.no-node"),
                    List.of());
        }
        boolean live = cluster.get().live();
        List<Tier> tiers = tower.of(cluster.get().system(), found.get(), report.get().pods(), now);
        String word = !live ? cluster.get().trouble().map(t -> texts.get("operand.was", t.sentence()))
                .orElseGet(() -> texts.get("operand.kept")) : tiers.isEmpty() ? texts.get("operand.none") : "";
        return new OperandPage(found.get().name(), word, lines(tiers, live, now).reversed());
    }

    private List<OperandPage.Line> lines(List<Tier> tiers, boolean live, Instant now) {
        List<OperandPage.Line> lines = new ArrayList<>();
        boolean first = true;
        for (Tier tier : tiers) {
            lines.add(line(tier, live && first, live, now));
            first &= tier.state() == OperandTower.State.READY;
        }
        return lines;
    }

    /** @param cause true if nothing below it is unready */
    private OperandPage.Line line(Tier tier, boolean cause, boolean live, Instant now) {
        boolean waits = tier.state() == OperandTower.State.WAITING;
        OptionalDouble progress = tier.progress().filter(_ -> waits && cause).map(OperandLines::fraction)
                .orElse(OptionalDouble.empty());
        return new OperandPage.Line(live ? mark(tier, cause) : Mark.QUESTION, live ? tone(tier, cause) : Tone.GREY,
                texts.get("operand." + tier.kind().name().toLowerCase(Locale.ROOT)),
                texts.get("operand.state." + tier.state().name().toLowerCase(Locale.ROOT)), text(tier),
                waits ? tier.progress().map(this::normal).orElse("") : since(tier, now), pod(tier), progress);
    }

    private static OptionalDouble fraction(Progress p) {
        return p.usual().isZero() ? OptionalDouble.empty()
                : OptionalDouble.of(Math.min(1, p.elapsed().toMillis() / (double) p.usual().toMillis()));
    }

    private static Mark mark(Tier tier, boolean cause) {
        return switch (tier.state()) {
            case READY -> Mark.OK;
            case WAITING -> cause ? Mark.RING : Mark.CLOCK;
            case FAILING -> Mark.FAILING;
        };
    }

    private static Tone tone(Tier tier, boolean cause) {
        return switch (tier.state()) {
            case READY -> Tone.OK;
            case WAITING -> cause ? Tone.ACT : Tone.GREY;
            case FAILING -> Tone.FAILING;
        };
    }

    /** How long it has been up. */
    private String since(Tier tier, Instant now) {
        return tier.pod().startedAt().filter(_ -> tier.state() == OperandTower.State.READY)
                .map(at -> texts.get("operand.since", Ages.full(Duration.between(at, now)))).orElse("");
    }

    private String text(Tier tier) {
        return switch (tier.state()) {
            case READY -> "";
            case WAITING -> {
                String key = "operand.waits." + tier.container();
                yield texts.has(key) ? texts.get(key) + " · " + tier.words() : tier.words();
            }
            case FAILING -> tier.message().isEmpty() ? tier.words() : tier.words() + " · " + tier.message();
        };
    }

    private String normal(Progress p) {
        return p.elapsed().compareTo(p.usual()) <= 0 ? texts.get("garage.wait.normal") : texts.get("garage.wait.long");
    }

    private String pod(Tier tier) {
        return tier.restarts() == 0 ? tier.pod().name() : texts.get("operand.restarts", tier.pod().name(), tier.restarts());
    }
}
