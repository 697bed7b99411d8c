package dev.pitwall.journey.export;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The tasks of a playbook. The results of change number N are {@code read_N} and {@code made_N}. */
final class AnsibleTasks {
    private static final String MODULE = "ansible.builtin.";
    private static final String CHANGED = "the plan's ground has changed: make the plan again";

    /** Reads what a change rests on and asserts it; both also happen with {@code --check}. */
    List<ObjectNode> checks(Change change, int number) {
        return switch (change) {
            case FileChange c -> {
                ObjectNode stat = task("Look at " + c.path(), "stat", number, "read");
                arguments(stat, "stat").put("path", c.path()).put("checksum_algorithm", "sha256").put("follow", true);
                String now = "(read_" + number + ".stat.checksum | default('absent'))";
                yield List.of(stat, confirm(c.path() + " is as planned",
                        List.of(now + " in ['" + c.before().digest() + "', '"
                        + c.after().digest() + "']")));
            }
            case VmConfigChange c -> {
                ObjectNode read = reading("Read VM " + c.vmid(), number,
                        List.of("qm", "config", String.valueOf(c.vmid())));
                yield List.of(read, confirm("VM " + c.vmid() + " is as planned", c.after().keySet().stream()
                        .map(key -> "(" + holds(number, key, c.before().get(key)) + ") or ("
                                + holds(number, key, c.after().get(key)) + ")")
                        .toList()));
            }
            case MappingChange c -> {
                ObjectNode read = reading("Read the mappings", number,
                        List.of("pvesh", "get", "/cluster/mapping/pci", "--output-format", "json"));
                yield List.of(read, confirm("Mapping " + c.id() + " is as planned",
                        List.of(map(number, c.id()) + " in [" + list(c.before()) + ", " + list(c.after()) + "]")));
            }
            case VmCreation c -> own(c.vmid(), c.uuid(), number);
            case VmRemoval c -> own(c.vmid(), c.uuid(), number);
            case CommandChange c -> List.of();
            case VmPowerCycle c -> List.of();
            case HostReboot c -> List.of();
            case PackageChange c -> List.of();
            case NodeReboot c -> List.of();
            case ManifestChange c -> List.of();
            case HelmChange c -> List.of();
            case TalosUpgrade c -> List.of();
            case TalosConfigChange c -> List.of();
            case PodRun c -> List.of();
            case ModelChange c -> List.of();
            case ModelAsk c -> List.of();
            case PodRestart c -> List.of();
        };
    }

    /** Of a cluster or a node, which this playbook does not reach. */
    ObjectNode elsewhere(Change change) {
        ObjectNode task = JsonNodeFactory.instance.objectNode();
        task.put("name", "Not on this host: " + change.target());
        task.putObject("ansible.builtin.debug").put("msg", change.target() + " in " + change.system() + ": "
                + change.summary());
        return task;
    }

    /** Nothing has the id, or it is the VM that the plan makes. */
    private static List<ObjectNode> own(int vmid, String uuid, int number) {
        ObjectNode read = reading("Look for VM " + vmid, number, List.of("qm", "config", String.valueOf(vmid)));
        read.put("failed_when", false);
        return List.of(read, confirm("VM " + vmid + " is not another's", List.of(
                "read_" + number + ".rc != 0 or " + text(uuid) + " in read_" + number + ".stdout")));
    }

    /** Proxmox refuses it while the VM runs. */
    ObjectNode removal(VmRemoval c, int number) {
        ObjectNode task = run("Destroy VM " + c.vmid() + " with its disks", number,
                List.of("qm", "destroy", String.valueOf(c.vmid()), "--purge", "1"));
        task.put("when", "read_" + number + ".rc == 0");
        return task;
    }

    List<ObjectNode> file(FileChange c, int number) {
        return switch (c.after()) {
            case Content.Absent a -> {
                ObjectNode task = task("Remove " + c.path(), "file", number, "made");
                arguments(task, "file").put("path", c.path()).put("state", "absent");
                yield List.of(task);
            }
            case Content.Bytes b -> {
                ObjectNode write = Bytes.plain(b).map(text -> copy(c, number, text))
                        .orElseGet(() -> decode(c, number));
                yield c.before().absent() ? List.of(folder(c, number), write) : List.of(write);
            }
        };
    }

    /** A new file may be the first of its folder: {@code /etc/default/grub.d} is not there on every Proxmox. */
    private static ObjectNode folder(FileChange c, int number) {
        String path = c.path().substring(0, Math.max(1, c.path().lastIndexOf('/')));
        ObjectNode task = task("Have " + path, "file", number, "folder");
        arguments(task, "file").put("path", path).put("state", "directory");
        return task;
    }

    private static ObjectNode copy(FileChange c, int number, String text) {
        ObjectNode task = task("Write " + c.path(), "copy", number, "made");
        ObjectNode copy = arguments(task, "copy").put("dest", c.path());
        boolean template = text.contains("{{") || text.contains("{%") || text.contains("{#");
        copy.put("content", template ? "{{ '" + Bytes.base64(c.after()) + "' | b64decode }}" : text);
        copy.put("backup", true).put("follow", true);
        if (c.before().absent()) {
            copy.put("mode", "0644");
        }
        return task;
    }

