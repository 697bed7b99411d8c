package dev.pitwall.ui.change;

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
import dev.pitwall.journey.change.ObjectRef;
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
import dev.pitwall.journey.change.YamlText;
import dev.pitwall.journey.talos.TalosCommands;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Changes as commands that a person types on the machines, as root: plain shell, {@code qm} and {@code pvesh}. */
public final class ByHand {

    private static final String END = "PITWALL";

    private ByHand() {
    }

    /** One script, with a comment before each machine's part, in the order of the changes. */
    public static String commands(List<? extends Change> changes) {
        List<String> blocks = new ArrayList<>();
        String system = "";
        for (Change change : changes) {
            if (!change.system().equals(system)) {
                system = change.system();
                blocks.add(where(change));
            }
            blocks.add(command(change));
        }
        return String.join("\n\n", blocks) + "\n";
    }

    private static String command(Change change) {
        return switch (change) {
            case FileChange c -> file(c);
            case CommandChange c -> words(c.arguments());
            case VmConfigChange c -> config(c);
            case VmCreation c -> creation(c);
            case VmRemoval c -> "qm destroy " + c.vmid() + " --purge  # with its disks; only if it is off";
            case MappingChange c -> mapping(c);
            case ManifestChange c -> manifest(c);
            case HelmChange c -> helm(c);
            case TalosUpgrade c -> TalosCommands.of(c);
            case TalosConfigChange c -> TalosCommands.of(c);
            case PackageChange c -> c.commands().stream().map(ByHand::words).collect(Collectors.joining("\n"));
            case NodeReboot c -> emptied(c.drain().stream(), "systemctl reboot");
            case PodRun c -> "kubectl apply -f - <<'" + END + "'\n" + YamlText.of(c.manifest()) + END
                    + "\nkubectl -n " + c.pod().namespace() + " logs -f " + c.pod().name() + "\nkubectl -n "
                    + c.pod().namespace() + " delete pod " + c.pod().name();
            case ModelChange c -> inside(c.service(), c.after() == ModelChange.Presence.PRESENT ? "pull" : "rm", c.model());
            case PodRestart c -> c.pods().stream().map(p -> "kubectl -n " + word(p.namespace()) + restarted(c, p))
                    .collect(Collectors.joining("\n"));
            case ModelAsk c -> inside(c.service(), "run", c.model()) + " 'Say hello.'\nkubectl -n "
                    + word(c.service().namespace()) + " exec " + word("service/" + c.service().name()) + " -- ollama ps";
            case HostReboot c -> emptied(c.nodes().stream().flatMap(n -> n.drain().stream()), "systemctl reboot" + c.stops().stream()
                    .map(g -> g.id() + " " + g.name()).reduce((a, b) -> a + ", " + b).map(s -> "  # stops " + s).orElse(""));
            case VmPowerCycle c -> emptied(c.kubernetes().flatMap(NodeDown::drain).stream(), "qm shutdown " + c.vmid()
                    + " --timeout " + c.shutdown().toSeconds() + "  # leave this out if it is off\nqm start " + c.vmid());
        };
    }

    private static String inside(ObjectRef service, String verb, String model) {
        return "kubectl -n " + word(service.namespace()) + " exec " + word("service/" + service.name()) + " -- ollama "
                + verb + " " + word(model);
    }

    /** Where the commands are typed. */
    private static String where(Change change) {
        return switch (change) {
            case ManifestChange _, HelmChange _, PodRun _, ModelChange _, ModelAsk _, PodRestart _ ->
                    "# In cluster " + change.system() + ", from where kubectl and helm reach it:";
            case TalosUpgrade _, TalosConfigChange _ ->
                    "# For the Talos node " + change.system() + ", from where talosctl reaches it with the role os:admin:";
            case FileChange _, CommandChange _, VmConfigChange _, VmCreation _, VmRemoval _, MappingChange _,
                    HostReboot _, VmPowerCycle _, PackageChange _, NodeReboot _ -> "# On " + change.system() + ", as root:";
        };
    }

    private static String manifest(ManifestChange c) {
        String where = c.object().namespace().isEmpty() ? "" : "-n " + word(c.object().namespace()) + " ";
        String name = word(c.object().type().resource() + "/" + c.object().name());
        if (c.after().isEmpty()) {
            return "kubectl " + where + "delete " + name;
        }
        return c.before().isEmpty() ? "kubectl create -f - <<'" + END + "'\n" + YamlText.of(c.after().get()) + END
                : "kubectl " + where + "patch " + name + " --type merge -p " + word(c.after().get().toString());
    }

    /** What goes down, between the nodes' pods leaving and coming back. */
    private static String emptied(Stream<Drain> drains, String down) {
        List<Drain> all = drains.toList();
        return all.stream().map(d -> words(d.command()) + "  # where kubectl reaches it\n").collect(Collectors.joining()) + down
                + all.stream().map(d -> "\n" + words(d.reopening()) + "  # when it is ready, and if it took pods before")
                .collect(Collectors.joining());
    }

