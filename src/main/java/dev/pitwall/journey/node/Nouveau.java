package dev.pitwall.journey.node;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.PackageChange.Manager;
import dev.pitwall.journey.change.Risk;
import dev.pitwall.journey.survey.HostFiles;
import dev.pitwall.journey.survey.ShellNode;

import java.util.ArrayList;
import java.util.List;

/** Keeps nouveau away from cards: lines in Pitwall's own modprobe file, and an initramfs that has them (facts: cluster.md 6). */
final class Nouveau {
    private static final List<String> LINES = List.of("blacklist nouveau", "options nouveau modeset=0");

    private final ShellNode node;
    private final NodeTimes times;
    private final Sentences texts;

    Nouveau(ShellNode node, NodeTimes times, Sentences texts) {
        this.node = node;
        this.times = times;
        this.texts = texts;
    }

    /** What keeps it away from the next boot on; empty where a file does so already. */
    List<Change> keptAway() {
        List<String> lines = new ArrayList<>(node.file(HostFiles.MODPROBE).text().lines().toList());
        List<String> missing = LINES.stream().filter(l -> !lines.contains(l)).toList();
        if (missing.isEmpty()) {
            return List.of();
        }
        lines.addAll(missing);
        Content after = Content.of(String.join("\n", lines) + "\n");
        Content before = node.file(HostFiles.MODPROBE);
        return List.of(new FileChange(node.machine(), HostFiles.MODPROBE, before, after,
                before.absent() ? texts.count("file.new", lines.size()) : texts.count("file.added", missing.size())), image());
    }

    /** Puts what files say of modules into the image that the kernel starts from. */
    CommandChange image() {
        List<String> command = node.software().manager().filter(Manager.DNF::equals).isPresent()
                ? List.of("dracut", "-f", "--regenerate-all") : List.of("update-initramfs", "-u", "-k", "all");
        return times.command(node.machine(), "initramfs", command, texts.say("initramfs"), Risk.NONE);
    }
}
