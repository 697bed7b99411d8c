package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.FileTrouble;
import dev.pitwall.lab.ssh.FileView;
import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.PciView;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;
import dev.pitwall.lab.ssh.software.Dkms;
import dev.pitwall.lab.world.LabSystem.NvidiaModule;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Programs about drivers as such: DKMS, Secure Boot keys, driverctl, the choice of an NVIDIA package. */
final class DriverCommands {
    private DriverCommands() {
    }

    static void install(Commands commands) {
        commands.add("dkms", m -> m.system().has("dkms"), new DkmsCommand())
                .add("mokutil", m -> m.kind() != MachineState.Kind.JUMP, new Mokutil())
                .add("driverctl", m -> m.system().has("driverctl"), new DriverCtl())
                .add("ubuntu-drivers", m -> m.system().has("ubuntu-drivers-common"), new UbuntuDrivers());
    }

    /** {@code dkms status|autoinstall|build|install|remove}. */
    static final class DkmsCommand implements Command {
        @Override
        public int run(Call call) throws IOException {
            Options options = Options.of(call, "m:v:k:a:q", "all", "force", "kernelsourcedir=");
            if (options.refused()) {
                return options.refuse(1);
            }
            Dkms dkms = new Dkms(call.machine());
            String verb = options.operands().isEmpty() ? "status" : options.operands().getFirst();
            MachineState m = call.machine().state();
            String kernel = options.value("k", "").orElse(m.kernel()).replaceFirst("/x86_64$", "");
            switch (verb) {
                case "status" -> {
                    return status(call, dkms, m);
                }
                case "autoinstall" -> {
                    dkms.autoinstall(call.out());
                    return Call.OK;
                }
                case "build", "install" -> {
                    return build(call, dkms, kernel);
                }
                case "remove", "uninstall" -> {
                    dkms.remove(kernel);
                    return Call.OK;
                }
                default -> {
                    call.err().println("Error! Unknown action specified: \"" + verb + "\"");
                    return 3;
                }
            }
        }

        private static int status(Call call, Dkms dkms, MachineState m) {
            Optional<NvidiaModule> source = dkms.source();
            List<String> built = m.system().nvidiaModules().entrySet().stream().filter(e -> e.getValue().dkms())
                    .sorted(Map.Entry.comparingByKey())
                    .map(e -> "nvidia/" + e.getValue().version() + ", " + e.getKey() + ", x86_64: installed").toList();
            built.forEach(call.out()::println);
            if (built.isEmpty() && source.isPresent()) {
                call.out().println("nvidia/" + source.get().version() + ": added");
            }
            return Call.OK;
        }

        private static int build(Call call, Dkms dkms, String kernel) throws IOException {
            Optional<NvidiaModule> source = dkms.source();
            if (source.isEmpty()) {
                call.err().println("Error! Could not find module source directory.\nDirectory: /usr/src/nvidia does not exist.");
                return 2;
            }
            if (!dkms.hasHeaders(kernel)) {
                call.err().println("Error! Your kernel headers for kernel " + kernel
                        + " cannot be found at /lib/modules/"
                        + kernel + "/build or /lib/modules/" + kernel + "/source.\nPlease install the linux-headers-"
                        + kernel + " package or use the --kernelsourcedir option to tell DKMS where it's located.");
                return 1;
            }
            dkms.build(kernel, source.get(), call.out());
            return Call.OK;
        }
    }

    /** Keys are only asked for here; somebody at the console has to agree at the next boot (facts: cluster.md 6). */
    static final class Mokutil implements Command {
        @Override
        public int run(Call call) throws IOException {
            Options options = Options.of(call, "ilNxP", "sb-state", "import=", "list-new", "list-enrolled", "root-pw",
                    "test-key=", "revoke-import", "hash-file=");
            if (options.refused()) {
                return options.refuse(1);
            }
            MachineState m = call.machine().state();
            if (!m.firmware().efi()) {
                call.err().println("EFI variables are not supported on this system");
                return 1;
            }
            if (options.has("", "sb-state")) {
                call.out().println(m.firmware().secureBoot() ? "SecureBoot enabled" : "SecureBoot disabled");
            } else if (options.has("", "list-new") || options.has("N", "")) {
                call.machine().look((w, s) -> List.copyOf(s.ownerKeysAsked)).forEach(key ->
                        call.out().println("[key 1]\n        Subject: CN=" + key));
            } else if (options.has("l", "list-enrolled")) {
                m.system().ownerKeys().forEach(key -> call.out().println("[key 1]\n        Subject: CN=" + key));
            } else if (options.value("", "test-key").isPresent()) {
                boolean enrolled = m.system().ownerKeys().contains(Dkms.signer(call.machine().name()));
                call.out().println(options.value("", "test-key").get() + (enrolled ? " is already enrolled" : " is not enrolled"));
            } else if (options.has("", "revoke-import")) {
                call.machine().change((w, s) -> s.ownerKeysAsked.clear());
            } else if (options.value("", "import").isPresent()) {
                return ask(call, options);
            } else {
                call.err().println("Usage:\n  mokutil OPTIONS [ARGS...]");
                return 1;
            }
            return Call.OK;
        }

