package dev.pitwall.journey.export;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Export;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ManifestChange.Others;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.journey.change.Tree;
import dev.pitwall.journey.change.YamlText;

import java.util.ArrayList;
import java.util.List;

/**
 * The objects that a plan makes or changes in a cluster, as one YAML stream. Objects that are there are given as the
 * fields that are set, for server-side apply; what cannot be said so is a comment with its command.
 */
final class ManifestsExport implements Export {

    @Override
    public String kind() {
        return "manifests";
    }

    @Override
    public String render(CardPlan plan) {
        Work work = Work.of(plan);
        List<String> parts = new ArrayList<>(List.of(head(plan, work)));
        for (Change change : work.changes()) {
            switch (change) {
                case ManifestChange c -> parts.add(manifest(c));
                case PodRun c -> parts.add(pod(c));
                default -> parts.add(comment("Not in it: " + change.target() + " on " + change.system() + "."));
            }
        }
        return String.join("", parts);
    }

    private static String head(CardPlan plan, Work work) {
        StringBuilder head = new StringBuilder(comment(Work.title(plan)));
        boolean forced = work.changes().stream().anyMatch(c -> c instanceof ManifestChange m && m.others() == Others.TAKEN_OVER);
        work.changes().stream().filter(c -> c instanceof ManifestChange || c instanceof PodRun).map(Change::system)
                .distinct().forEach(cluster -> head.append(comment("For cluster " + cluster + ":")
                        + comment("  kubectl apply --server-side --field-manager=pitwall "
                        + (forced ? "--force-conflicts " : "") + "-f THIS-FILE")));
        work.open().forEach(open -> head.append(comment("Not in it, needs a plan of its own later: " + open)));
        if (work.changes().isEmpty()) {
            head.append(comment("Nothing is to be changed now."));
        }
        return head.toString();
    }

    private static String manifest(ManifestChange c) {
        if (c.after().isEmpty()) {
            return comment(c.summary() + ": kubectl " + place(c.object()) + "delete " + name(c.object()));
        }
        JsonNode fields = c.after().get();
        if (c.before().isEmpty()) {
            return document(c.object() + " · " + c.summary(), fields);
        }
        return hasGaps(fields) ? comment(c.summary() + ": kubectl " + place(c.object()) + "patch " + name(c.object())
                + " --type merge -p " + ShellText.word(fields.toString()))
                : document(c.object() + " · " + c.summary() + " · only the fields that change", named(c.object(), fields));
    }

    /** A field that goes cannot be said by apply. */
    private static boolean hasGaps(JsonNode tree) {
        return tree.isNull() || tree.valueStream().anyMatch(ManifestsExport::hasGaps);
    }

    private static JsonNode named(ObjectRef object, JsonNode fields) {
        ObjectNode whole = JsonNodeFactory.instance.objectNode().put("apiVersion", object.type().apiVersion())
                .put("kind", object.type().kind());
        ObjectNode metadata = whole.putObject("metadata").put("name", object.name());
        if (!object.namespace().isEmpty()) {
            metadata.put("namespace", object.namespace());
        }
        return Tree.over(whole, fields);
    }

    private static String pod(PodRun c) {
        return document(c.pod() + " · " + c.summary() + " · runs to its end; its log must say \"" + c.expects() + "\":",
                c.manifest()) + comment("  kubectl " + place(c.pod()) + "logs -f " + c.pod().name() + " --all-containers")
                + comment("  kubectl " + place(c.pod()) + "delete pod " + c.pod().name())
                + c.paused().lines().map(ManifestsExport::comment).reduce("", String::concat);
    }

    private static String document(String about, JsonNode tree) {
        return "---\n" + comment(about) + YamlText.of(tree);
    }

    private static String place(ObjectRef object) {
        return object.namespace().isEmpty() ? "" : "-n " + ShellText.word(object.namespace()) + " ";
    }

    private static String name(ObjectRef object) {
        return ShellText.word(object.type().resource() + "/" + object.name());
    }

    private static String comment(String text) {
        return ShellText.comment(text) + "\n";
    }
}
