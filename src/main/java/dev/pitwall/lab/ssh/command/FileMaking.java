package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;

import java.util.Arrays;

/** Programs that make a file, or cut one. */
final class FileMaking {
    private FileMaking() {
    }

    static void install(Commands commands) {
        commands.add("touch", new Touch()).add("truncate", new Truncate()).add("mktemp", new MakeTemporary());
    }

    static final class Touch implements Command {
        @Override
        public int run(Call call) {
            Options options = Options.of(call, "cad:mr:t:", "no-create", "date=");
            if (options.refused()) {
                return options.refuse(1);
            }
            int status = Call.OK;
            for (String file : options.operands()) {
                status |= FileChanges.change(call, "cannot touch '" + file + "'", () -> {
                    String path = call.path(file);
                    if (call.files().exists(path)) {
                        call.machine().files().touched(path, call.machine().state().now());
                    } else if (!options.has("c", "no-create")) {
                        call.machine().files().write(path, new byte[0]);
                    }
                });
            }
            return status;
        }
    }

    static final class Truncate implements Command {
        @Override
        public int run(Call call) {
            Options options = Options.of(call, "s:c", "size=");
            if (options.refused()) {
                return options.refuse(1);
            }
            String size = options.value("s", "size").orElse("");
            if (!size.matches("\\d+")) {
                return call.fail(1, size.isEmpty()
                        ? "you must specify either \u2018--size\u2019 or \u2018--reference\u2019"
                        : "Invalid number: \u2018" + size + "\u2019");
            }
            return options.operands().stream().mapToInt(file -> FileChanges.change(call, "cannot open '" + file
                    + "' for writing",
                    () -> {
                        byte[] before = call.files().exists(call.path(file)) ? call.files().read(call.path(file))
                                : new byte[0];
                        call.machine().files().write(call.path(file),
                                Arrays.copyOf(before, Integer.parseInt(size)));
                    })).reduce(0, (a, b) -> a | b);
        }
    }

    static final class MakeTemporary implements Command {
        private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

        @Override
        public int run(Call call) {
            Options options = Options.of(call, "dqp:tu", "directory", "quiet", "tmpdir", "tmpdir=", "suffix=");
            if (options.refused()) {
                return options.refuse(1);
            }
            String folder = options.value("p", "tmpdir").orElse("/tmp");
            String template = options.operands().isEmpty() ? folder + "/tmp.XXXXXXXXXX" : options.operands().getFirst();
            if (options.value("p", "tmpdir").isPresent() && !template.startsWith("/")) {
                template = folder + "/" + template;
            }
            if (!template.contains("XXX")) {
                return call.fail(1, "too few X's in template \u2018" + template + "\u2019");
            }
            String name = filled(call, template);
            return FileChanges.change(call, "failed to create " + (options.has("d", "directory") ? "directory" : "file")
                    + " via template \u2018" + template + "\u2019", () -> {
                if (options.has("d", "directory")) {
                    call.machine().files().makeDirectory(call.path(name), 0700);
                } else {
                    call.machine().files().write(call.path(name), new byte[0]);
                    call.machine().files().chmod(call.path(name), 0600);
                }
                call.out().println(name);
            });
        }

        private static String filled(Call call, String template) {
            StringBuilder out = new StringBuilder(template);
            int end = template.lastIndexOf('X');
            call.machine().change((w, s) -> {
                for (int i = end; i >= 0 && out.charAt(i) == 'X'; i--) {
                    out.setCharAt(i, LETTERS.charAt(w.random().nextInt(LETTERS.length())));
                }
            });
            return out.toString();
        }
    }
}
