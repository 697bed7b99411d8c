package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.FileTrouble;
import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.kernel.Initramfs;
import dev.pitwall.lab.ssh.kernel.Kernels;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;
import dev.pitwall.lab.ssh.shell.Shell;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Programs that stage what the next boot takes: the initramfs, GRUB's menu, the ESP. */
final class BootCommands {
    private BootCommands() {
    }

    static void install(Commands commands) {
        commands.add("update-initramfs", BootCommands::boots, new UpdateInitramfs())
                .add("lsinitramfs", BootCommands::boots, new ListInitramfs())
                .add("update-grub", BootCommands::boots, new UpdateGrub())
                .add("update-grub2", BootCommands::boots, new UpdateGrub())
                .add("grub-mkconfig", BootCommands::boots, new UpdateGrub())
                .add("proxmox-boot-tool", MachineState::isProxmox, new BootTool())
                .add("efibootmgr", BootCommands::boots, new EfiBootMgr());
    }

    private static boolean boots(MachineState m) {
        return m.kind() != MachineState.Kind.JUMP;
    }

    static final class UpdateInitramfs implements Command {
        @Override
        public int run(Call call) throws IOException {
            Options options = Options.of(call, "uck:dv", "kernel=");
            if (options.refused()) {
                return options.refuse(1);
            }
            if (!options.has("u", "") && !options.has("c", "") && !options.has("d", "")) {
                call.err().println("You must specify at least one of -c, -u, or -d.");
                return 1;
            }
            List<String> installed = Kernels.installed(call.machine().disk());
            String wanted = options.value("k", "kernel").orElse(installed.isEmpty() ? "" : installed.getFirst());
            List<String> kernels = wanted.equals("all") ? installed : List.of(wanted);
            for (String kernel : kernels) {
                if (!installed.contains(kernel)) {
                    call.err().println("update-initramfs: /boot/initrd.img-" + kernel + " has been altered.\n"
                            + "update-initramfs: Cannot update.");
                    return 1;
                }
                call.out().println("update-initramfs: Generating /boot/initrd.img-" + kernel);
                call.machine().disk((files, s) -> s.images.put(kernel, Initramfs.of(files)));
            }
            if (call.machine().state().isProxmox()) {
                call.out().println("Running hook script 'zz-proxmox-boot'..");
                BootTool.sync(call);
            }
            return Call.OK;
        }
    }

    static final class ListInitramfs implements Command {
        @Override
        public int run(Call call) {
            int status = Call.OK;
            for (String file : call.operands()) {
                String kernel = file.replaceFirst("^.*initrd\\.img-", "");
                var image = call.machine().look((w, s) -> s.images.containsKey(kernel)
                        ? List.copyOf(new TreeMap<>(s.images.get(kernel)).keySet()) : List.<String>of());
                if (!call.files().exists(call.path(file))) {
                    call.err().println("lsinitramfs: Specified file could not be read.");
                    status = 1;
                    continue;
                }
                List.of(".", "bin", "conf", "etc", "etc/modprobe.d", "init", "kernel", "scripts", "usr")
                        .forEach(call.out()::println);
                image.forEach(path -> call.out().println(path.substring(1)));
            }
            return status;
        }
    }

    static final class UpdateGrub implements Command {
        @Override
        public int run(Call call) throws IOException {
            if (call.shortName().equals("grub-mkconfig") && !call.has("-o")) {
                call.out().print(config(call));
                return Call.OK;
            }
            call.err().println("Generating grub configuration file ...");
            String config = config(call);
            for (String kernel : Kernels.installed(call.machine().disk())) {
                call.err().println("Found linux image: /boot/vmlinuz-" + kernel
                        + "\nFound initrd image: /boot/initrd.img-"
                        + kernel);
            }
            String problem = Problems.of(call);
            if (!problem.isEmpty()) {
                call.err().print(problem);
                return 1;
            }
            call.machine().disk((files, s) -> {
                files.put(Kernels.GRUB_CONFIG, config.getBytes(StandardCharsets.UTF_8));
                s.removed.remove(Kernels.GRUB_CONFIG);
            });
            if (call.machine().state().firmware().efi()) {
                call.err().println("Adding boot menu entry for UEFI Firmware Settings ...");
            }
            call.err().println("done");
            return Call.OK;
        }

