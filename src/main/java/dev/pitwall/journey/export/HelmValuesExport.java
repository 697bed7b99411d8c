package dev.pitwall.journey.export;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Export;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.HelmChange.ValueLine;
import dev.pitwall.journey.change.HelmChange.Wanted;
import dev.pitwall.journey.change.YamlText;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The values that a plan gives to Helm, each with its reason, one document a release, with the command that takes it. */
final class HelmValuesExport implements Export {

    @Override
    public String kind() {
        return "helm-values";
    }

    @Override
    public String render(CardPlan plan) {
        Work work = Work.of(plan);
        List<HelmChange> releases = work.changes().stream().filter(HelmChange.class::isInstance)
                .map(HelmChange.class::cast).toList();
        List<String> parts = new ArrayList<>(List.of(comment(Work.title(plan))));
        work.open().forEach(open -> parts.add(comment("Not in it, needs a plan of its own later: " + open)));
        if (releases.isEmpty()) {
            parts.add(comment("No release is to be changed now."));
        }
        if (releases.size() > 1) {
            parts.add(comment("Each release has a document of its own: give each to its command in a file of its own."));
        }
        for (int i = 0; i < releases.size(); i++) {
            parts.add((i == 0 ? "" : "---\n") + release(releases.get(i)));
        }
        return String.join("", parts);
    }

    private static String release(HelmChange change) {
        if (change.after().isEmpty()) {
            return comment("helm uninstall " + ShellText.words(List.of(change.release(), "-n", change.namespace())));
        }
        Wanted wanted = change.after().get();
        List<String> command = new ArrayList<>(List.of("helm", "upgrade", "--install", change.release(), wanted.chart(),
                "--repo", wanted.repository(), "--version", wanted.version(), "-n", change.namespace()));
        if (wanted.base().isPresent()) {
            // Values that others have given stay, over the defaults of the new version.
            command.add("--reset-then-reuse-values");
        }
        command.addAll(List.of("-f", "THIS-FILE"));
        Map<String, String> reasons = change.lines().stream().collect(Collectors.toMap(ValueLine::path,
                ValueLine::reason, (first, second) -> first));
        return comment("Cluster " + change.cluster() + ", " + change.summary() + ":")
                + change.forgetting().map(first -> comment("  " + ShellText.words(first))).orElse("")
                + comment("  " + ShellText.words(command)) + fields(wanted.values(), "", "", reasons);
    }

    /** The fields of a tree, each below the reason for it. */
    private static String fields(JsonNode tree, String path, String indent, Map<String, String> reasons) {
        StringBuilder text = new StringBuilder();
        tree.properties().forEach(field -> {
            String at = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
            boolean inside = field.getValue().isObject() && !field.getValue().isEmpty() && !reasons.containsKey(at);
            if (reasons.containsKey(at)) {
                text.append(indent).append(comment(reasons.get(at)));
            }
            String own = YamlText.of(JsonNodeFactory.instance.objectNode().set(field.getKey(), inside
                    ? JsonNodeFactory.instance.objectNode() : field.getValue()));
            text.append(inside ? indent + own.replaceFirst("\\s*\\{}\\s*$", "") + "\n"
                    + fields(field.getValue(), at, indent + "  ", reasons)
                    : own.lines().map(line -> indent + line + "\n").collect(Collectors.joining()));
        });
        return text.toString();
    }

    private static String comment(String text) {
        return ShellText.comment(text) + "\n";
    }
}
