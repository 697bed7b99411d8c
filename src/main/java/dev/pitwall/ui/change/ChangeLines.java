package dev.pitwall.ui.change;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Diff;
import dev.pitwall.journey.change.DiffLine;
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
import dev.pitwall.journey.change.YamlText;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Makes the lines of changes. Pure: the same change gives the same line. */
public final class ChangeLines {

    private final Texts texts;
    private final Effects effects;

    public ChangeLines(Texts texts) {
        this.texts = texts;
        this.effects = new Effects(texts);
    }

    public List<ChangeLine> of(List<? extends Change> changes) {
        return changes.stream().map(this::of).toList();
    }

    public ChangeLine of(Change change) {
        return line(change, note(change), chip(change), Optional.empty());
    }

    /** A change of a run, with how it goes. */
    public ChangeLine of(ChangeRecord record) {
        boolean ahead = record.state() == ChangeRecord.State.TO_DO || record.state() == ChangeRecord.State.RUNNING;
        String usual = ahead ? record.change().usual().map(this::about).orElse("") : "";
        // What is past does no harm any more.
        return line(record.change(), usual, ahead ? chip(record.change()) : "", Optional.of(doing(record)));
    }

    /** A change of a run that has stopped in the middle: the one it was in does not go on by itself. */
    public ChangeLine ofStill(ChangeRecord record) {
        return record.state() == ChangeRecord.State.RUNNING
                ? line(record.change(), "", "", Optional.of(new ChangeLine.Doing(Mark.TRIANGLE,
                        texts.get("change.state.was-running"), texts.get("change.state.was-running"), "")))
                : of(record);
    }

    private ChangeLine line(Change change, String note, String chip, Optional<ChangeLine.Doing> doing) {
        return new ChangeLine(icon(change), change.target(), face(change), summary(change), note,
                Effects.severity(List.of(change)), chip, differences(change), text(change), change.undo().orElse(""), doing);
    }

    private static String icon(Change change) {
        return switch (change) {
            case FileChange c -> c.after().absent() ? "fth-trash-2" : c.before().absent() ? "fth-file-plus" : "fth-file-text";
            case CommandChange _ -> "fth-terminal";
            case VmConfigChange _, VmCreation _ -> "fth-monitor";
            case VmRemoval _ -> "fth-trash-2";
            case MappingChange _ -> "fth-link";
            case ManifestChange c -> c.after().isEmpty() ? "fth-trash-2" : "fth-file-text";
            case HelmChange c -> c.after().isEmpty() ? "fth-trash-2" : "fth-package";
            case TalosUpgrade _ -> "fth-hard-drive";
            case TalosConfigChange _ -> "fth-file-text";
            case PodRun _, ModelAsk _ -> "fth-play";
            case PodRestart _ -> "fth-refresh-cw";
            case ModelChange c -> c.after() == ModelChange.Presence.ABSENT ? "fth-trash-2" : "fth-download";
            case PackageChange c -> c.wanted().isEmpty() ? "fth-trash-2" : "fth-package";
            case HostReboot _, NodeReboot _, VmPowerCycle _ -> "fth-power";
        };
    }

    private static ChangeLine.Face face(Change change) {
        return switch (change) {
            case FileChange _, CommandChange _, VmConfigChange _, VmCreation _, VmRemoval _, MappingChange _,
                    ManifestChange _, HelmChange _, PackageChange _, PodRun _, ModelChange _, ModelAsk _,
                    PodRestart _ -> ChangeLine.Face.CODE;
            case TalosUpgrade _, TalosConfigChange _, HostReboot _, NodeReboot _, VmPowerCycle _ -> ChangeLine.Face.WORDS;
        };
    }

    /** A reboot's guests are named below it, so they are not counted beside it. */
    private static String summary(Change change) {
        return switch (change) {
            case HostReboot c -> c.stops().isEmpty() ? c.summary() : "";
            default -> change.summary();
        };
    }

    /** Files and settings change at once and say in their tooltip how they go back; a command says both here. */
    private String note(Change change) {
        return switch (change) {
            case CommandChange c -> Stream.of(Optional.of(about(c.takes())), c.undo()).flatMap(Optional::stream)
                    .reduce((a, b) -> a + " · " + b).orElse("");
            case VmCreation _, HelmChange _, PackageChange _, PodRun _, PodRestart _, ModelChange _, ModelAsk _, TalosUpgrade _ ->
                    change.usual().map(this::about).orElse("");
            case FileChange _, VmConfigChange _, VmRemoval _, MappingChange _, ManifestChange _, HostReboot _,
                    NodeReboot _, VmPowerCycle _, TalosConfigChange _ -> "";
        };
    }

    private String about(Duration usual) {
        return texts.get("change.about", Ages.span(usual));
    }

    private String chip(Change change) {
        return effects.chip(List.of(change));
    }