        static String config(Call call) throws IOException {
            Shell shell = sourced(call, OutputStream.nullOutputStream());
            String options = shell.variable("GRUB_CMDLINE_LINUX") + " " + shell.variable("GRUB_CMDLINE_LINUX_DEFAULT");
            MachineState m = call.machine().state();
            String running = Kernels.isGrub(m.commandLine()) ? m.commandLine()
                    : "BOOT_IMAGE=/boot/vmlinuz-" + m.kernel() + " " + m.commandLine();
            return Kernels.grubConfig(shell.variable("GRUB_DISTRIBUTOR"), Kernels.installed(call.machine().disk()),
                    running, options);
        }

        /** The files are shell scripts, and so are read by one. */
        private static Shell sourced(Call call, OutputStream err) throws IOException {
            Shell shell = new Shell(call.machine(), call.shell().commands());
            Map<String, byte[]> sources = new TreeMap<>();
            call.machine().disk().forEach((path, bytes) -> {
                if (path.equals("/etc/default/grub") || path.matches("/etc/default/grub\\.d/[^/]+\\.cfg")) {
                    sources.put(path, bytes);
                }
            });
            for (byte[] script : sources.values()) {
                shell.run(new String(script, StandardCharsets.UTF_8), InputStream.nullInputStream(),
                        OutputStream.nullOutputStream(), err);
            }
            return shell;
        }

        /** What a shell says of files it cannot read. */
        private static final class Problems {
            static String of(Call call) throws IOException {
                ByteArrayOutputStream err = new ByteArrayOutputStream();
                sourced(call, err);
                return err.toString(StandardCharsets.UTF_8).replace("bash: ", "/usr/sbin/grub-mkconfig: ");
            }
        }
    }

    /** Where the tool manages no ESP it fails, and that is normal (facts: proxmox.md 2.2). */
    static final class BootTool implements Command {
        @Override
        public int run(Call call) throws IOException {
            List<String> o = call.operands();
            String verb = o.isEmpty() ? "" : o.getFirst();
            return switch (verb) {
                case "status" -> status(call);
                case "refresh" -> sync(call);
                case "kernel" -> kernel(call, o.subList(1, o.size()));
                case "" -> usage(call, "E: no command specified");
                default -> usage(call, "E: Unknown (sub)command '" + verb + "'");
            };
        }

        private static int usage(Call call, String problem) {
            call.err().println("USAGE: /usr/sbin/proxmox-boot-tool <commands> [ARGS]\n");
            call.err().println(problem);
            return 1;
        }

        private static int status(Call call) {
            MachineState m = call.machine().state();
            call.err().println("Re-executing '/usr/sbin/proxmox-boot-tool' in new private mount namespace..");
            call.out().println("System currently booted with " + (m.firmware().efi() ? "uefi" : "legacy bios"));
            if (!call.files().exists(Kernels.ESP_LIST)) {
                call.err().println("E: /etc/kernel/proxmox-boot-uuids does not exist.");
                return 2;
            }
            call.out().println(call.machine().texts().value("esp-uuid") + " is configured with: "
                    + (Kernels.isGrub(m.commandLine()) ? "grub" : "uefi") + " (versions: "
                    + String.join(", ", Kernels.installed(call.machine().disk()).reversed()) + ")");
            return Call.OK;
        }

