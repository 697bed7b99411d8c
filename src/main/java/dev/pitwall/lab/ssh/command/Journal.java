package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.BootIds;
import dev.pitwall.lab.ssh.KernelLog;
import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.software.Units;
import dev.pitwall.lab.world.LabSystem;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * {@code journalctl}: the kernel's lines of this boot and of earlier ones, and of a unit when it was started or stopped.
 * {@code -k [-b N] [-n N] [-g PATTERN] [-o cat]}, {@code -u UNIT}, {@code --list-boots}.
 */
final class Journal implements Command {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("MMM dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter BOOT_TIME =
            DateTimeFormatter.ofPattern("EEE yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private record Line(Instant at, String from, String text) {
    }

    @Override
    public int run(Call call) {
        Options options = Options.of(withBoot(call), "kb:n:g:o:u:rfexqaS:U:p:t:", "dmesg", "boot=", "lines=", "grep=",
                "output=", "unit=", "reverse", "follow", "no-pager", "list-boots", "since=", "until=", "quiet",
                "pager-end", "catalog", "all", "priority=", "identifier=", "no-hostname", "case-sensitive=");
        if (options.refused()) {
            return options.refuse(1);
        }
        if (options.has("f", "follow")) {
            return call.fail(1, "following is not possible on this lab's machines");
        }
        List<LabSystem.PastBoot> past = call.machine().look((w, s) -> List.copyOf(s.pastBoots));
        if (options.has("", "list-boots")) {
            return listBoots(call, past);
        }
        String boot = options.value("b", "boot").orElse("0");
        int back = boot.matches("-?\\d+") ? -Integer.parseInt(boot) : 0;
        if (back < 0 || back > past.size()) {
            call.err().println("Data from the specified boot (" + boot
                    + ") is not available: No such boot ID in journal");
            return 1;
        }
        List<Line> lines = new ArrayList<>();
        Optional<String> unit = options.value("u", "unit");
        if (unit.isPresent()) {
            unitLines(call, unit.get(), lines);
        } else if (back == 0) {
            MachineState m = call.machine().state();
            for (KernelLog.Line line : call.machine().kernelLog()) {
                lines.add(new Line(m.bootedAt().plus(line.after()), "kernel", line.text()));
            }
        } else {
            past.get(past.size() - back).lines().forEach(l -> lines.add(new Line(l.at(), "kernel", l.text())));
        }
        return print(call, options, lines);
    }

    /** {@code -b} may stand alone, and then means this boot. */
    private static Call withBoot(Call call) {
        List<String> words = new ArrayList<>(List.of(call.name()));
        for (int i = 0; i < call.arguments().size(); i++) {
            String word = call.arguments().get(i);
            boolean valued = i + 1 < call.arguments().size() && call.arguments().get(i + 1).matches("-?\\d+");
            if (word.matches("-[kbxeaq]*b") || word.equals("--boot")) {
                words.add("--boot=" + (valued ? call.arguments().get(++i) : "0"));
                if (word.contains("k")) {
                    words.add("-k");
                }
            } else if (word.equals("-xeu") || word.equals("-eu") || word.equals("-xu")) {
                words.add("-u");
            } else {
                words.add(word);
            }
        }
        return call.with(words);
    }

    private static int print(Call call, Options options, List<Line> lines) {
        Optional<Pattern> wanted = options.value("g", "grep").map(Pattern::compile);
        List<Line> shown = lines.stream().filter(l -> wanted.isEmpty()
                || wanted.get().matcher(l.text()).find()).toList();
        int last = options.value("n", "lines").filter(v -> v.matches("\\d+")).map(Integer::parseInt)
                .orElse(shown.size());
        shown = shown.subList(Math.max(0, shown.size() - last), shown.size());
        boolean bare = options.value("o", "output").filter("cat"::equals).isPresent();
        String name = call.machine().name();
        if (shown.isEmpty() && !options.has("q", "quiet")) {
            call.out().println("-- No entries --");
        }
        for (Line line : options.has("r", "reverse") ? shown.reversed() : shown) {
            call.out().println(bare ? line.text() : TIME.format(line.at()) + " " + name + " " + line.from() + ": "
                    + line.text());
        }
        return Call.OK;
    }

    private static void unitLines(Call call, String name, List<Line> lines) {
        call.machine().units().find(name).ifPresent(s -> {
            Units.Unit unit = s.unit();
            lines.add(new Line(s.since(), "systemd[1]", (s.active() ? "Started " : "Stopped ") + unit.name()
                    + ".service - " + unit.description() + "."));
        });
    }

    private static int listBoots(Call call, List<LabSystem.PastBoot> past) {
        MachineState m = call.machine().state();
        call.out().println("IDX BOOT ID                          FIRST ENTRY                 LAST ENTRY");
        for (int i = 0; i < past.size(); i++) {
            row(call, i - past.size(), past.get(i).from(), past.get(i).to());
        }
        row(call, 0, m.bootedAt(), m.now());
        return Call.OK;
    }

    private static void row(Call call, int index, Instant from, Instant to) {
        call.out().printf(Locale.ROOT, "%3d %s %s UTC %s UTC%n", index, BootIds.of(call.machine().name(),
                from).toString()
                .replace("-", ""), BOOT_TIME.format(from), BOOT_TIME.format(to));
    }
}
