package dev.pitwall.doctor.report;

import dev.pitwall.doctor.catalogue.SignRef;
import dev.pitwall.doctor.catalogue.Trap;
import dev.pitwall.doctor.catalogue.Trap.Against;
import dev.pitwall.doctor.catalogue.Trap.Clause;
import dev.pitwall.doctor.catalogue.Trap.Fix;
import dev.pitwall.doctor.catalogue.Trap.Remedy;
import dev.pitwall.doctor.catalogue.TrapCatalogue;
import dev.pitwall.doctor.catalogue.TrapFloor;
import dev.pitwall.journey.Spans;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The pages of {@code docs/traps}: one for each cause of the catalogue, and their list. */
public final class TrapPage {
    private final TrapCatalogue catalogue;
    private final Map<String, String> signs;

    /** @param signs what each sign says, by its id */
    public TrapPage(TrapCatalogue catalogue, Map<String, String> signs) {
        this.catalogue = catalogue;
        this.signs = Map.copyOf(signs);
    }

    /** Every page by its file name. */
    public Map<String, String> all() {
        Map<String, String> pages = new TreeMap<>();
        catalogue.all().forEach(trap -> pages.put(trap.name() + ".md", page(trap)));
        pages.put("README.md", list());
        return pages;
    }

    private String list() {
        StringBuilder page = new StringBuilder("# Causes the Doctor can name\n\nGenerated from the catalogue in "
                + "`resources/traps`; change it there.\n");
        for (TrapFloor floor : TrapFloor.values()) {
            List<Trap> traps = catalogue.all().stream().filter(trap -> trap.floor() == floor).toList();
            if (!traps.isEmpty()) {
                page.append("\n## ").append(floor.wireName()).append("\n\n");
                traps.forEach(trap -> page.append("- [").append(trap.name()).append("](").append(trap.name())
                        .append(".md): ").append(trap.title()).append('\n'));
            }
        }
        return page.toString();
    }

    private String page(Trap trap) {
        StringBuilder page = new StringBuilder("# ").append(trap.title()).append("\n\n`").append(trap.name())
                .append("` · ").append(trap.floor().wireName()).append(" · ").append(kind(trap)).append("\n\n")
                .append(trap.means().strip()).append("\n\n## What proves it\n\n");
        trap.proofs().forEach(clause -> page.append("- ").append(proof(clause)).append('\n'));
        section(page, "What rules it out", trap.against().stream().map(this::against).toList());
        section(page, "What it is mistaken for", trap.mistakenFor().stream()
                .map(m -> "[" + m.trap() + "](" + m.trap() + ".md): " + m.differs().strip()).toList());
        section(page, "What follows from it", trap.explains().stream()
                .map(name -> "[" + name + "](" + name + ".md)").toList());
        page.append("\n## What cures it\n\n").append(trap.fix().summary().strip()).append('\n');
        numbered(page, trap.fix());
        section(page, "What to look at", trap.next().isEmpty() ? List.of() : List.of("`" + trap.next() + "`"));
        section(page, "Sources", trap.sources());
        return page.toString();
    }

    private static String kind(Trap trap) {
        return switch (trap.kind()) {
            case FAULT -> "a fault";
            case ADVICE -> "advice";
            case HARMLESS -> "harmless";
            case WAITING -> "nothing is wrong yet; normal up to " + trap.normal().map(Spans::words).orElseThrow();
        };
    }

    private String proof(Clause clause) {
        String all = clause.all().stream().map(this::said).collect(Collectors.joining(" and "));
        String any = clause.any().stream().map(this::said).collect(Collectors.joining(", or "));
        String none = clause.none().stream().map(this::said).collect(Collectors.joining(", or "));
        return Stream.of(all, any).filter(text -> !text.isEmpty()).collect(Collectors.joining("; with "))
                + (none.isEmpty() ? "" : "; unless " + none) + " (" + Math.round(clause.weight() * 100) + " %)";
    }

    private String against(Against against) {
        return against.any().stream().map(this::said).collect(Collectors.joining(", or "));
    }

    private String said(SignRef ref) {
        String values = ref.values().entrySet().stream().map(v -> v.getKey() + " " + String.join(" or ", v.getValue().stream()
                .sorted().toList())).sorted().collect(Collectors.joining(", "));
        String components = ref.components().stream().sorted().collect(Collectors.joining(" or "));
        return signs.getOrDefault(ref.id(), ref.id()) + (components.isEmpty() ? "" : ", of " + components)
                + (values.isEmpty() ? "" : ", " + values);
    }

    private static void numbered(StringBuilder page, Fix fix) {
        if (!fix.steps().isEmpty()) {
            page.append('\n');
            fix.steps().forEach(step -> page.append("1. ").append(step.strip()).append('\n'));
        }
        fix.remedy().ifPresent(remedy -> page.append('\n').append(switch (remedy) {
            case Remedy.WizardStep step -> "Pitwall does it with the step `" + step.step() + "` of Setup.";
            case Remedy.Cure cure -> "Pitwall does it: `pitwall doctor --fix`.";
            case Remedy.ByHand hand -> hand.why();
        }).append('\n'));
    }

    private static void section(StringBuilder page, String title, List<String> items) {
        if (!items.isEmpty()) {
            page.append("\n## ").append(title).append("\n\n");
            items.forEach(item -> page.append("- ").append(item).append('\n'));
        }
    }
}