    private static String helm(HelmChange c) {
        if (c.after().isEmpty()) {
            return "helm uninstall " + word(c.release()) + " -n " + word(c.namespace());
        }
        HelmChange.Wanted wanted = c.after().get();
        String first = c.forgetting().map(command -> command.stream().map(ByHand::word).collect(Collectors.joining(" ", "", "\n")))
                .orElse("");
        return first + "helm upgrade --install " + word(c.release()) + " " + word(wanted.chart()) + " -n " + word(c.namespace())
                + " --repo " + word(wanted.repository()) + " --version " + word(wanted.version())
                + wanted.base().map(b -> " --reuse-values").orElse("") + " -f - <<'" + END + "'\n"
                + YamlText.of(wanted.values()) + END;
    }

    private static String file(FileChange c) {
        String path = word(c.path());
        return switch (c.after()) {
            case Content.Absent _ -> "rm -- " + path;
            case Content.Bytes(byte[] bytes) -> folder(c) + (isText(c.after(), bytes) ? text(c.after().text(), path)
                    : "base64 -d > " + path + " <<'" + END + "'\n"
                            + Base64.getMimeEncoder().encodeToString(bytes).replace("\r", "") + "\n" + END);
        };
    }

    private static String folder(FileChange c) {
        int slash = c.path().lastIndexOf('/');
        return c.before().absent() && slash > 0 ? "mkdir -p -- " + word(c.path().substring(0, slash)) + "\n" : "";
    }

    /** True if its text gives the same bytes again. */
    private static boolean isText(Content content, byte[] bytes) {
        return Content.of(content.text()).equals(new Content.Bytes(bytes)) && content.text().indexOf('\0') < 0;
    }

    /** A here-document always ends with a newline, so text that does not is printed. */
    private static String text(String text, String path) {
        if (!text.endsWith("\n")) {
            return "printf '%s' " + word(text) + " > " + path;
        }
        String end = END;
        while (text.lines().anyMatch(end::equals)) {
            end += "_";
        }
        return "cat > " + path + " <<'" + end + "'\n" + text + end;
    }

    private static String creation(VmCreation c) {
        String settings = settings(c.settings());
        return switch (c.origin()) {
            case VmCreation.Template t -> "qm clone " + t.vmid() + " " + c.vmid() + " --name " + word(c.name()) + " --full 1"
                    + t.storage().map(s -> " --storage " + word(s)).orElse("") + "\nqm set " + c.vmid() + settings;
            case VmCreation.Blank _ -> "qm create " + c.vmid() + " --name " + word(c.name()) + settings;
        };
    }

    private static String settings(Map<String, String> settings) {
        return settings.entrySet().stream().map(e -> " --" + e.getKey() + " " + word(e.getValue()))
                .collect(Collectors.joining());
    }

    private static String config(VmConfigChange c) {
        List<String> lines = new ArrayList<>();
        String values = c.after().entrySet().stream().filter(e -> e.getValue().isPresent())
                .map(e -> " --" + e.getKey() + " " + word(e.getValue().get())).collect(Collectors.joining());
        if (!values.isEmpty()) {
            lines.add("qm set " + c.vmid() + values);
        }
        String gone = c.after().entrySet().stream().filter(e -> e.getValue().isEmpty())
                .map(Map.Entry::getKey).collect(Collectors.joining(","));
        if (!gone.isEmpty()) {
            lines.add("qm set " + c.vmid() + " --delete " + word(gone));
        }
        return String.join("\n", lines);
    }

    private static String mapping(MappingChange c) {
        Optional<String> entries = c.after().map(list ->
                list.stream().map(e -> " --map " + word(e)).collect(Collectors.joining()));
        String path = "/cluster/mapping/pci";
        if (entries.isEmpty()) {
            return "pvesh delete " + path + "/" + word(c.id());
        }
        return c.before().isEmpty() ? "pvesh create " + path + " --id " + word(c.id()) + entries.get()
                : "pvesh set " + path + "/" + word(c.id()) + entries.get();
    }

    private static String words(List<String> arguments) {
        return arguments.stream().map(ByHand::word).collect(Collectors.joining(" "));
    }

    /** Only what has failed is matched where only what is refused goes. */
    private static String restarted(PodRestart restart, PodRestart.Pod pod) {
        return switch (restart.which()) {
            case ALL -> " delete pod " + word(pod.name());
            case REFUSED -> " delete pods --field-selector " + word("status.phase=Failed,metadata.name=" + pod.name());
        };
    }

    /** One word for a POSIX shell. */
    private static String word(String text) {
        return text.matches("[A-Za-z0-9_@%+=:,./-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
