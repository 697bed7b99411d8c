package dev.pitwall.journey.export;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Export;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.ModelAsk;
import dev.pitwall.journey.change.ModelChange;
import dev.pitwall.journey.change.NodeReboot;
import dev.pitwall.journey.change.PackageChange;
import dev.pitwall.journey.change.PodRestart;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.journey.change.TalosConfigChange;
import dev.pitwall.journey.change.TalosUpgrade;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmCreation;
import dev.pitwall.journey.change.VmPowerCycle;
import dev.pitwall.journey.change.VmRemoval;

import java.util.ArrayList;
import java.util.List;

/**
 * A playbook for the host, with modules of Ansible itself only. What it rests on is read and asserted first, also with
 * {@code --check}, which then changes nothing.
 */
final class AnsibleExport implements Export {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private final YAMLMapper yaml = YAMLMapper.builder().enable(YAMLGenerator.Feature.LITERAL_BLOCK_STYLE)
            .disable(YAMLGenerator.Feature.SPLIT_LINES).enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR)
            .build();

    @Override
    public String kind() {
        return "ansible";
    }

    @Override
    public String render(CardPlan plan) {
        Work work = Work.of(plan);
        ObjectNode play = NODES.objectNode();
        play.put("name", Work.title(plan));
        play.put("hosts", work.hosts().stream().findFirst().orElse(plan.card().host()));
        play.put("become", true);
        play.put("gather_facts", false);
        ArrayNode tasks = play.putArray("tasks");
        List<ObjectNode> made = new ArrayList<>();
        AnsibleTasks of = new AnsibleTasks();
        for (int i = 0; i < work.changes().size(); i++) {
            of.checks(work.changes().get(i), i + 1).forEach(tasks::add);
            made.addAll(tasks(of, work.changes(), i));
        }
        made.forEach(tasks::add);
        StringBuilder text = new StringBuilder(ShellText.comment("Run it with --check first: it then only reads.")
                + "\n");
        work.open().forEach(open -> text.append(ShellText.comment("Not in it, needs a plan of its own later: " + open))
                .append('\n'));
        if (work.changes().isEmpty()) {
            text.append("# Nothing is to be changed now.\n");
        }
        try {
            return text + yaml.writeValueAsString(NODES.arrayNode().add(play));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<ObjectNode> tasks(AnsibleTasks of, List<Change> changes, int i) {
        int number = i + 1;
        return switch (changes.get(i)) {
            case FileChange c -> of.file(c, number);
            case VmConfigChange c -> List.of(of.config(c, number));
            case MappingChange c -> List.of(of.mapping(c, number));
            case VmCreation c -> of.creation(c, number);
            case VmRemoval c -> List.of(of.removal(c, number));
            case CommandChange c -> List.of(of.command(c, number, since(changes, i)));
            case VmPowerCycle c -> of.power(c, number);
            case HostReboot c -> of.rebooting(c, number, since(changes, i));
            case ManifestChange c -> List.of(of.elsewhere(c));
            case HelmChange c -> List.of(of.elsewhere(c));
            case TalosUpgrade c -> List.of(of.elsewhere(c));
            case TalosConfigChange c -> List.of(of.elsewhere(c));
            case PodRun c -> List.of(of.elsewhere(c));
            case ModelChange c -> List.of(of.elsewhere(c));
            case ModelAsk c -> List.of(of.elsewhere(c));
            case PodRestart c -> List.of(of.elsewhere(c));
            case PackageChange c -> List.of(of.elsewhere(c));
            case NodeReboot c -> List.of(of.elsewhere(c));
        };
    }

    /** The contents that a command or a reboot carries on: all that come before it. */
    private static List<Integer> since(List<Change> changes, int i) {
        List<Integer> before = new ArrayList<>();
        for (int j = 0; j < i; j++) {
            if (changes.get(j).turn() == Change.Turn.CONTENT) {
                before.add(j + 1);
            }
        }
        return before;
    }
}
