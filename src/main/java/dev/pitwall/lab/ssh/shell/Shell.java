package dev.pitwall.lab.ssh.shell;

import dev.pitwall.lab.ssh.FileView;
import dev.pitwall.lab.ssh.Machine;
import dev.pitwall.lab.ssh.shell.Syntax.Redirect;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A small POSIX-like shell for one session on one machine: quoting, lists, pipes, redirections, variables, globs,
 * {@code for}, {@code while}, {@code if}, groups, here-documents and command substitution. Stages of a pipe run one
 * after the other.
 */
public final class Shell {
    private static final int SYNTAX_ERROR = 2;
    private static final int NOT_FOUND = 127;
    private static final int NOT_EXECUTABLE = 126;

    /** Ends the shell from within {@link #run}. */
    private static final class Exit extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final int status;

        Exit(int status) {
            super(null, null, false, false);
            this.status = status;
        }
    }

    /** Goes out of loops from within. */
    private static final class Leave extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final int loops;
        private final Then then;

        Leave(int loops, Then then) {
            super(null, null, false, false);
            this.loops = loops;
            this.then = then;
        }
    }

    /** What comes after {@code break} and {@code continue}. */
    public enum Then { AFTER_THE_LOOP, NEXT_ROUND }

    private final Machine machine;
    private final Commands commands;
    private final Manner manner;
    private final Map<String, String> variables = new LinkedHashMap<>();
    private String directory;
    private int status;
    private boolean finished;
    /** {@code set -e}: a command that fails ends the shell, unless its status is asked for. */
    private boolean exitsOnError;
    private int asked;
    private boolean rightRan;

    /** Root's, on a machine of the lab. */
    public Shell(Machine machine, Commands commands) {
        this(machine, commands, Map.of(), "/root", Manner.USUAL);
        variables.put("HOME", "/root");
        variables.put("USER", "root");
        variables.put("SHELL", "/bin/bash");
        variables.put("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
        variables.put("HOSTNAME", machine.name());
    }

    /**
     * @param environment its first variables
     * @param directory   its first working folder
     */
    public Shell(Machine machine, Commands commands, Map<String, String> environment, String directory, Manner manner) {
        this.machine = machine;
        this.commands = commands;
        this.manner = manner;
        this.directory = directory;
        variables.putAll(environment);
    }

    public String directory() {
        return directory;
    }

    public void directory(String absolutePath) {
        directory = absolutePath;
    }

    public Machine machine() {
        return machine;
    }

    public Commands commands() {
        return commands;
    }

    /** A variable's value; empty text if unset. */
    public String variable(String name) {
        return switch (name) {
            case "?" -> Integer.toString(status);
            case "PWD" -> directory;
            default -> variables.getOrDefault(name, "");
        };
    }

    public void variable(String name, String value) {
        variables.put(name, value);
    }

    public Map<String, String> variables() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(variables));
    }

    public Wording wording() {
        return manner.wording();
    }

    /** {@code set -e} and {@code set +e}. */
    public void exitsOnError(boolean on) {
        exitsOnError = on;
    }

    /** True once {@code exit} was called. */
    public boolean finished() {
        return finished;
    }

    /** Ends this shell; never returns. */
    public int exit(int withStatus) {
        throw new Exit(withStatus);
    }

    /** Leaves loops, the innermost first; never returns. */
    public int leave(int loops, Then then) {
        throw new Leave(loops, then);
    }

    /** Runs one command with its arguments, which nothing expands any more. */
    public int command(List<String> words, InputStream in, OutputStream out, OutputStream err) throws IOException {
        try {
            manner.pace().next(words);
            status = call(words, new Streams(in, out, err));
        } catch (Exit e) {
            finished = true;
            status = e.status;
        } catch (Leave e) {
            status = 0;
        }
        return status;
    }

    /** True if the text is the start of something that more lines would complete. */
    public static boolean isIncomplete(String text) {
        try {
            Parser.parse(text);
            return false;
        } catch (SyntaxError e) {
            return e.incomplete();
        }
    }

    /** Runs a command line or a script and gives the last command's status. */
    public int run(String text, InputStream in, OutputStream out, OutputStream err) throws IOException {
        try {
            status = run(Parser.parse(text), new Streams(in, out, err));
        } catch (SyntaxError e) {
            Streams.print(err).println(wording().prefix() + e.getMessage());
            status = SYNTAX_ERROR;
        } catch (Arithmetic.Trouble e) {
            Streams.print(err).println(wording().prefix() + e.getMessage());
            status = SYNTAX_ERROR;
        } catch (Leave e) {
            status = 0;
        } catch (Exit e) {
            finished = true;
            status = e.status;
        }
        return status;
    }

    /** A shell that is started from this one: it has its folder and variables, and changes none of them. */
    public Shell inner() {
        return new Shell(machine, commands, variables, directory, manner);
    }

    /** As {@link #inner}, and goes on where this one is. */
    Shell child() {
        Shell child = inner();
        child.exitsOnError = exitsOnError;
        child.asked = asked;
        child.status = status;
        return child;
    }

    private int run(Syntax syntax, Streams streams) throws IOException {
        status = switch (syntax) {
            case Syntax.Sequence s -> {
                int last = s.parts().isEmpty() ? 0 : status;
                for (Syntax part : s.parts()) {
                    last = run(part, streams);
                    endOnError(part, last);
                }
                yield last;
            }
            case Syntax.Both b -> {
                int left = asked(b.left(), streams);
                boolean goesOn = (left == 0) == (b.condition() == Syntax.Condition.IF_SUCCEEDED);
                rightRan = goesOn;
                int result = goesOn ? run(b.right(), streams) : left;
                rightRan = goesOn;
                yield result;
            }
            case Syntax.Not n -> asked(n.command(), streams) == 0 ? 1 : 0;
            case Syntax.Pipeline p -> pipeline(p, streams);
            case Syntax.Simple s -> simple(s, streams);
            case Syntax.Group g -> redirected(g.redirects(), streams, inner -> run(g.body(), inner));
            case Syntax.Subshell g -> redirected(g.redirects(), streams, inner -> child().stage(g.body(), inner));
            case Syntax.For f -> redirected(f.redirects(), streams, inner -> forEach(f, inner));
            case Syntax.While w -> redirected(w.redirects(), streams, inner -> whileTrue(w, inner));
            case Syntax.If i -> redirected(i.redirects(), streams, inner -> branch(i, inner));
        };
        return status;
    }

    /** Runs something whose failure is an answer. */
    private int asked(Syntax syntax, Streams streams) throws IOException {
        asked++;
        try {
            return run(syntax, streams);
        } finally {
            asked--;
        }
    }

    /** What stands left of {@code &&} or {@code ||} has been asked for; only the last part of such a list counts. */
    private void endOnError(Syntax part, int result) {
        boolean counts = switch (part) {
            case Syntax.Simple s -> true;
            case Syntax.Pipeline p -> true;
            case Syntax.Subshell g -> true;
            case Syntax.Both b -> rightRan;
            case Syntax.Sequence s -> false;
            case Syntax.Not n -> false;
            case Syntax.Group g -> false;
            case Syntax.For f -> false;
            case Syntax.While w -> false;
            case Syntax.If i -> false;
        };
        if (exitsOnError && asked == 0 && result != 0 && counts) {
            throw new Exit(result);
        }
    }

    private int pipeline(Syntax.Pipeline p, Streams streams) throws IOException {
        InputStream in = streams.in();
        for (int i = 0; i < p.stages().size() - 1; i++) {
            ByteArrayOutputStream between = new ByteArrayOutputStream();
            Shell child = child();
            child.stage(p.stages().get(i), new Streams(in, between, streams.err()));
            in = new ByteArrayInputStream(between.toByteArray());
        }
        return child().stage(p.stages().getLast(), new Streams(in, streams.out(), streams.err()));
    }

    private int stage(Syntax syntax, Streams streams) throws IOException {
        try {
            return run(syntax, streams);
        } catch (Exit e) {
            return e.status;
        }
    }

    private int forEach(Syntax.For f, Streams streams) throws IOException {
        int last = 0;
        for (String value : expansion(streams).words(f.words())) {
            variables.put(f.variable(), value);
            Round round = round(f.body(), streams);
            last = round.status();
            if (round.then() == Then.AFTER_THE_LOOP) {
                break;
            }
        }
        return last;
    }

    private int whileTrue(Syntax.While w, Streams streams) throws IOException {
        int last = 0;
        for (int rounds = 0; rounds < manner.rounds() && asked(w.condition(), streams) == 0; rounds++) {
            Round round = round(w.body(), streams);
            last = round.status();
            if (round.then() == Then.AFTER_THE_LOOP) {
                break;
            }
        }
        return last;
    }

    private record Round(int status, Then then) {
    }

    private Round round(Syntax body, Streams streams) throws IOException {
        try {
            return new Round(run(body, streams), Then.NEXT_ROUND);
        } catch (Leave leave) {
            if (leave.loops > 1) {
                throw new Leave(leave.loops - 1, leave.then);
            }
            return new Round(0, leave.then);
        }
    }

    private int branch(Syntax.If i, Streams streams) throws IOException {
        for (Syntax.If.Branch branch : i.branches()) {
            if (asked(branch.condition(), streams) == 0) {
                return run(branch.body(), streams);
            }
        }
        status = 0;
        return run(i.otherwise(), streams);
    }

    private int simple(Syntax.Simple s, Streams streams) throws IOException {
        Expansion expansion = expansion(streams);
        List<String> words = expansion.words(s.words());
        manner.pace().next(words);
        Map<String, String> set = new HashMap<>();
        for (Syntax.Assignment a : s.assignments()) {
            set.put(a.name(), expansion.single(a.value()));
        }
        if (words.equals(List.of("exec")) && s.redirects().stream()
                .anyMatch(redirect -> redirect.kind() != Redirect.Kind.DUPLICATE)) {
            streams.printErr().println(wording().prefix()
                    + "exec: a shell's own files cannot be redirected in this practice lab");
            return 1;
        }
        if (words.isEmpty()) {
            variables.putAll(set);
            return redirected(s.redirects(), streams, inner -> expansion.lastStatus());
        }
        Map<String, String> before = new HashMap<>(variables);
        variables.putAll(set);
        try {
            return redirected(s.redirects(), streams, inner -> call(words, inner));
        } finally {
            set.keySet().forEach(name -> restore(name, before));
        }
    }

    private void restore(String name, Map<String, String> before) {
        if (before.containsKey(name)) {
            variables.put(name, before.get(name));
        } else {
            variables.remove(name);
        }
    }

    private Expansion expansion(Streams streams) {
        return new Expansion(this, machine.files()::view, commandLine -> {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            int result = child().run(commandLine, InputStream.nullInputStream(), out, streams.err());
            return new Expansion.Substituted(out.toString(StandardCharsets.UTF_8), result);
        });
    }

    private int call(List<String> words, Streams streams) throws IOException {
        String name = words.getFirst();
        Optional<Command> command = commands.find(name, machine.state());
        PrintStream err = streams.printErr();
        if (command.isEmpty() || name.contains("/") && !machine.files().view().exists(path(name))) {
            return notFound(name, err);
        }
        PrintStream out = streams.printOut();
        try {
            return command.get().run(new Call(machine, name, words.subList(1, words.size()), streams.in(), out, err,
                    this));
        } finally {
            out.flush();
            err.flush();
        }
    }

    private int notFound(String name, PrintStream err) {
        if (!name.contains("/")) {
            err.println(wording().notFound(name));
            return NOT_FOUND;
        }
        if (!machine.files().view().exists(path(name))) {
            err.println(wording().noSuchFile(name));
            return NOT_FOUND;
        }
        err.println(wording().denied(name));
        return NOT_EXECUTABLE;
    }

    private String path(String name) {
        return FileView.absolute(directory, name);
    }

    private int redirected(List<Redirect> redirects, Streams outer, Redirections.Body body) throws IOException {
        return redirects.isEmpty() ? body.run(outer)
                : new Redirections(this, outer, expansion(outer)).run(redirects, body);
    }
}