        /** Brings kernels, images and the command line to the ESPs that it manages. */
        static int sync(Call call) throws IOException {
            call.out().println("Re-executing '/etc/kernel/postinst.d/zz-proxmox-boot' in new private mount namespace..");
            if (!call.files().exists(Kernels.ESP_LIST)) {
                call.out().println("No /etc/kernel/proxmox-boot-uuids found, skipping ESP sync.");
                return Call.OK;
            }
            MachineState m = call.machine().state();
            List<String> kernels = Kernels.installed(call.machine().disk());
            call.out().println("Copying and configuring kernels on /dev/disk/by-uuid/"
                    + call.machine().texts().value("esp-uuid"));
            if (Kernels.isGrub(m.commandLine())) {
                String config = UpdateGrub.config(call);
                call.machine().disk((files, s) -> files.put(Kernels.GRUB_CONFIG,
                        config.getBytes(StandardCharsets.UTF_8)));
                return Call.OK;
            }
            String line = commandLine(call);
            call.machine().change((w, s) -> {
                s.espEntries.clear();
                kernels.forEach(kernel -> s.espEntries.put(kernel, line));
            });
            kernels.reversed().forEach(kernel -> call.out().println("\tCopying kernel and creating boot-entry for "
                    + kernel));
            return Call.OK;
        }

        /** Only the file's first line counts. */
        private static String commandLine(Call call) {
            try {
                return new String(call.files().read(Kernels.ESP_COMMAND_LINE), StandardCharsets.UTF_8).lines()
                        .findFirst().orElse("").strip();
            } catch (FileTrouble e) {
                return "";
            }
        }

        private static int kernel(Call call, List<String> words) throws IOException {
            List<String> installed = Kernels.installed(call.machine().disk());
            String verb = words.isEmpty() ? "" : words.getFirst();
            switch (verb) {
                case "list" -> {
                    call.out().println("Manually selected kernels:\nNone.\n\nAutomatically selected kernels:");
                    installed.reversed().forEach(call.out()::println);
                    return Call.OK;
                }
                case "pin" -> {
                    if (words.size() < 2 || !installed.contains(words.get(1))) {
                        call.err().println("E: No kernel image found matching version '"
                                + (words.size() < 2 ? "" : words.get(1)) + "'.");
                        return 1;
                    }
                    call.machine().files().write(Kernels.PIN, (words.get(1) + "\n").getBytes(StandardCharsets.UTF_8));
                    call.out().println("Setting '" + words.get(1) + "' as grub default entry and running update-grub.");
                    return Call.OK;
                }
                case "unpin" -> {
                    if (call.files().exists(Kernels.PIN)) {
                        call.machine().files().remove(Kernels.PIN);
                        call.out().println("Removed " + Kernels.PIN + ".");
                    }
                    return Call.OK;
                }
                default -> {
                    return usage(call, "E: Unknown (sub)command 'kernel " + verb + "'");
                }
            }
        }
    }

    static final class EfiBootMgr implements Command {
        @Override
        public int run(Call call) {
            Options options = Options.of(call, "vuqb:", "verbose", "unicode", "quiet");
            if (options.refused()) {
                return options.refuse(1);
            }
            MachineState m = call.machine().state();
            if (!m.firmware().efi()) {
                call.err().println("EFI variables are not supported on this system.");
                return 2;
            }
            boolean grub = Kernels.isGrub(m.commandLine());
            String entry = m.isProxmox() ? grub ? "proxmox" : "Linux Boot Manager" : "ubuntu";
            String loader = m.isProxmox() ? grub ? "\\EFI\\PROXMOX\\SHIMX64.EFI" : "\\EFI\\SYSTEMD\\SYSTEMD-BOOTX64.EFI"
                    : "\\EFI\\UBUNTU\\SHIMX64.EFI";
            call.out().println("BootCurrent: 0001\nTimeout: 1 seconds\nBootOrder: 0001\nBoot0001* " + entry
                    + (options.has("v", "verbose") ? "\tHD(2,GPT)/File(" + loader + ")" : ""));
            return Call.OK;
        }
    }
}
