package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.FileTrouble;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/** Programs that print files, or standard input, as they are or in part. */
final class TextReading {
    private TextReading() {
    }

    static void install(Commands commands) {
        commands.add("cat", new Cat()).add("head", new Ends(true)).add("tail", new Ends(false)).add("wc", new Count())
                .add("sha256sum", new Digest("SHA-256")).add("md5sum", new Digest("MD5")).add("tee", new Tee())
                .add("base64", new Base64Text());
    }

    static final class Cat implements Command {
        @Override
        public int run(Call call) throws IOException {
            Options options = Options.of(call, "AbeEnstTuv", "number", "show-all", "show-nonprinting");
            if (options.refused()) {
                return options.refuse(1);
            }
            Inputs inputs = new Inputs(call, call.operands());
            for (Inputs.Input input : inputs.inputs) {
                call.out().write(input.content());
            }
            return inputs.status;
        }
    }

    /** {@code head} and {@code tail}: {@code -n N}, {@code -N}, {@code -c N}. */
    static final class Ends implements Command {
        private final boolean first;

        Ends(boolean first) {
            this.first = first;
        }

        @Override
        public int run(Call call) throws IOException {
            int count = 10;
            boolean bytes = false;
            boolean fromStart = false;
            List<String> operands = new ArrayList<>();
            List<String> arguments = call.arguments();
            for (int i = 0; i < arguments.size(); i++) {
                String a = arguments.get(i);
                if (a.equals("-n") || a.equals("-c")) {
                    bytes = a.equals("-c");
                    a = i + 1 < arguments.size() ? "-" + arguments.get(++i) : "-10";
                } else if (!a.startsWith("-")) {
                    operands.add(a);
                    continue;
                }
                String digits = a.replaceFirst("^-[nc]?", "");
                fromStart = digits.startsWith("+");
                if (!digits.matches("[+-]?\\d+")) {
                    return call.fail(1, "invalid option -- '" + digits + "'");
                }
                count = Math.abs(Integer.parseInt(digits));
            }
            Inputs inputs = new Inputs(call, operands);
            for (Inputs.Input input : inputs.inputs) {
                if (inputs.inputs.size() > 1) {
                    call.out().println("==> " + input.name() + " <==");
                }
                print(call, input, count, bytes, fromStart);
            }
            return inputs.status;
        }

        private void print(Call call, Inputs.Input input, int count, boolean bytes, boolean fromStart) {
            if (bytes) {
                int n = Math.min(count, input.content().length);
                call.out().write(input.content(), first ? 0 : input.content().length - n, n);
                return;
            }
            List<String> lines = input.lines();
            int n = Math.min(count, lines.size());
            List<String> shown = first ? lines.subList(0, n)
                    : fromStart ? lines.subList(Math.max(0, Math.min(count - 1, lines.size())), lines.size())
                    : lines.subList(lines.size() - n, lines.size());
            shown.forEach(call.out()::println);
        }
    }

    static final class Count implements Command {
        @Override
        public int run(Call call) throws IOException {
            Options options = Options.of(call, "clmwL", "bytes", "chars", "lines", "words");
            if (options.refused()) {
                return options.refuse(1);
            }
            Inputs inputs = new Inputs(call, call.operands());
            boolean all = !call.has('l') && !call.has('w') && !call.has('c');
            for (Inputs.Input input : inputs.inputs) {
                String text = new String(input.content(), StandardCharsets.UTF_8);
                List<String> parts = new ArrayList<>();
                if (all || call.has('l')) {
                    parts.add(Long.toString(text.chars().filter(c -> c == '\n').count()));
                }
                if (all || call.has('w')) {
                    parts.add(Integer.toString(text.isBlank() ? 0 : text.strip().split("\\s+").length));
                }
                if (all || call.has('c')) {
                    parts.add(Integer.toString(input.content().length));
                }
                if (!input.name().equals("-")) {
                    parts.add(input.name());
                }
                call.out().println(String.join(" ", parts));
            }
            return inputs.status;
        }
    }

    static final class Digest implements Command {
        private final String algorithm;

        Digest(String algorithm) {
            this.algorithm = algorithm;
        }

        @Override
        public int run(Call call) throws IOException {
            Inputs inputs = new Inputs(call, call.operands());
            for (Inputs.Input input : inputs.inputs) {
                try {
                    byte[] digest = MessageDigest.getInstance(algorithm).digest(input.content());
                    call.out().println(HexFormat.of().formatHex(digest) + "  " + input.name());
                } catch (NoSuchAlgorithmException e) {
                    throw new IllegalStateException("every JDK has " + algorithm, e);
                }
            }
            return inputs.status;
        }
    }

    static final class Tee implements Command {
        @Override
        public int run(Call call) throws IOException {
            byte[] content = call.in().readAllBytes();
            call.out().write(content);
            int status = Call.OK;
            for (String file : call.operands()) {
                try {
                    String path = call.path(file);
                    if (path.equals("/dev/null")) {
                        continue;
                    }
                    byte[] before = call.has('a') && call.files().exists(path) ? call.files().read(path) : new byte[0];
                    byte[] all = new byte[before.length + content.length];
                    System.arraycopy(before, 0, all, 0, before.length);
                    System.arraycopy(content, 0, all, before.length, content.length);
                    call.machine().files().write(path, all);
                } catch (FileTrouble e) {
                    status = call.fail(1, file + ": " + e.why().words());
                }
            }
            return status;
        }
    }

    static final class Base64Text implements Command {
        @Override
        public int run(Call call) throws IOException {
            Inputs inputs = new Inputs(call, call.operands());
            for (Inputs.Input input : inputs.inputs) {
                if (call.has('d')) {
                    call.out().writeBytes(Base64.getMimeDecoder().decode(input.content()));
                } else {
                    call.out().println(Base64.getMimeEncoder(call.has("-w0") ? 0 : 76, new byte[] {'\n'})
                            .encodeToString(input.content()));
                }
            }
            return inputs.status;
        }
    }
}
