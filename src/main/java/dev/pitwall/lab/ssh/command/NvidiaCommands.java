package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.MachineState.CardView;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;

import java.util.ArrayList;
import java.util.List;

/** {@code nvidia-smi} in its usual forms, over the cards a loaded driver holds. */
final class NvidiaCommands {
    private static final String PROGRAM = "/usr/bin/nvidia-smi";

    private NvidiaCommands() {
    }

    /** The program comes with the driver's user space, which stays when the module fails. */
    static void install(Commands commands) {
        commands.add("nvidia-smi", m -> !m.driver().state().equals("absent") || !m.driver().version().isEmpty()
                || m.overlay().containsKey(PROGRAM), new NvidiaSmi())
                .add("nvidia-persistenced", m -> m.overlay().containsKey("/usr/bin/nvidia-persistenced"),
                        call -> call.machine().modules().insert("nvidia").isEmpty() ? Call.OK : 1);
    }

    static final class NvidiaSmi implements Command {
        private static final int NO_DRIVER = 9;
        private static final int MISMATCH = 18;
        private static final int BAD_ARGUMENT = 2;
        private static final int NO_DEVICE = 6;
        private static final int LOST = 15;

        @Override
        public int run(Call call) {
            if (call.machine().disk().containsKey(PROGRAM) && !call.machine().state().driver().loaded()) {
                // As root it loads the module itself, through nvidia-modprobe.
                call.machine().modules().insert("nvidia");
            }
            MachineState m = call.machine().state();
            String library = library(call, m);
            if (m.driver().loaded() && !library.isEmpty() && !library.equals(m.driver().version())) {
                call.out().println("Failed to initialize NVML: Driver/library version mismatch\nNVML library version: "
                        + library.replaceFirst("^(\\d+\\.\\d+).*$", "$1"));
                return MISMATCH;
            }
            if (!m.driver().loaded()) {
                call.out().println("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. "
                        + "Make sure that the latest NVIDIA driver is installed and running.\n");
                return NO_DRIVER;
            }
            if (m.cards().isEmpty()) {
                call.out().println("No devices were found");
                return NO_DEVICE;
            }
            List<CardView> cards = selected(call, m);
            NvidiaSmiText text = new NvidiaSmiText(m, call.machine().texts());
            String query = call.arguments().stream().filter(a -> a.startsWith("--query-gpu=")).findFirst().orElse("");
            if (!query.isEmpty()) {
                return query(call, m, cards, List.of(query.substring("--query-gpu=".length()).split(",")));
            }
            if (call.arguments().stream().anyMatch(a -> a.startsWith("--query-compute-apps="))) {
                return processes(call, cards);
            }
            if (call.has("-L") || call.has("--list-gpus")) {
                cards.forEach(c -> call.out().println(c.lost() ? lost(c) : "GPU " + m.cards().indexOf(c) + ": "
                        + c.product() + " (UUID: " + c.uuid() + ")"));
            } else if (call.has("-q") || call.has("-x")) {
                call.out().print(call.has("-x") ? text.xml(cards) : text.query(cards));
            } else if (cards.stream().anyMatch(CardView::lost)) {
                // The table is not printed at all once one card is gone.
                cards.stream().filter(CardView::lost).findFirst().ifPresent(c -> call.out().println(lost(c)));
            } else {
                call.out().print(text.table(cards));
            }
            return cards.stream().anyMatch(CardView::lost) && !call.has("-q") ? LOST : Call.OK;
        }

        /** Version of the installed NVML, which the module must have too; empty where a container brought both. */
        private static String library(Call call, MachineState m) {
            return m.system().packages().entrySet().stream().filter(p -> p.getKey().startsWith("libnvidia-compute"))
                    .map(p -> p.getValue().version().replaceFirst("-.*$", "")).findFirst().orElse("");
        }

        private static String lost(CardView c) {
            return "Unable to determine the device handle for GPU" + c.function().address()
                    + ": GPU is lost.  Reboot the system to recover this GPU";
        }

        private static List<CardView> selected(Call call, MachineState m) {
            int at = Math.max(call.arguments().indexOf("-i"), call.arguments().indexOf("--id"));
            if (at < 0 || at + 1 >= call.arguments().size()) {
                return m.cards();
            }
            String wanted = call.arguments().get(at + 1);
            return m.cards().stream().filter(c -> wanted.equals(Integer.toString(m.cards().indexOf(c)))
                    || wanted.equals(c.uuid()) || c.function().address().endsWith(wanted)).toList();
        }

        private static int query(Call call, MachineState m, List<CardView> cards, List<String> fields) {
            String format = call.arguments().stream().filter(a -> a.startsWith("--format=")).findFirst().orElse("");
            if (!format.contains("csv")) {
                call.out().println("\"--format=\" switch is missing. Please run 'nvidia-smi -h' for help.\n");
                return BAD_ARGUMENT;
            }
            NvidiaSmiFields table = new NvidiaSmiFields(m);
            for (String field : fields) {
                if (!NvidiaSmiFields.knows(field.strip())) {
                    call.out().println("Field \"" + field.strip() + "\" is not a valid field to query.\n");
                    return BAD_ARGUMENT;
                }
            }
            boolean units = !format.contains("nounits");
            if (!format.contains("noheader")) {
                call.out().println(String.join(", ", fields.stream()
                        .map(f -> NvidiaSmiFields.header(f.strip(), units)).toList()));
            }
            for (CardView card : cards) {
                List<String> values = new ArrayList<>();
                fields.forEach(f -> values.add(table.value(f.strip(), card, units)));
                call.out().println(String.join(", ", values));
            }
            return Call.OK;
        }

        private static int processes(Call call, List<CardView> cards) {
            boolean header = call.arguments().stream().noneMatch(a -> a.contains("noheader"));
            if (header) {
                call.out().println("pid, process_name, used_gpu_memory [MiB]");
            }
            for (CardView card : cards) {
                card.processes().forEach(p -> call.out().println(p.pid() + ", " + p.name() + ", " + p.usedMiB()
                        + " MiB"));
            }
            return Call.OK;
        }
    }
}
