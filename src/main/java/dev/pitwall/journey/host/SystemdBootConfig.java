package dev.pitwall.journey.host;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.survey.HostSurvey;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * {@code /etc/kernel/cmdline}, one line. It has no snippets: the new line is the old line, some words out of it, some
 * behind it. A line without {@code root=} would leave the host unbootable (facts: proxmox.md 2.2).
 */
final class SystemdBootConfig implements BootConfig {
    private static final String TOOL = "proxmox-boot-tool";

    private final HostSurvey survey;
    private final WorkTimes times;
    private final Sentences texts;

    SystemdBootConfig(HostSurvey survey, WorkTimes times, Sentences texts) {
        this.survey = survey;
        this.times = times;
        this.texts = texts;
    }

    @Override
    public List<String> words() {
        return split(line());
    }

    @Override
    public Rewrite rewrite(Function<String, Optional<String>> keep, List<KernelWord> add) {
        Content before = survey.file(Paths.KERNEL_COMMAND_LINE);
        if (before.absent()) {
            return new Rewrite.Refused(texts.say("boot.systemd.noFile", Paths.KERNEL_COMMAND_LINE));
        }
        if (filled().size() != 1) {
            return new Rewrite.Refused(texts.say("boot.systemd.lines", Paths.KERNEL_COMMAND_LINE, filled().size()));
        }
        Optional<String> root = word(words());
        if (root.isEmpty() || !root.equals(word(survey.commandLine().options()))) {
            return new Rewrite.Refused(texts.say("boot.systemd.root", Paths.KERNEL_COMMAND_LINE));
        }
        String old = line();
        String kept = GrubScript.edited(old, keep);
        List<String> there = split(kept);
        String more = add.stream().filter(w -> !w.in(there)).map(w -> " " + w).collect(Collectors.joining());
        Content after = Content.of(before.text().replace(old, kept.stripTrailing() + more));
        return new Rewrite.Possible(kept.equals(old) && more.isEmpty() ? List.of() : List.of(new FileChange(
                survey.host(), Paths.KERNEL_COMMAND_LINE, before, after, Lines.summary(before, after, texts))));
    }

    private static Optional<String> word(List<String> words) {
        return words.stream().filter(w -> w.startsWith("root=")).reduce((first, last) -> last);
    }

    private String line() {
        return filled().stream().findFirst().orElse("");
    }

    private List<String> filled() {
        return survey.file(Paths.KERNEL_COMMAND_LINE).text().lines().filter(l -> !l.isBlank()).toList();
    }

    private static List<String> split(String line) {
        return Arrays.stream(line.strip().split("\\s+")).filter(w -> !w.isEmpty()).toList();
    }

    @Override
    public CommandChange refresh() {
        return times.command(survey.host(), TOOL, List.of(TOOL, "refresh"), texts.say("boot.systemd.refresh"));
    }
}
