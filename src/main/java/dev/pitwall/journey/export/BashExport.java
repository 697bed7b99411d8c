package dev.pitwall.journey.export;

import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Export;
import dev.pitwall.journey.change.Change;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.UUID;

/**
 * A script for the host itself, as root. It checks everything before it writes anything, keeps what was there, may be
 * run again at any point, stops for a reboot, after which it goes on, and takes it all back when it is told to.
 */
final class BashExport implements Export {
    private static final String FUNCTIONS = "/journey/export-bash.sh";

    @Override
    public String kind() {
        return "bash";
    }

    @Override
    public String render(CardPlan plan) {
        Work work = Work.of(plan);
        List<String> lines = new ArrayList<>(head(plan, work));
        if (work.changes().isEmpty()) {
            lines.add("# Nothing is to be changed now.");
            lines.add("say " + ShellText.word("Nothing is to be changed now."));
            return String.join("\n", lines) + "\n";
        }
        SequencedMap<Integer, Change> make = new LinkedHashMap<>();
        work.changes().forEach(change -> make.put(make.size() + 1, change));
        lines.add("\nmake_it() {");
        lines.addAll(body(make, "begin_make"));
        lines.add("say " + ShellText.word("Done.") + "\nsay \"What was there before is in $KEEP.\"");
        lines.add("}\n\nundo_it() {");
        lines.add("[ -d \"$KEEP\" ] || { say " + ShellText.word("Nothing of it was made here.") + "; exit 0; }");
        lines.addAll(body(work.undo(), "begin_undo"));
        lines.add("say " + ShellText.word("Undone.") + "\n}\n");
        lines.add("if [ $# -eq 0 ]; then make_it; elif [ \"$*\" = undo ]; then undo_it; else die "
                + ShellText.word("Only \"undo\" can be added to take it back.") + "; fi");
        return String.join("\n", lines) + "\n";
    }

    /** Everything is checked before anything is written. */
    private static List<String> body(SequencedMap<Integer, Change> changes, String begin) {
        List<String> lines = new ArrayList<>(List.of("# First everything is checked. Nothing is written if anything is "
                + "not as it was."));
        changes.values().forEach(change -> lines.addAll(BashSteps.check(change)));
        lines.add(begin);
        changes.forEach((number, change) -> {
            lines.add("\n# " + number);
            lines.add(ShellText.comment(change.target() + " · " + change.summary()));
            lines.addAll(BashSteps.make(change, number));
        });
        lines.add("");
        return lines;
    }

    private static List<String> head(CardPlan plan, Work work) {
        List<String> hosts = work.hosts();
        String host = hosts.stream().findFirst().orElse(plan.card().host());
        List<String> lines = new ArrayList<>();
        lines.add("#!/usr/bin/env bash");
        lines.add(ShellText.comment(Work.title(plan)));
        lines.add(ShellText.comment("Run it as root on " + host
                + ". It may be run again at any point: what is done is skipped."));
        lines.add(ShellText.comment("With \"undo\" added it puts back what was there before."));
        work.open().forEach(open -> lines.add(ShellText.comment("Not in it, needs a plan of its own later: " + open)));
        lines.add("");
        lines.add("keep_default=" + ShellText.word("/root/pitwall-runbook-" + id(plan)));
        lines.add(functions());
        lines.add("[ \"$(id -u)\" = 0 ] || die 'Run this as root.'");
        lines.add("[ \"$(hostname -s)\" = " + ShellText.word(host) + " ] || die "
                + ShellText.word("This is for " + host + "."));
        hosts.stream().skip(1).findFirst()
                .ifPresent(other -> lines.add("die "
                        + ShellText.word("A part of this plan is for " + other + ": make it from Pitwall.")));
        return lines;
    }

    /** The same plan keeps its notes in the same folder, another one in another. */
    private static String id(CardPlan plan) {
        return UUID.nameUUIDFromBytes((plan.card() + "\n" + plan.at() + "\n" + plan.changes())
                .getBytes(StandardCharsets.UTF_8)).toString().substring(0, 8);
    }

    private static String functions() {
        try (InputStream in = BashExport.class.getResourceAsStream(FUNCTIONS)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
