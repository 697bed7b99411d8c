package dev.pitwall.journey.export;

import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.Drain;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.ModelAsk;
import dev.pitwall.journey.change.ModelChange;
import dev.pitwall.journey.change.NodeDown;
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
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The lines that check and make each change, by the functions of {@code export-bash.sh}. */
final class BashSteps {
    /** Ends a text in the script; no line of a file that is written so may be it. */
    private static final String END = "PITWALL_END_OF_FILE";

    private BashSteps() {
    }

    /** What must be so before anything is written. */
    static List<String> check(Change change) {
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
            case TalosUpgrade c -> List.of();
            case TalosConfigChange c -> List.of();
            case PackageChange c -> List.of();
            case NodeReboot c -> List.of();
            case PodRun c -> List.of();
            case ModelChange c -> List.of();
            case ModelAsk c -> List.of();
            case PodRestart c -> List.of();
        };
    }

    /** @param number by which the script notes that it is done */
    static List<String> make(Change change, int number) {
        return switch (change) {
            case FileChange c -> file(c);
            case VmConfigChange c -> config(c);
            case MappingChange c -> mapping(c);
            case VmCreation c -> once(number, creation(c));
            case VmRemoval c -> List.of("if qm status " + c.vmid() + " > /dev/null 2>&1; then",
                    "  [ \"$(vm_status " + c.vmid() + ")\" = stopped ] || die 'VM " + c.vmid()
                            + " runs: shut it down first.'",
                    "  keep_vm " + c.vmid(), "  qm destroy " + c.vmid() + " --purge 1", "fi");
            case CommandChange c -> once(number, List.of(ShellText.words(c.arguments())));
            case VmPowerCycle c -> {
                List<String> lines = new ArrayList<>(List.of("if was_made " + number + "; then"));
                c.kubernetes().flatMap(NodeDown::drain).ifPresent(d -> lines.add("  asked " + number + " "
                        + ShellText.words(List.of("STOP. Everything before the power cycle of VM " + c.vmid() + " is done.",
                        leaving(d), "Then run this again: it goes on from here."))));
                once(number, power(c)).forEach(line -> lines.add("  " + line));
                lines.add("fi");
                yield lines;
            }
            case HostReboot c -> reboot(number, c.host(), Stream.concat(
                    c.nodes().stream().flatMap(n -> n.drain().stream()).map(BashSteps::leaving),
                    c.stops().stream().map(guest -> "  The reboot stops " + guest.id() + " " + guest.name()
                            + (guest.onboot() ? "" : ", which does not start again by itself") + ".")).toList());
            case ManifestChange c -> List.of(ofCluster(c));
            case HelmChange c -> List.of(ofCluster(c));
            case TalosUpgrade c -> List.of(ofCluster(c));
            case TalosConfigChange c -> List.of(ofCluster(c));
            case PackageChange c -> once(number, packages(c));
            case NodeReboot c -> reboot(number, c.machine(), Stream.concat(c.drain().stream()
                    .map(BashSteps::leaving),
                    c.stops().stream().map(p -> "  The reboot stops pod " + p.place() + ".")).toList());
            case PodRun c -> List.of(ofCluster(c));
            case ModelChange c -> List.of(ofCluster(c));
            case ModelAsk c -> List.of(ofCluster(c));
            case PodRestart c -> List.of(ofCluster(c));
        };
    }

    private static String leaving(Drain drain) {
        return "  First let the pods of " + drain.node() + " leave, where kubectl reaches it: " + ShellText.words(drain.command())
                + "; after it " + ShellText.words(drain.reopening()) + ".";
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
        List<String> lines = new ArrayList<>(List.of("if vm_has " + c.vmid() + " " + ShellText.words(is)
                + "; then say 'already so: VM " + c.vmid() + "'; else"));
        check(c).forEach(line -> lines.add("  " + line));
        lines.addAll(List.of("  keep_vm " + c.vmid(), "  " + ShellText.words(set), "fi"));
        return lines;
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
                + ShellText.word("already so: mapping " + c.id()) + "; else", "  " + check(c).getFirst(), "  mapping " + ShellText.word(c.id())
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
                lines.add(": > \"$KEEP/new-" + id + "\"");
                lines.add("qm set " + id + " " + ShellText.words(settings));
                lines.add("rm -f -- \"$KEEP/new-" + id + "\"");
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

    /**
     * The script never reboots by itself: it says that it is time, and knows by the boot id that it has happened.
     *
     * @param stops what stops with it, one sentence each
     */
    private static List<String> reboot(int number, String machine, List<String> stops) {
        List<String> lines = new ArrayList<>();
        lines.add("if was_made " + number + "; then");
        lines.add("  if ! rebooted " + number + "; then");
        lines.add("    say " + ShellText.word("STOP. Everything before the reboot of " + machine + " is done."));
        stops.forEach(sentence -> lines.add("    say " + ShellText.word(sentence)));
        lines.add("    say " + ShellText.word("Reboot it now (systemctl reboot), then run this again: it goes on from here."));
        lines.add("    exit 0");
        lines.add("  fi");
        lines.add("  finished " + number);
        lines.add("fi");
        return lines;
    }

    private static List<String> packages(PackageChange c) {
        List<String> lines = new ArrayList<>();
        if (c.manager() == PackageChange.Manager.APT && !c.wanted().isEmpty()) {
            lines.add("apt-get update");
        }
        c.commands().forEach(command -> lines.add(ShellText.words(command)));
        return lines;
    }

    private static String value(Optional<String> value) {
        return value.map(v -> "=" + v).orElse("");
    }

    private static String entries(Optional<List<String>> map) {
        return map.map(entries -> String.join("\n", entries)).orElse("absent");
    }
}
