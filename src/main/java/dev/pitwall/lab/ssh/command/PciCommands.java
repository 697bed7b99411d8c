package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.PciBars;
import dev.pitwall.lab.ssh.PciView;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** {@code lspci} with the options that a walk to a card needs. */
final class PciCommands {
    private PciCommands() {
    }

    static void install(Commands commands) {
        commands.add("lspci", m -> m.kind() != MachineState.Kind.JUMP, new Lspci());
    }

    static final class Lspci implements Command {
        /** {@code -n} numbers only, {@code -nn} both. */
        private enum Naming { NAMES, NUMBERS, BOTH }

        @Override
        public int run(Call call) {
            Predicate<PciView> wanted = p -> true;
            Naming naming = Naming.NAMES;
            boolean kernel = false;
            boolean domain = false;
            boolean verbose = false;
            List<String> a = call.arguments();
            for (int i = 0; i < a.size(); i++) {
                String word = a.get(i);
                if (!word.startsWith("-") || word.length() < 2) {
                    return call.fail(1, "Unknown argument: " + word);
                }
                for (int j = 1; j < word.length(); j++) {
                    char option = word.charAt(j);
                    switch (option) {
                        case 'n' -> naming = naming == Naming.NUMBERS ? Naming.BOTH : Naming.NUMBERS;
                        case 'k' -> kernel = true;
                        case 'D' -> domain = true;
                        case 'v' -> verbose = true;
                        case 'q', 'Q', 'P' -> { }
                        case 's', 'd' -> {
                            String value = j + 1 < word.length() ? word.substring(j + 1)
                                    : i + 1 < a.size() ? a.get(++i) : "";
                            Optional<Predicate<PciView>> filter = option == 's' ? slot(value) : device(value);
                            if (filter.isEmpty()) {
                                return call.fail(1, (option == 's' ? "-s: Invalid slot number"
                                        : "-d: Invalid vendor ID"));
                            }
                            wanted = wanted.and(filter.get());
                            j = word.length();
                        }
                        default -> {
                            call.err().println("lspci: invalid option -- '" + option + "'");
                            return 1;
                        }
                    }
                }
            }
            for (PciView p : call.machine().state().pci()) {
                if (wanted.test(p)) {
                    print(call, p, naming, kernel, domain, verbose);
                }
            }
            return Call.OK;
        }

        /** {@code [[domain:]bus:]device[.function]}. */
        private static Optional<Predicate<PciView>> slot(String text) {
            if (!text.matches("(([0-9a-fA-F]{1,4}:)?[0-9a-fA-F]{1,2}:)?([0-9a-fA-F]{1,2})?(\\.[0-7*])?")) {
                return Optional.empty();
            }
            String function = text.contains(".") ? text.substring(text.indexOf('.') + 1) : "*";
            String[] parts = text.replaceFirst("\\..*", "").split(":", -1);
            return Optional.of(p -> {
                String[] own = p.slot().split(":");
                for (int i = 1; i <= parts.length; i++) {
                    String want = parts[parts.length - i];
                    if (!want.isEmpty() && Integer.parseInt(want, 16) != Integer.parseInt(own[own.length - i], 16)) {
                        return false;
                    }
                }
                return function.equals("*") || p.address().endsWith("." + function);
            });
        }

        /** {@code [vendor]:[device][:class]}. */
        private static Optional<Predicate<PciView>> device(String text) {
            if (!text.matches("[0-9a-fA-F]{0,4}:[0-9a-fA-F]{0,4}(:[0-9a-fA-F]{0,4})?")) {
                return Optional.empty();
            }
            String[] parts = text.toLowerCase(Locale.ROOT).split(":", -1);
            return Optional.of(p -> (parts[0].isEmpty() || p.vendorId().equals(parts[0]))
                    && (parts[1].isEmpty() || p.deviceId().equals(parts[1]))
                    && (parts.length < 3 || p.classCode().startsWith(parts[2])));
        }

        private static void print(Call call, PciView p, Naming naming, boolean kernel, boolean domain,
                                  boolean verbose) {
            StringBuilder line = new StringBuilder(domain ? p.address() : p.shortAddress()).append(' ');
            String type = p.classCode().substring(0, 4);
            String ids = p.vendorId() + ":" + p.deviceId();
            line.append(switch (naming) {
                case NAMES -> p.className() + ": " + named(p);
                case NUMBERS -> type + ": " + ids;
                case BOTH -> p.className() + " [" + type + "]: " + named(p) + " [" + ids + "]";
            });
            if (!p.revision().equals("00")) {
                line.append(" (rev ").append(p.revision()).append(')');
            }
            String interfaceCode = p.classCode().substring(4);
            if (verbose && p.classCode().startsWith("0300") && interfaceCode.equals("00")) {
                line.append(" (prog-if 00 [VGA controller])");
            }
            call.out().println(line);
            if (verbose && p.gone()) {
                call.out().println("\t!!! Unknown header type 7f");
            }
            if (kernel || verbose) {
                details(call, p, naming, verbose);
            }
            if (verbose) {
                call.out().println();
            }
        }

        private static String named(PciView p) {
            return p.vendorName().isEmpty() ? "Device " + p.vendorId() + ":" + p.deviceId()
                    : p.vendorName() + " " + (p.deviceName().isEmpty() ? "Device" : p.deviceName());
        }

        private static void details(Call call, PciView p, Naming naming, boolean verbose) {
            if (!p.subsystemVendor().isEmpty() && !p.gone()) {
                String ids = p.subsystemVendor() + ":" + p.subsystemDevice();
                boolean known = !p.subsystemName().isEmpty();
                String maker = p.subsystemVendor().equals(p.vendorId()) ? p.vendorName() + " " : "";
                String name = known ? p.subsystemName() : maker + "Device";
                call.out().println("\tSubsystem: " + switch (naming) {
                    case NAMES -> known ? name : name + " " + (maker.isEmpty() ? ids : p.subsystemDevice());
                    case NUMBERS -> ids;
                    case BOTH -> name + " [" + ids + "]";
                });
            }
            if (verbose && !p.gone()) {
                call.out().println("\tFlags: " + (p.driver().isEmpty() ? "fast devsel" : "bus master, fast devsel, "
                        + "latency 0") + (p.iommuGroup() >= 0 ? ", IOMMU group " + p.iommuGroup() : ""));
                call.out().print(PciBars.of(p).verbose());
            }
            if (!p.driver().isEmpty()) {
                call.out().println("\tKernel driver in use: " + p.driver());
            }
            List<String> modules = new ArrayList<>(p.modules());
            if (!modules.isEmpty()) {
                call.out().println("\tKernel modules: " + String.join(", ", modules));
            }
        }
    }
}
