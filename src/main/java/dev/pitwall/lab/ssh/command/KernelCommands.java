package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.KernelLog;
import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.kernel.KernelModules;
import dev.pitwall.lab.ssh.kernel.ModprobeConfig;
import dev.pitwall.lab.ssh.kernel.ModuleControl;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;
import dev.pitwall.lab.world.LabSystem.NvidiaModule;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Programs about the running kernel: its log, its modules. */
final class KernelCommands {
    private KernelCommands() {
    }

    static void install(Commands commands) {
        commands.add("dmesg", new Dmesg()).add("lsmod", new Lsmod()).add("modinfo", new ModInfo())
                .add("modprobe", new Modprobe()).add("rmmod", new Rmmod()).add("depmod", call -> Call.OK)
                .add("udevadm", new Udevadm());
    }

    static final class Dmesg implements Command {
        private static final DateTimeFormatter TIME =
                DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss yyyy", Locale.ROOT).withZone(ZoneOffset.UTC);

        @Override
        public int run(Call call) {
            Options options = Options.of(call, "wWTtkHxl:f:LcCP", "follow", "ctime", "notime", "kernel", "human",
                    "decode", "level=", "facility=", "color", "color=", "nopager");
            if (options.refused()) {
                return options.refuse(1);
            }
            if (options.has("w", "follow") || options.has("W", "")) {
                return call.fail(1, "following is not possible on this lab's machines");
            }
            MachineState m = call.machine().state();
            for (KernelLog.Line line : call.machine().kernelLog()) {
                call.out().println(options.has("T", "ctime") ? "[" + TIME.format(m.bootedAt().plus(line.after())) + "] "
                        + line.text() : options.has("t", "notime") ? line.text() : line.stamped());
            }
            return Call.OK;
        }
    }

    static final class Lsmod implements Command {
        @Override
        public int run(Call call) {
            call.out().println("Module                  Size  Used by");
            for (KernelModules.Module k : call.machine().loadedModules()) {
                call.out().printf(Locale.ROOT, "%-19s %8d  %d%s%n", k.name(), k.size(), k.users(),
                        k.usedBy().isEmpty() ? "" : " " + k.usedBy());
            }
            return Call.OK;
        }
    }

    static final class ModInfo implements Command {
        @Override
        public int run(Call call) {
            Options options = Options.of(call, "F:k:nadlp0", "field=", "filename", "license", "description");
            if (options.refused()) {
                return options.refuse(1);
            }
            int status = Call.OK;
            MachineState m = call.machine().state();
            String kernel = options.value("k", "").orElse(m.kernel());
            for (String name : options.operands()) {
                List<String> lines = lines(call, m, ModprobeConfig.name(name), kernel);
                if (lines.isEmpty()) {
                    call.err().println("modinfo: ERROR: Module " + name + " not found.");
                    status = 1;
                }
                String field = options.has("n", "filename") ? "filename"
                        : options.has("l", "license") ? "license" : options.value("F", "field").orElse("");
                lines.stream().filter(line -> field.isEmpty() || line.startsWith(field + ":"))
                        .forEach(line -> call.out().println(field.isEmpty() ? line
                                : line.substring(line.indexOf(':') + 1).strip()));
            }
            return status;
        }

        private static List<String> lines(Call call, MachineState m, String name, String kernel) {
            if (name.startsWith("nvidia") && !name.equals("nvidiafb")) {
                return nvidia(m, name, kernel);
            }
            List<String> known = call.machine().moduleTable().description(name);
            if (known.isEmpty()) {
                return List.of();
            }
            return List.of("filename:       /lib/modules/" + kernel + "/" + known.get(3),
                    "description:    " + known.get(1), "license:        " + known.get(2), "intree:         Y",
                    "name:           " + known.getFirst(), "vermagic:       " + kernel
                    + " SMP preempt mod_unload modversions ");
        }

