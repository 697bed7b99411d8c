package dev.pitwall.journey.export;

import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Export;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.ModelAsk;
import dev.pitwall.journey.change.ModelChange;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmCreation;
import dev.pitwall.journey.change.VmPowerCycle;
import dev.pitwall.journey.change.VmRemoval;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A script for the host itself, as root. It checks everything before it writes anything, keeps what was there, may be
 * run again at any point, and stops for a reboot, after which it goes on.
 */
final class BashExport implements Export {
    private static final String FUNCTIONS = "/journey/export-bash.sh";
    /** Ends a text in the script; no line of a file that is written so may be it. */
    private static final String END = "PITWALL_END_OF_FILE";

    @Override
    public String kind() {
        return "bash";
    }

    @Override
    public String render(CardPlan plan) {
        Work work = Work.of(plan);
        List<String> lines = new ArrayList<>(head(plan, work));
        if (work.changes().isEmpty()) {
            lines.add("say " + ShellText.word("Nothing is to be changed now."));
            return String.join("\n", lines) + "\n";
        }
        lines.add("\n# First everything is checked. Nothing is written if anything is not as it was.");
        work.changes().forEach(change -> lines.addAll(check(change)));
        lines.add("mkdir -p -- \"$KEEP\"");
        lines.add("chmod 0700 -- \"$KEEP\"");
        for (int i = 0; i < work.changes().size(); i++) {
            lines.add("\n# " + (i + 1) + " of " + work.changes().size());
            lines.add(ShellText.comment(work.changes().get(i).target() + " · " + work.changes().get(i).summary()));
            lines.addAll(make(work.changes().get(i), i + 1));
        }
        lines.add("\nsay " + ShellText.word("Done.") + "\nsay \"What was there before is in $KEEP.\"");
        return String.join("\n", lines) + "\n";
    }