        private static int ask(Call call, Options options) throws IOException {
            String file = options.value("", "import").orElseThrow();
            if (!call.files().exists(call.path(file))) {
                call.err().println("Failed to get file status, " + file);
                return 1;
            }
            if (!options.has("P", "root-pw") && options.value("", "hash-file").isEmpty()) {
                call.out().print("input password: ");
                String first = line(call);
                call.out().print("\ninput password again: ");
                String second = line(call);
                call.out().println();
                if (first.isEmpty() || !first.equals(second)) {
                    call.err().println(first.isEmpty() ? "Abort" : "password doesn't match");
                    return 1;
                }
            }
            call.machine().change((w, s) -> s.ownerKeysAsked.add(Dkms.signer(call.machine().name())));
            return Call.OK;
        }

        private static String line(Call call) throws IOException {
            StringBuilder line = new StringBuilder();
            for (int c = call.in().read(); c >= 0 && c != '\n' && c != '\r'; c = call.in().read()) {
                line.append((char) c);
            }
            return line.toString();
        }
    }

    /** {@code driverctl list-devices|list-overrides|set-override|unset-override}. */
    static final class DriverCtl implements Command {
        private static final String FOLDER = "/etc/driverctl.d";

        @Override
        public int run(Call call) {
            List<String> o = call.operands();
            String verb = o.isEmpty() ? "list-devices" : o.getFirst();
            MachineState m = call.machine().state();
            try {
                switch (verb) {
                    case "list-devices" -> m.pci().forEach(p -> call.out().println(p.address() + " "
                            + (p.driver().isEmpty() ? "(none)" : p.driver()) + (p.override().isEmpty() ? "" : " [*]")));
                    case "list-overrides" -> m.pci().stream().filter(p -> !p.override().isEmpty())
                            .forEach(p -> call.out().println(p.address() + " " + p.override()));
                    case "set-override", "unset-override" -> {
                        return override(call, m, verb.startsWith("set"), o);
                    }
                    default -> {
                        return call.fail(1, "unknown command: " + verb);
                    }
                }
                return Call.OK;
            } catch (FileTrouble e) {
                return call.fail(1, "failed to bind device " + (o.size() > 1 ? o.get(1) : "") + ": " + e.why().words());
            }
        }

        private static int override(Call call, MachineState m, boolean sets, List<String> o) throws FileTrouble {
            if (o.size() < (sets ? 3 : 2)) {
                return call.fail(1, "device and driver expected");
            }
            Optional<PciView> device = m.function(o.get(1));
            if (device.isEmpty()) {
                return call.fail(1, "no such device: " + o.get(1));
            }
            String address = device.get().address();
            String driver = sets ? o.get(2) : "";
            if (!call.files().exists(FOLDER)) {
                call.machine().files().makeDirectory(FOLDER, 0755);
            }
            if (sets) {
                call.machine().modules().insert(driver);
                call.machine().files().write(FOLDER + "/" + address, (driver + "\n").getBytes(StandardCharsets.UTF_8));
            } else if (call.files().exists(FOLDER + "/" + address)) {
                call.machine().files().remove(FOLDER + "/" + address);
            }
            String folder = "/sys/bus/pci/devices/" + address;
            if (!device.get().driver().isEmpty()) {
                write(call, folder + "/driver/unbind", address);
            }
            call.machine().pciControls().write(call.files().resolve(folder, FileView.Follow.YES)
                    + "/driver_override", driver);
            write(call, "/sys/bus/pci/drivers_probe", address);
            return Call.OK;
        }

        private static void write(Call call, String path, String text) throws FileTrouble {
            call.machine().files().write(path, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** {@code ubuntu-drivers list|devices|install [--gpgpu]}. */
    static final class UbuntuDrivers implements Command {
        @Override
        public int run(Call call) throws IOException {
            boolean server = call.has("--gpgpu");
            MachineState m = call.machine().state();
            List<String> names = m.pci().stream().anyMatch(PciView::isNvidiaDisplay)
                    ? call.machine().catalog().all(m.osId(), m.kernel()).stream().map(e -> e.name())
                    .filter(n -> n.matches("nvidia-driver-\\d+" + (server ? "-server" : "") + "(-open)?")).distinct()
                    .sorted(Comparator.reverseOrder()).toList() : List.of();
            String verb = call.operands().isEmpty() ? "" : call.operands().getFirst();
            switch (verb) {
                case "list" -> names.forEach(call.out()::println);
                case "devices" -> names.forEach(n -> call.out().println("driver   : " + n + " - distro non-free"
                        + (n.equals(recommended(names)) ? " recommended" : "")));
                case "install", "autoinstall" -> {
                    if (names.isEmpty()) {
                        call.out().println("No drivers found for installation.");
                        return Call.OK;
                    }
                    return ShellPrograms.runNamed(call, List.of("apt-get", "install", "-y", recommended(names)));
                }
                default -> {
                    call.err().println("Usage: ubuntu-drivers [OPTIONS] COMMAND [ARGS]...");
                    return 2;
                }
            }
            return Call.OK;
        }

        private static String recommended(List<String> names) {
            return names.stream().filter(n -> n.endsWith("-open")).findFirst().orElse(names.getFirst());
        }
    }
}
