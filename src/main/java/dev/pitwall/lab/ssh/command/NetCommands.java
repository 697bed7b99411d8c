package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.FileTrouble;
import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;
import dev.pitwall.lab.world.Power;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Fetching a package source's files, which is all that this lab's internet has, and turning a key into a keyring. */
final class NetCommands {
    private static final int NO_HOST = 6;
    private static final int NOT_FOUND = 22;

    private NetCommands() {
    }

    static void install(Commands commands) {
        commands.add("curl", m -> m.system().has("curl") || m.kind() == MachineState.Kind.JUMP, new Curl())
                .add("wget", m -> m.system().has("curl"), new Wget()).add("gpg", m -> m.system().has("gnupg"),
                        new Gpg())
                .add("ping", new Ping());
    }

    /** What is at a URL: a line {@code URL|FILE} of {@code internet}; a final slash of the URL counts for all below it. */
    private static Optional<String> content(Call call, String url) {
        return call.machine().texts().list("internet").stream().map(line -> line.split("\\|"))
                .filter(line -> url.equals(line[0])).map(line -> call.machine().texts().file(line[1])).findFirst();
    }

    private static String host(String url) {
        return url.replaceFirst("^[a-z]+://", "").replaceFirst("[:/].*$", "");
    }

    private static boolean isKnown(Call call, String host) {
        return call.machine().texts().list("internet").stream().anyMatch(line -> host(line).equals(host));
    }

    static final class Curl implements Command {
        @Override
        public int run(Call call) throws IOException {
            Options options = Options.of(call, "fsSLo:OkIX:H:vd:", "fail", "silent", "show-error", "location",
                    "output=",
                    "remote-name", "insecure", "head", "request=", "header=", "max-time=", "retry=",
                            "connect-timeout=");
            if (options.refused() || options.operands().isEmpty()) {
                call.err().println("curl: try 'curl --help' or 'curl --manual' for more information");
                return 2;
            }
            for (String url : options.operands()) {
                Optional<String> content = content(call, url);
                if (content.isEmpty()) {
                    boolean quiet = options.has("s", "silent") && !options.has("S", "show-error");
                    boolean known = isKnown(call, host(url));
                    if (!quiet) {
                        call.err().println(known ? "curl: (22) The requested URL returned error: 404"
                                : "curl: (6) Could not resolve host: " + host(url));
                    }
                    return known ? NOT_FOUND : NO_HOST;
                }
                Optional<String> file = options.has("O", "remote-name")
                        ? Optional.of(url.substring(url.lastIndexOf('/') + 1)) : options.value("o", "output");
                if (file.isPresent()) {
                    call.machine().files().write(call.path(file.get()), content.get().getBytes(StandardCharsets.UTF_8));
                } else {
                    call.out().print(content.get());
                }
            }
            return Call.OK;
        }
    }

    static final class Wget implements Command {
        @Override
        public int run(Call call) throws IOException {
            Options options = Options.of(call, "qO:nvc", "quiet", "output-document=");
            if (options.refused() || options.operands().isEmpty()) {
                call.err().println("wget: missing URL");
                return 1;
            }
            String url = options.operands().getFirst();
            Optional<String> content = content(call, url);
            if (content.isEmpty()) {
                call.err().println(isKnown(call, host(url)) ? "ERROR 404: Not Found."
                        : "wget: unable to resolve host address \u2018"
                        + host(url) + "\u2019");
                return isKnown(call, host(url)) ? 8 : 4;
            }
            String file = options.value("O", "output-document").orElse(url.substring(url.lastIndexOf('/') + 1));
            if (file.equals("-")) {
                call.out().print(content.get());
            } else {
                call.machine().files().write(call.path(file), content.get().getBytes(StandardCharsets.UTF_8));
            }
            return Call.OK;
        }
    }

    /** {@code gpg --dearmor [-o FILE]}. */
    static final class Gpg implements Command {
        @Override
        public int run(Call call) throws IOException {
            Options options = Options.of(call, "o:", "dearmor", "yes", "batch", "output=", "no-tty");
            if (options.refused() || !options.has("", "dearmor")) {
                call.err().println("gpg: invalid option or no command supplied; this lab's gpg knows --dearmor");
                return 2;
            }
            String armored = options.operands().isEmpty() ? new String(call.in().readAllBytes(), StandardCharsets.UTF_8)
                    : read(call, options.operands().getFirst());
            if (!armored.contains("-----BEGIN PGP PUBLIC KEY BLOCK-----")) {
                call.err().println("gpg: no valid OpenPGP data found.");
                return 2;
            }
            byte[] key = Base64.getMimeDecoder().decode(String.join("", armored.lines()
                    .filter(line -> !line.startsWith("-----") && !line.contains(":")
                            && !line.startsWith("=")).toList()));
            Optional<String> file = options.value("o", "output");
            if (file.isEmpty()) {
                call.out().write(key);
                return Call.OK;
            }
            if (call.files().exists(call.path(file.get())) && !options.has("", "yes")) {
                call.err().println("gpg: dearmoring failed: File exists");
                return 2;
            }
            call.machine().files().write(call.path(file.get()), key);
            return Call.OK;
        }

        private static String read(Call call, String file) throws FileTrouble {
            return new String(call.files().read(call.path(file)), StandardCharsets.UTF_8);
        }
    }

    static final class Ping implements Command {
        @Override
        public int run(Call call) {
            List<String> hosts = call.operands().stream().filter(o -> !o.matches("\\d+")).toList();
            String host = hosts.isEmpty() ? "" : hosts.getLast();
            Optional<Boolean> answers = call.machine().look((w, s) -> {
                Optional<String> name = w.hosts.values().stream().filter(h -> h.name.equals(host)
                                || h.address.equals(host)).map(h -> h.name).findFirst()
                        .or(() -> w.nodes.values().stream().filter(n -> n.name.equals(host) || n.address.equals(host))
                                .map(n -> n.name).findFirst());
                return name.map(n -> Power.isOn(w, n));
            });
            if (answers.isEmpty()) {
                call.err().println("ping: " + host + ": Name or service not known");
                return 2;
            }
            call.out().println("1 packets transmitted, " + (answers.get() ? "1 received, 0%" : "0 received, 100%")
                    + " packet loss");
            return answers.get() ? Call.OK : 1;
        }
    }
}