    private static List<String> head(CardPlan plan, Work work) {
        String host = work.changes().stream().findFirst().map(Change::system).orElse(plan.card().host());
        List<String> lines = new ArrayList<>();
        lines.add("#!/usr/bin/env bash");
        lines.add(ShellText.comment(Work.title(plan)));
        lines.add(ShellText.comment("Run it as root on " + host
                + ". It may be run again at any point: what is done is skipped."));
        work.open().forEach(open -> lines.add(ShellText.comment("Not in it, needs a plan of its own later: " + open)));
        lines.add("");
        lines.add("keep_default=" + ShellText.word("/root/pitwall-runbook-" + id(plan)));
        lines.add(functions());
        lines.add("[ \"$(id -u)\" = 0 ] || die 'Run this as root.'");
        lines.add("[ \"$(hostname -s)\" = " + ShellText.word(host) + " ] || die "
                + ShellText.word("This is for " + host + "."));
        work.changes().stream().map(Change::system).filter(system -> !system.equals(host)).findFirst()
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

    private static List<String> check(Change change) {
        return switch (change) {
            case FileChange c -> List.of("check_file "
                    + ShellText.words(List.of(c.path(), c.before().digest(), c.after().digest())));
            case VmConfigChange c -> c.after().entrySet().stream()
                    .map(e -> "check_vm " + c.vmid() + " " + ShellText.words(
                    List.of(e.getKey(), value(c.before().get(e.getKey())), value(e.getValue())))).toList();
            case MappingChange c -> List.of("check_mapping "
                    + ShellText.words(List.of(c.id(), entries(c.before()), entries(c.after()))));
            case VmRemoval c -> List.of("check_new_vm " + c.vmid() + " " + ShellText.word(c.uuid()));
            case VmCreation c -> List.of("check_new_vm " + c.vmid() + " " + ShellText.word(c.uuid()));
            case CommandChange c -> List.of("command -v " + ShellText.word(c.arguments().getFirst())
                    + " > /dev/null || die "
                    + ShellText.word(c.arguments().getFirst() + " is not there. Nothing was written."));
            case HostReboot c -> List.of();
            case VmPowerCycle c -> List.of();
            case ManifestChange c -> List.of();
            case HelmChange c -> List.of();
            case PodRun c -> List.of();
            case ModelChange c -> List.of();
            case ModelAsk c -> List.of();
        };
    }

    private static List<String> make(Change change, int number) {
        return switch (change) {
            case FileChange c -> file(c);
            case VmConfigChange c -> config(c);
            case MappingChange c -> mapping(c);
            case VmCreation c -> creation(c);
            case VmRemoval c -> List.of("if qm status " + c.vmid() + " > /dev/null 2>&1; then",
                    "  [ \"$(vm_status " + c.vmid() + ")\" = stopped ] || die 'VM " + c.vmid()
                            + " runs: shut it down first.'",
                    "  keep_vm " + c.vmid(), "  qm destroy " + c.vmid() + " --purge 1", "fi");
            case CommandChange c -> once(number, List.of(ShellText.words(c.arguments())));
            case VmPowerCycle c -> once(number, power(c));
            case HostReboot c -> reboot(c, number);
            case ManifestChange c -> List.of(ofCluster(c));
            case HelmChange c -> List.of(ofCluster(c));
            case PodRun c -> List.of(ofCluster(c));
            case ModelChange c -> List.of(ofCluster(c));
            case ModelAsk c -> List.of(ofCluster(c));
        };
    }

    private static List<String> file(FileChange c) {
        String to = ShellText.words(List.of(c.path(), c.before().digest(), c.after().digest()));
        return switch (c.after()) {
            case Content.Absent a -> List.of("remove_file " + ShellText.words(List.of(c.path(), c.before().digest())));
            case Content.Bytes b -> Bytes.plain(b).filter(text -> text.endsWith("\n"))
                    .filter(text -> text.lines().noneMatch(END::equals))
                    .map(text -> List.of("put_file " + to + " << '" + END + "'", text + END))
                    .orElse(List.of("base64 -d <<< " + ShellText.word(Bytes.base64(b)) + " | put_file " + to));
        };
    }

    private static List<String> config(VmConfigChange c) {
        List<String> is = new ArrayList<>();
        List<String> set = new ArrayList<>(List.of("qm", "set", String.valueOf(c.vmid())));
        List<String> gone = new ArrayList<>();
        c.after().forEach((key, value) -> {
            is.addAll(List.of(key, value(value)));
            value.ifPresentOrElse(v -> set.addAll(List.of("--" + key, v)), () -> gone.add(key));
        });
        if (!gone.isEmpty()) {
            set.addAll(List.of("--delete", String.join(",", gone)));
        }
        return List.of("if vm_has " + c.vmid() + " " + ShellText.words(is) + "; then say 'already so: VM " + c.vmid()
                + "'; else",
                "  keep_vm " + c.vmid(), "  " + ShellText.words(set), "fi");
    }

    private static String ofCluster(Change change) {
        return "say " + ShellText.word("Not on this host: " + change.target() + " in " + change.system() + ".");
    }

    private static List<String> mapping(MappingChange c) {
        String path = "/cluster/mapping/pci";
        List<String> call = new ArrayList<>();
        if (c.after().isEmpty()) {
            call.addAll(List.of("pvesh", "delete", path + "/" + c.id()));
        } else {
            call.addAll(c.before().isEmpty() ? List.of("pvesh", "create", path, "--id", c.id())
                    : List.of("pvesh", "set", path + "/" + c.id()));
            c.after().get().forEach(entry -> call.addAll(List.of("--map", entry)));
        }
        return List.of("if [ \"$(mapping " + ShellText.word(c.id()) + ")\" = " + ShellText.word(entries(c.after()))
                + " ]; then say "
                + ShellText.word("already so: mapping " + c.id()) + "; else", "  mapping " + ShellText.word(c.id())
                + " > \"$KEEP\"/" + ShellText.word("mapping-" + c.id() + ".before"), "  " + ShellText.words(call),
                "fi");
    }

    private static List<String> creation(VmCreation c) {
        String id = String.valueOf(c.vmid());
        List<String> settings = new ArrayList<>();
        for (Map.Entry<String, String> setting : c.settings().entrySet()) {
            settings.addAll(List.of("--" + setting.getKey(), setting.getValue()));
        }
        List<String> lines = new ArrayList<>();
        switch (c.origin()) {
            case VmCreation.Template t -> {
                List<String> clone = new ArrayList<>(List.of("qm", "clone", String.valueOf(t.vmid()), id, "--name",
                        c.name(), "--full", "1"));
                t.storage().ifPresent(storage -> clone.addAll(List.of("--storage", storage)));
                lines.add("qm status " + id + " > /dev/null 2>&1 || " + ShellText.words(clone));
                lines.add("qm set " + id + " " + ShellText.words(settings));
            }
            case VmCreation.Blank b -> lines.add("qm status " + id + " > /dev/null 2>&1 || qm create " + id + " --name "
                    + ShellText.word(c.name()) + " " + ShellText.words(settings));
        }
        return lines;
    }

    private static List<String> power(VmPowerCycle c) {
        long down = c.shutdown().toSeconds();
        long up = c.start().toSeconds();
        return List.of("if [ \"$(vm_status " + c.vmid() + ")\" != stopped ]; then",
                "  qm shutdown " + c.vmid() + " --timeout " + down, "  wait_vm " + c.vmid() + " stopped " + down, "fi",
                "qm start " + c.vmid() + " --timeout " + up, "wait_vm " + c.vmid() + " running " + up);
    }

    private static List<String> once(int number, List<String> commands) {
        List<String> lines = new ArrayList<>(List.of("if todo " + number + "; then"));
        commands.forEach(command -> lines.add("  " + command));
        lines.addAll(List.of("  finished " + number, "fi"));
        return lines;
    }

    /** The script never reboots by itself: it says that it is time, and knows by the boot id that it has happened. */
    private static List<String> reboot(HostReboot c, int number) {
        List<String> lines = new ArrayList<>();
        lines.add("boot=$(cat /proc/sys/kernel/random/boot_id)");
        lines.add("[ -e \"$KEEP/boot." + number + "\" ] || printf '%s\\n' \"$boot\" > \"$KEEP/boot." + number + "\"");
        lines.add("if [ \"$(cat \"$KEEP/boot." + number + "\")\" = \"$boot\" ]; then");
        lines.add("  say " + ShellText.word("STOP. Everything before the reboot of " + c.host() + " is done."));
        c.stops().forEach(guest -> lines.add("  say "
                + ShellText.word("  The reboot stops " + guest.id() + " " + guest.name()
                + (guest.onboot() ? "" : ", which does not start again by itself") + ".")));
        lines.add("  say "
                + ShellText.word("Reboot it now (systemctl reboot), then run this script again: "
                + "it goes on from here."));
        lines.add("  exit 0");
        lines.add("fi");
        return lines;
    }

    private static String value(Optional<String> value) {
        return value.map(v -> "=" + v).orElse("");
    }

    private static String entries(Optional<List<String>> map) {
        return map.map(entries -> String.join("\n", entries)).orElse("absent");
    }
}
