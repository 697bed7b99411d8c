package dev.pitwall.lab.ssh;

import dev.pitwall.lab.ssh.shell.Shell;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * An interactive prompt. The client's terminal is raw, so echo, editing (backspace, Ctrl-U, Ctrl-W, Ctrl-C, Ctrl-D,
 * Ctrl-L) and the history on the arrow keys are done here.
 */
public final class Prompt {
    private static final int END_OF_INPUT = -1;
    private static final int CTRL_C = 3;
    private static final int CTRL_D = 4;
    private static final int CTRL_L = 12;
    private static final int CTRL_U = 21;
    private static final int CTRL_W = 23;
    private static final int ESCAPE = 27;
    private static final int BACKSPACE = 8;
    private static final int DELETE = 127;

    private final Shell shell;
    private final InputStream in;
    private final OutputStream raw;
    private final TerminalOutput out;
    private final Looks looks;
    private final List<String> history = new ArrayList<>();
    private boolean skipLineFeed;

    /**
     * What it shows besides what commands print.
     *
     * @param greeting before the first prompt
     * @param prompt   before each command
     * @param farewell at the end of input
     */
    public record Looks(String greeting, Function<Shell, String> prompt, String farewell) {
        /** Of a login on a machine of the lab. */
        static Looks login(Shell shell) {
            return new Looks("Linux " + shell.machine().name() + " " + shell.machine().state().kernel() + " x86_64\n\n"
                    + "This machine belongs to Pitwall's practice lab.\n", Looks::root, "logout\n");
        }

        private static String root(Shell shell) {
            String home = shell.variable("HOME");
            String directory = shell.directory();
            String shown = directory.equals(home) ? "~"
                    : directory.startsWith(home + "/") ? "~" + directory.substring(home.length()) : directory;
            return "root@" + shell.machine().name() + ":" + shown + "# ";
        }
    }

    Prompt(Shell shell, InputStream in, OutputStream raw) {
        this(shell, in, raw, Looks.login(shell));
    }

    public Prompt(Shell shell, InputStream in, OutputStream raw, Looks looks) {
        this.shell = shell;
        this.in = in;
        this.raw = raw;
        this.out = new TerminalOutput(raw);
        this.looks = looks;
    }

    /** Runs until {@code exit} or the end of input, and gives the last status. */
    public int run() throws IOException {
        print(looks.greeting());
        int status = 0;
        while (!shell.finished()) {
            Optional<String> line = command();
            if (line.isEmpty()) {
                print(looks.farewell());
                break;
            }
            if (!line.get().isBlank()) {
                history.add(line.get());
                status = shell.run(line.get(), InputStream.nullInputStream(), out, out);
            }
        }
        return status;
    }

    /** One whole command, which may take several lines. */
    private Optional<String> command() throws IOException {
        Optional<String> first = line(looks.prompt().apply(shell));
        if (first.isEmpty()) {
            return first;
        }
        StringBuilder text = new StringBuilder(first.get());
        while (Shell.isIncomplete(text.toString())) {
            Optional<String> more = line("> ");
            if (more.isEmpty()) {
                return Optional.of("");
            }
            text.append('\n').append(more.get());
        }
        return Optional.of(text.toString());
    }

    private Optional<String> line(String prompt) throws IOException {
        StringBuilder line = new StringBuilder();
        int past = history.size();
        print(prompt);
        while (true) {
            int c = in.read();
            boolean afterReturn = skipLineFeed;
            skipLineFeed = false;
            switch (c) {
                case END_OF_INPUT -> {
                    return Optional.empty();
                }
                case CTRL_D -> {
                    if (line.isEmpty()) {
                        return Optional.empty();
                    }
                }
                case '\r', '\n' -> {
                    if (c == '\n' && afterReturn) {
                        continue;
                    }
                    skipLineFeed = c == '\r';
                    print("\n");
                    return Optional.of(line.toString());
                }
                case CTRL_C -> {
                    print("^C\n");
                    return Optional.of("");
                }
                case CTRL_L -> print("\u001b[H\u001b[2J" + prompt + line);
                case CTRL_U -> replace(line, "", prompt);
                case CTRL_W -> replace(line, line.toString().replaceFirst("\\S*\\s*$", ""), prompt);
                case BACKSPACE, DELETE -> {
                    if (!line.isEmpty()) {
                        replace(line, line.substring(0, line.length() - 1), prompt);
                    }
                }
                case ESCAPE -> {
                    past = Math.clamp(past + arrow(), 0, history.size());
                    replace(line, past < history.size() ? history.get(past) : past == history.size()
                            && !history.isEmpty() ? "" : line.toString(), prompt);
                }
                default -> {
                    if (c >= ' ') {
                        line.append((char) c);
                        raw.write(c);
                        raw.flush();
                    }
                }
            }
        }
    }

    /** @return -1 for the up arrow, 1 for down, 0 for any other sequence */
    private int arrow() throws IOException {
        if (in.read() != '[') {
            return 0;
        }
        return switch (in.read()) {
            case 'A' -> -1;
            case 'B' -> 1;
            default -> 0;
        };
    }

    private void replace(StringBuilder line, String text, String prompt) throws IOException {
        line.setLength(0);
        line.append(text);
        print("\r\u001b[K" + prompt + text);
    }

    private void print(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