    /** Bytes that are no text: {@code copy} would write them as text. */
    private static ObjectNode decode(FileChange c, int number) {
        ObjectNode task = task("Write " + c.path(), "shell", number, "made");
        arguments(task, "shell").put("cmd", "cp -a -- " + ShellText.word(c.path()) + " "
                + ShellText.word(c.path() + "~")
                + " 2> /dev/null; base64 -d > " + ShellText.word(c.path()) + " <<< " + Bytes.base64(c.after()))
                .put("executable", "/bin/bash");
        task.put("when", "(read_" + number + ".stat.checksum | default('absent')) != '" + c.after().digest() + "'");
        return task;
    }

    ObjectNode command(CommandChange c, int number, List<Integer> after) {
        ObjectNode task = run(c.target(), number, c.arguments());
        return when(task, after);
    }

    ObjectNode config(VmConfigChange c, int number) {
        List<String> call = new ArrayList<>(List.of("qm", "set", String.valueOf(c.vmid())));
        List<String> gone = new ArrayList<>();
        c.after().forEach((key, value) ->
                value.ifPresentOrElse(v -> call.addAll(List.of("--" + key, v)), () -> gone.add(key)));
        if (!gone.isEmpty()) {
            call.addAll(List.of("--delete", String.join(",", gone)));
        }
        ObjectNode task = run("Set VM " + c.vmid(), number, call);
        task.put("when", "not (" + c.after().entrySet().stream()
                .map(e -> "(" + holds(number, e.getKey(), e.getValue()) + ")")
                .collect(Collectors.joining(" and ")) + ")");
        return task;
    }

    ObjectNode mapping(MappingChange c, int number) {
        List<String> call = new ArrayList<>();
        if (c.after().isEmpty()) {
            call.addAll(List.of("pvesh", "delete", "/cluster/mapping/pci/" + c.id()));
        } else {
            call.addAll(c.before().isEmpty() ? List.of("pvesh", "create", "/cluster/mapping/pci", "--id", c.id())
                    : List.of("pvesh", "set", "/cluster/mapping/pci/" + c.id()));
            c.after().get().forEach(entry -> call.addAll(List.of("--map", entry)));
        }
        ObjectNode task = run("Set mapping " + c.id(), number, call);
        task.put("when", map(number, c.id()) + " != " + list(c.after()));
        return task;
    }

    List<ObjectNode> creation(VmCreation c, int number) {
        String id = String.valueOf(c.vmid());
        List<String> settings = new ArrayList<>();
        for (Map.Entry<String, String> setting : c.settings().entrySet()) {
            settings.addAll(List.of("--" + setting.getKey(), setting.getValue()));
        }
        List<String> call = new ArrayList<>(switch (c.origin()) {
            case VmCreation.Template t -> List.of("qm", "clone", String.valueOf(t.vmid()), id, "--name", c.name(),
                    "--full", "1");
            case VmCreation.Blank b -> List.of("qm", "create", id, "--name", c.name());
        });
        List<ObjectNode> tasks = new ArrayList<>();
        switch (c.origin()) {
            case VmCreation.Template t -> {
                t.storage().ifPresent(storage -> call.addAll(List.of("--storage", storage)));
                ObjectNode set = run("Set VM " + id, number, append(List.of("qm", "set", id), settings));
                set.put("register", "set_" + number);
                tasks.add(run("Make VM " + id, number, call));
                tasks.add(set);
            }
            case VmCreation.Blank b -> tasks.add(run("Make VM " + id, number, append(call, settings)));
        }
        tasks.forEach(task -> task.put("when", "read_" + number + ".rc != 0"));
        return tasks;
    }

    /** Only what is pending, or a VM that is off, calls for it; so a second run leaves the VM alone. */
    List<ObjectNode> power(VmPowerCycle c, int number) {
        String id = String.valueOf(c.vmid());
        String stopped = "'stopped' in read_" + number + ".stdout";
        ObjectNode status = reading("Status of VM " + id, number, List.of("qm", "status", id));
        ObjectNode pending = reading("What is pending of VM " + id, number, List.of("qm", "pending", id));
        pending.put("register", "pending_" + number);
        ObjectNode down = run("Shut VM " + id + " down", number, List.of("qm", "shutdown", id, "--timeout",
                String.valueOf(c.shutdown().toSeconds())));
        down.put("when", "not (" + stopped + ") and pending_" + number
                + ".stdout is search('^(new|del) ', multiline=True)");
        ObjectNode off = reading("Wait until VM " + id + " is off", number, List.of("qm", "status", id));
        off.put("register", "off_" + number).put("until", "'stopped' in off_" + number + ".stdout")
                .put("retries", c.shutdown().toSeconds()).put("delay", 1).put("when", "made_" + number + " is changed");
        ObjectNode up = run("Start VM " + id, number, List.of("qm", "start", id, "--timeout",
                String.valueOf(c.start().toSeconds())));
        up.put("register", "up_" + number).put("when", "made_" + number + " is changed or " + stopped);
        List<ObjectNode> tasks = new ArrayList<>(List.of(status, pending));
        Optional<Drain> drain = c.kubernetes().flatMap(NodeDown::drain);
        drain.ifPresent(d -> tasks.add(leaving(d, number, down.path("when").asText())));
        tasks.addAll(List.of(down, off, up));
        drain.ifPresent(d -> tasks.addAll(reopening(d, number)));
        return tasks;
    }

