package dev.pitwall.journey.talos;

import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.survey.Shown;
import dev.pitwall.journey.survey.TalosNode;
import dev.pitwall.journey.survey.TalosShowing;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** "What we found" of the driver's extensions. */
final class ExtensionRows {
    /** NVIDIA's module says so when it leaves a card alone (facts: cluster.md 1.9). */
    private static final Pattern REFUSAL = Pattern.compile(".*(?:NVRM: (?:The NVIDIA .* not supported|The NVIDIA probe routine"
            + " was not called|No NVIDIA GPU|.*requires use of the NVIDIA open|.*is not supported|RmInitAdapter failed)"
            + "|Key was rejected by service|Required key not available|error loading module \"nvidia).*");

    private final Sentences texts;
    private final TalosNode node;
    private final TalosRows rows;

    ExtensionRows(Sentences texts, TalosNode node) {
        this.texts = texts;
        this.node = node;
        this.rows = new TalosRows(node);
        rows.add(TalosShowing.VERSION, texts.say("row.version"), node.version(), Mark.INFO, line -> false);
    }

    void image(Schematic present, Fit fit, boolean right) {
        List<String> names = present.extensions().stream().map(name -> name.substring(name.lastIndexOf('/') + 1)).toList();
        rows.add(TalosShowing.EXTENSIONS, texts.say("row.extensions"), names.isEmpty() ? texts.say("row.none")
                : String.join(", ", names), right ? Mark.OK : Mark.ATTENTION, line -> line.contains("nvidia"));
        String available = fit.modules().substring(fit.modules().lastIndexOf('/') + 1);
        rows.add(TalosShowing.OFFERED, texts.say("row.available"), available + " " + fit.driver(), Mark.INFO,
                line -> line.contains(fit.modules()) || line.contains(fit.toolkit()));
    }

    void modules(NodeModules modules, List<String> missing) {
        String loaded = modules.loaded().isEmpty() ? texts.say("row.none") : String.join(", ", modules.loaded());
        rows.add(TalosShowing.MODULES, texts.say("row.modules"),
                texts.say(missing.isEmpty() ? "row.modules.named" : "row.modules.unnamed", loaded),
                missing.isEmpty() && !modules.loaded().isEmpty() ? Mark.OK : Mark.ATTENTION, line -> line.startsWith("nvidia"));
    }

    void card(Optional<PciFunction> card) {
        String value = card.map(c -> {
            String name = c.name().or(c::vendorDevice).orElse(c.address().toString());
            return c.driver().map(d -> texts.say("row.card.bound", name, d)).orElseGet(() -> texts.say("row.card.free", name));
        }).orElseGet(() -> texts.say("row.card.absent"));
        boolean bound = card.flatMap(PciFunction::driver).filter("nvidia"::equals).isPresent();
        rows.add(TalosShowing.DEVICES, texts.say("row.card"), value, bound ? Mark.OK : Mark.ATTENTION,
                line -> line.contains("driver:") || card.isPresent() && line.startsWith(card.get().address().toString()));
        if (node.security().signedModulesOnly()) {
            rows.add(TalosShowing.SECURITY, texts.say("row.security"), texts.say("row.yes"), Mark.INFO,
                    line -> line.contains("moduleSignatureEnforced"));
        }
    }

    /** What the kernel says against the driver; a row tells it too. */
    Optional<String> refusal() {
        Optional<String> line = Optional.ofNullable(node.shown().get(TalosShowing.KERNEL_LOG.key())).filter(Shown::ok)
                .flatMap(log -> log.raw().lines().filter(l -> REFUSAL.matcher(l).matches()).reduce((a, b) -> b));
        line.ifPresent(l -> rows.add(TalosShowing.KERNEL_LOG, texts.say("row.kernel"), words(l), Mark.BAD, l::equals));
        return line.map(ExtensionRows::words);
    }

    /** Without what stands before the message: level, time, module. */
    private static String words(String line) {
        int at = line.indexOf("NVRM:");
        return at >= 0 ? line.substring(at) : line.replaceFirst("^.*?\\]:?\\s*", "");
    }

    List<Found> all() {
        return rows.all();
    }
}