    private String text(Change change) {
        return switch (change) {
            case HostReboot c -> effects.stops(c);
            case NodeReboot c -> effects.stops(c);
            case VmPowerCycle c -> effects.stops(c);
            case TalosUpgrade c -> effects.stops(c);
            case FileChange _, CommandChange _, VmConfigChange _, VmCreation _, VmRemoval _, MappingChange _,
                    ManifestChange _, HelmChange _, PackageChange _, PodRestart _, ModelChange _, ModelAsk _, TalosConfigChange _ -> "";
            case PodRun c -> c.paused().strip();
        };
    }

    private List<CodeLine> differences(Change change) {
        return switch (change) {
            case FileChange c -> file(c);
            case VmConfigChange c -> keys(c);
            case MappingChange c -> compare(entries(c.before()), entries(c.after()), Numbers.HIDE);
            case VmCreation c -> compare("", c.lines(), Numbers.HIDE);
            case ManifestChange c -> compare(yaml(c.before()), yaml(c.after()), Numbers.HIDE);
            case HelmChange c -> values(c);
            case TalosUpgrade c -> compare(c.textBefore(), c.textAfter(), Numbers.HIDE);
            case TalosConfigChange c -> compare(YamlText.of(c.before()), YamlText.of(c.after()), Numbers.HIDE);
            case PodRun c -> compare("", YamlText.of(c.manifest()), Numbers.HIDE);
            case PackageChange c -> compare(c.lines(c.before()), c.lines(c.after()), Numbers.HIDE);
            case PodRestart c -> compare(c.lines(), "", Numbers.HIDE);
            case CommandChange _, VmRemoval _, HostReboot _, NodeReboot _, VmPowerCycle _, ModelChange _, ModelAsk _ -> List.of();
        };
    }

    /** Value by value: what it is now with where that comes from, and what it will be with the reason. */
    private List<CodeLine> values(HelmChange c) {
        List<CodeLine> lines = new ArrayList<>();
        for (HelmChange.ValueLine value : c.lines()) {
            value.was().or(value::usual).filter(was -> !was.equals(value.value())).ifPresent(was -> lines.addAll(
                    code(value.path(), was, "−", CodeLine.Look.REMOVED,
                            texts.get(value.was().isPresent() ? "change.value.now" : "change.value.usual"))));
            lines.addAll(code(value.path(), value.value(), "+", CodeLine.Look.ADDED, value.reason()));
        }
        return lines;
    }

    /** A value of several lines has its words beside the first. */
    private static List<CodeLine> code(String path, String value, String sign, CodeLine.Look look, String note) {
        List<String> parts = (path + ": " + value).lines().toList();
        List<CodeLine> lines = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            lines.add(new CodeLine("", sign, parts.get(i), look, i == 0 ? note : ""));
        }
        return lines;
    }

    private static String yaml(Optional<JsonNode> tree) {
        return tree.map(YamlText::of).orElse("");
    }

    private List<CodeLine> file(FileChange c) {
        String before = c.before().text();
        String after = c.after().text();
        List<CodeLine> lines = new ArrayList<>(compare(before, after, Numbers.SHOW));
        if (!after.isEmpty() && !after.endsWith("\n")) {
            lines.add(new CodeLine("", "", texts.get("change.no-newline"), CodeLine.Look.PLAIN));
        }
        return lines;
    }

    private enum Numbers { SHOW, HIDE }

    private static List<CodeLine> compare(String before, String after, Numbers numbers) {
        return Diff.of(before, after).stream()
                .map(l -> code(l, numbers == Numbers.SHOW ? Integer.toString(l.number()) : "")).toList();
    }

    private static CodeLine code(DiffLine line, String number) {
        return switch (line.sign()) {
            case SAME -> new CodeLine(number, "", line.text(), CodeLine.Look.PLAIN);
            case ADDED -> new CodeLine(number, "+", line.text(), CodeLine.Look.ADDED);
            case REMOVED -> new CodeLine(number, "−", line.text(), CodeLine.Look.REMOVED);
        };
    }

    /** Key by key, the old value above the new one. */
    private static List<CodeLine> keys(VmConfigChange c) {
        List<CodeLine> lines = new ArrayList<>();
        c.before().forEach((key, before) -> {
            before.ifPresent(v -> lines.add(new CodeLine("", "−", key + ": " + v, CodeLine.Look.REMOVED)));
            c.after().get(key).ifPresent(v -> lines.add(new CodeLine("", "+", key + ": " + v, CodeLine.Look.ADDED)));
        });
        return lines;
    }

    private static String entries(Optional<List<String>> map) {
        return String.join("\n", map.orElse(List.of()));
    }

    private ChangeLine.Doing doing(ChangeRecord record) {
        String took = record.started().flatMap(from -> record.ended().map(to -> Ages.took(Duration.between(from, to))))
                .orElse("");
        return new ChangeLine.Doing(mark(record.state()), texts.get("change.state." + record.state().wireName()), took,
                record.message().orElse(""));
    }

    static Mark mark(ChangeRecord.State state) {
        return switch (state) {
            case TO_DO -> Mark.CIRCLE;
            case RUNNING -> Mark.RING;
            case DONE, ALREADY_SO -> Mark.OK;
            case SKIPPED -> Mark.SKIP;
            case STOPPED, FAILED -> Mark.FAILING;
            case UNDONE -> Mark.UNDONE;
        };
    }
}