    List<ObjectNode> rebooting(HostReboot c, int number, List<Integer> after) {
        List<Drain> drains = c.nodes().stream().flatMap(n -> n.drain().stream()).toList();
        ObjectNode reboot = reboot(c, number, after);
        List<ObjectNode> tasks = new ArrayList<>();
        drains.forEach(d -> tasks.add(leaving(d, number, reboot.path("when").asText("true"))));
        tasks.add(reboot);
        drains.forEach(d -> tasks.addAll(reopening(d, number)));
        return tasks;
    }

    /** Where the playbook is started, which is where kubectl reaches the cluster. */
    private static ObjectNode leaving(Drain drain, int number, String when) {
        return atHome(run("Let the pods of " + drain.node() + " leave", number, drain.command()), "left_" + number, when);
    }

    private static List<ObjectNode> reopening(Drain drain, int number) {
        String when = "made_" + number + " is changed";
        return List.of(atHome(run("Wait until " + drain.node() + " is ready", number, List.of("kubectl", "wait",
                        "--for=condition=Ready", "node/" + drain.node(), "--timeout=" + drain.limit().toSeconds() + "s")),
                "ready_" + number, when), atHome(run("Let " + drain.node() + " take pods again", number, drain.reopening()),
                "open_" + number, when));
    }

    private static ObjectNode atHome(ObjectNode task, String result, String when) {
        return task.put("register", result).put("delegate_to", "localhost").put("become", false).put("when", when);
    }

    private ObjectNode reboot(HostReboot c, int number, List<Integer> after) {
        String stops = c.stops().isEmpty() ? "" : ", which stops " + c.stops().stream()
                .map(g -> g.id() + " " + g.name())
                .collect(Collectors.joining(", "));
        ObjectNode task = task("Reboot " + c.host() + stops, "reboot", number, "made");
        arguments(task, "reboot").put("reboot_timeout", c.limit().toSeconds());
        return when(task, after);
    }

    private static ObjectNode task(String name, String module, int number, String result) {
        ObjectNode task = JsonNodeFactory.instance.objectNode();
        task.put("name", plain(name));
        task.putObject(MODULE + module);
        task.put("register", result + "_" + number);
        return task;
    }

    private static ObjectNode arguments(ObjectNode task, String module) {
        return (ObjectNode) task.get(MODULE + module);
    }

    private static ObjectNode run(String name, int number, List<String> command) {
        ObjectNode task = task(name, "command", number, "made");
        ArrayNode words = arguments(task, "command").putArray("argv");
        command.forEach(word -> words.add(plain(word)));
        return task;
    }

    private static ObjectNode reading(String name, int number, List<String> command) {
        ObjectNode task = run(name, number, command);
        task.put("register", "read_" + number).put("changed_when", false).put("check_mode", false);
        return task;
    }

    private static ObjectNode confirm(String name, List<String> that) {
        ObjectNode task = JsonNodeFactory.instance.objectNode();
        task.put("name", plain(name));
        ObjectNode arguments = task.putObject(MODULE + "assert");
        ArrayNode conditions = arguments.putArray("that");
        that.forEach(conditions::add);
        arguments.put("fail_msg", CHANGED);
        return task;
    }

    /** A command follows what was written; {@code -e again=true} runs it even if nothing was. */
    private static ObjectNode when(ObjectNode task, List<Integer> after) {
        Set<String> made = new LinkedHashSet<>(after.stream().map(n -> "made_" + n + " is changed").toList());
        if (!made.isEmpty()) {
            task.put("when", String.join(" or ", made) + " or (again | default(false) | bool)");
        }
        return task;
    }

    /** The line of a key, or that there is none. */
    private static String holds(int number, String key, Optional<String> value) {
        String lines = "read_" + number + ".stdout_lines";
        return value.map(v -> text(key + ": " + v) + " in " + lines)
                .orElse(lines + " | select('match', '^" + key + ": ') | list | length == 0");
    }

    private static String map(int number, String id) {
        return "(read_" + number + ".stdout | from_json | selectattr('id', 'equalto', " + text(id)
                + ") | map(attribute='map') | list | first | default([]))";
    }

    private static String list(Optional<List<String>> entries) {
        return "[" + entries.orElse(List.of()).stream().map(AnsibleTasks::text).collect(Collectors.joining(", ")) + "]";
    }

    /** A text inside an expression. */
    private static String text(String value) {
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }

    /** Outside of expressions a text with braces would be taken for one. */
    private static String plain(String value) {
        return value.contains("{{") || value.contains("{%") || value.contains("{#")
                ? "{{ " + text(value) + " }}" : value;
    }

    private static List<String> append(List<String> first, List<String> rest) {
        List<String> all = new ArrayList<>(first);
        all.addAll(rest);
        return all;
    }
}