        /** A module on the disk, or the one that a driver container brought. */
        private static List<String> nvidia(MachineState m, String name, String kernel) {
            Optional<NvidiaModule> own = Optional.ofNullable(m.system().nvidiaModules().get(kernel));
            if (own.isEmpty() && !(m.driver().loaded() && kernel.equals(m.kernel()))) {
                return List.of();
            }
            boolean open = own.map(NvidiaModule::open).orElse(true);
            boolean dkms = own.map(NvidiaModule::dkms).orElse(false);
            String file = dkms ? "updates/dkms/" : "kernel/drivers/video/";
            String signer = own.map(NvidiaModule::signer).orElse("");
            List<String> lines = new ArrayList<>(List.of(
                    "filename:       /lib/modules/" + kernel + "/" + file + name.replace('_', '-') + ".ko"
                            + (dkms ? ".zst" : ""),
                    "version:        " + own.map(NvidiaModule::version).orElse(m.driver().version()),
                    "supported:      external", "license:        " + (open ? "Dual MIT/GPL" : "NVIDIA"),
                    "name:           " + name,
                    "vermagic:       " + kernel + " SMP preempt mod_unload modversions "));
            if (!signer.isEmpty()) {
                lines.add("sig_id:         PKCS#7");
                lines.add("signer:         " + signer);
            }
            return lines;
        }
    }

    static final class Modprobe implements Command {
        @Override
        public int run(Call call) {
            Options options = Options.of(call, "rvqanbcfS:DR", "remove", "verbose", "quiet", "all", "dry-run",
                    "showconfig", "use-blacklist", "show-depends", "first-time", "resolve-alias");
            if (options.refused()) {
                return options.refuse(1);
            }
            if (options.has("c", "showconfig")) {
                call.machine().modprobeConfig().shown().forEach(call.out()::println);
                return Call.OK;
            }
            List<String> names = options.has("a", "all") || options.has("r", "remove") ? options.operands()
                    : options.operands().stream().limit(1).toList();
            if (names.isEmpty()) {
                call.err().println("modprobe: ERROR: missing parameters. See -h.");
                return 1;
            }
            if (options.has("n", "dry-run") || options.has("D", "show-depends")) {
                return Call.OK;
            }
            int status = Call.OK;
            for (String name : names) {
                status |= options.has("r", "remove") ? remove(call, name)
                        : insert(call, name, options.has("q", "quiet"), options.has("b", "use-blacklist"));
            }
            return status;
        }

        private static int insert(Call call, String name, boolean quiet, boolean heedBlacklist) {
            if (heedBlacklist && call.machine().modprobeConfig().isBlacklisted(name)) {
                return Call.OK;
            }
            Optional<ModuleControl.Refusal> refused = call.machine().modules().insert(name);
            if (refused.isPresent() && !quiet) {
                call.err().println(refused.get().words().isEmpty() ? "modprobe: FATAL: Module " + name
                        + " not found in directory /lib/modules/" + call.machine().state().kernel()
                        : "modprobe: ERROR: could not insert '" + ModprobeConfig.name(name) + "': "
                        + refused.get().words());
            }
            return refused.isPresent() ? 1 : Call.OK;
        }

        private static int remove(Call call, String name) {
            Optional<ModuleControl.Refusal> refused = call.machine().modules().remove(name);
            refused.ifPresent(r -> call.err().println("modprobe: FATAL: Module " + name + (r.words().isEmpty()
                    ? " not found." : " is in use.")));
            return refused.isPresent() ? 1 : Call.OK;
        }
    }

    static final class Rmmod implements Command {
        @Override
        public int run(Call call) {
            Options options = Options.of(call, "fsvw", "force", "verbose");
            if (options.refused()) {
                return options.refuse(1);
            }
            if (options.operands().isEmpty()) {
                call.err().println("rmmod: ERROR: missing module name.");
                return 1;
            }
            int status = Call.OK;
            for (String name : options.operands()) {
                Optional<ModuleControl.Refusal> refused = call.machine().modules().remove(name);
                if (refused.isPresent()) {
                    String module = ModprobeConfig.name(name);
                    call.err().println("rmmod: ERROR: Module " + module + (refused.get().words().isEmpty()
                            ? " is not currently loaded" : " is " + refused.get().words()));
                    status = 1;
                }
            }
            return status;
        }
    }

    /** Rules are read at each event here, so there is nothing to reload and nothing to wait for. */
    static final class Udevadm implements Command {
        @Override
        public int run(Call call) {
            String verb = call.operands().isEmpty() ? "" : call.operands().getFirst();
            if (List.of("control", "settle", "trigger").contains(verb)) {
                return Call.OK;
            }
            call.err().println(verb.isEmpty() ? "udevadm: missing command" : "Unknown command verb " + verb + ".");
            return 1;
        }
    }
}
