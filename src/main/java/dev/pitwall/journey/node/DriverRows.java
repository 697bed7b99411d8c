package dev.pitwall.journey.node;

import dev.pitwall.card.GpuDevice;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.survey.Evidence;
import dev.pitwall.journey.survey.Showing;
import dev.pitwall.journey.survey.ShellNode;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What was found of a node's driver, as rows. */
final class DriverRows {
    private final NodeView view;
    private final DriverPackages packages;
    private final Sentences texts;
    private final Evidence evidence;

    DriverRows(NodeView view, DriverPackages packages, Sentences texts) {
        this.view = view;
        this.packages = packages;
        this.texts = texts;
        this.evidence = Evidence.of(view.node());
    }

    List<Found> rows() {
        List<Found> rows = new ArrayList<>();
        ShellNode node = view.node();
        rows.add(evidence.row(texts.say("row.system"), node.release().getOrDefault("PRETTY_NAME",
                node.release().getOrDefault("ID", "?")) + " · " + node.kernel(), packages.family(node.release()).isPresent()
                ? Mark.INFO : Mark.ATTENTION, Showing.RELEASE, l -> l.startsWith("PRETTY_NAME")));
        rows.add(evidence.row(texts.say("row.cards"), cards(), view.hasCard() ? Mark.OK : Mark.ATTENTION, Showing.LSPCI,
                l -> l.contains("[10de:") && l.contains("03")));
        rows.add(driver());
        rows.add(evidence.row(texts.say("row.nouveau"), texts.say(view.nouveauRuns() ? "row.nouveau.runs"
                        : node.driver().nouveauKept() ? "row.nouveau.kept" : "row.nouveau.away"),
                view.nouveauInTheWay() ? Mark.ATTENTION : Mark.OK, view.nouveauRuns() ? Showing.MODULES : Showing.BLACKLIST,
                l -> l.startsWith("nouveau") || l.contains("blacklist nouveau")));
        rows.add(evidence.row(texts.say("row.secureBoot"), texts.say(node.driver().secureBoot()
                .map(on -> on ? "row.on" : "row.off").orElse("row.unknown")), view.secureBoot() ? Mark.ATTENTION : Mark.INFO,
                Showing.SECURE_BOOT, l -> l.contains("SecureBoot")));
        List<String> installed = packages.installed(node);
        rows.add(evidence.row(texts.say("row.packages"), installed.isEmpty() ? texts.say("row.packages.none")
                : texts.count("row.packages.there", installed.size(), installed.getFirst()), Mark.INFO, Showing.PACKAGES,
                l -> installed.stream().anyMatch(p -> l.startsWith(p + "\t"))));
        if (!node.software().cutOff().isEmpty()) {
            rows.add(evidence.row(texts.say("row.cutOff"), String.join(", ", node.software().cutOff()), Mark.ATTENTION,
                    Showing.PACKAGES));
        }
        headers(rows);
        return rows;
    }

    private String cards() {
        String names = view.fit().names();
        return view.cards().isEmpty() ? texts.say("row.cards.none")
                : texts.count("row.cards.there", view.cards().size(), names.isEmpty() ? texts.say("row.unknown") : names);
    }

    private Found driver() {
        ShellNode.Driver driver = view.node().driver();
        if (driver.trouble().isPresent()) {
            return evidence.row(texts.say("row.driver"), driver.trouble().get(), Mark.BAD, Showing.SMI);
        }
        if (driver.version().isEmpty()) {
            return evidence.row(texts.say("row.driver"), texts.say("row.driver.none"), Mark.ATTENTION, Showing.DRIVER);
        }
        String type = texts.say(driver.open().orElse(false) ? "type.open" : "type.proprietary");
        String devices = driver.devices().stream().map(GpuDevice::name).map(n -> n.orElse("?"))
                .collect(Collectors.joining(", "));
        return evidence.row(texts.say("row.driver"), driver.version().get() + ", " + type
                + (devices.isEmpty() ? "" : " · " + devices), Mark.OK, Showing.DRIVER, l -> l.startsWith("NVRM"));
    }

    private void headers(List<Found> rows) {
        String name = "linux-headers-" + view.node().kernel();
        if (packages.family(view.node().release()).filter("rhel"::equals).isEmpty()) {
            boolean there = view.node().software().has(name);
            boolean offered = view.node().software().offered().containsKey(name);
            rows.add(evidence.row(texts.say("row.headers"), texts.say(there ? "row.headers.there"
                    : offered ? "row.headers.offered" : "row.headers.none", name), there || offered ? Mark.INFO : Mark.ATTENTION,
                    there ? Showing.PACKAGES : Showing.OFFERED, l -> l.startsWith(name)));
        }
    }

    /** Lines of the kernel log that say why a module does not take a card. */
    Found refusal(String line) {
        return evidence.row(texts.say("row.log"), line, Mark.BAD, Showing.KERNEL_LOG, line::equals);
    }
}
