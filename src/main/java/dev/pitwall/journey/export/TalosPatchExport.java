package dev.pitwall.journey.export;

import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.CardPlan.Planned;
import dev.pitwall.journey.Export;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.TalosConfigChange;
import dev.pitwall.journey.change.TalosUpgrade;
import dev.pitwall.journey.talos.TalosCommands;
import java.util.ArrayList;
import java.util.List;

/** What a plan changes of a Talos node: its schematic, the patch of its machine configuration, and the commands. */
final class TalosPatchExport implements Export {

    @Override
    public String kind() {
        return "talos-patch";
    }

    @Override
    public String render(CardPlan plan) {
        List<String> parts = new ArrayList<>();
        for (Planned step : plan.steps()) {
            step.answer().intended().forEach(change -> parts.addAll(part(change)));
        }
        String title = ShellText.comment(Work.title(plan)) + "\n";
        return title + (parts.isEmpty() ? "# Nothing of a Talos node is to be changed now.\n"
                : "# Commands for a shell that has curl and talosctl, and a talosconfig with the role os:admin.\n\n"
                + String.join("\n\n", parts) + "\n");
    }

    private static List<String> part(Change change) {
        return switch (change) {
            case TalosUpgrade c -> List.of(ShellText.comment(c.target() + ": " + c.summary()) + "\n" + TalosCommands.of(c));
            case TalosConfigChange c -> List.of(ShellText.comment(c.target() + ": " + c.summary()) + "\n"
                    + TalosCommands.of(c));
            default -> List.of();
        };
    }
}
