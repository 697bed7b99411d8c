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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A small POSIX-like shell for one session on one machine: quoting, lists, pipes, redirections, variables, globs,
 * {@code for}, {@code while}, {@code if}, groups, functions, here-documents and command substitution. Stages of a pipe
 * run one after the other.
 */
public final class Shell {
    private static final int SYNTAX_ERROR = 2;
    private static final int NOT_FOUND = 127;
    private static final int NOT_EXECUTABLE = 126;

    /** What comes after {@code break} and {@code continue}. */
    public enum Then { AFTER_THE_LOOP, NEXT_ROUND }

    private final Machine machine;
    private final Commands commands;
    private final Manner manner;
    private final Scope scope;
    private String directory;
    private int status;
    private boolean finished;
    /** {@code set -e}: a command that fails ends the shell, unless its status is asked for. */
    private boolean exitsOnError;
    /** {@code set -o pipefail}: a pipe fails if any of its stages does. */
    private boolean failsWithAnyStage;
    private int asked;
    private boolean rightRan;

    /** Root's, on a machine of the lab. */
    public Shell(Machine machine, Commands commands) {
        this(machine, commands, Map.of(), "/root", Manner.USUAL);
        scope.put("HOME", "/root");
        scope.put("USER", "root");
        scope.put("SHELL", "/bin/bash");
        scope.put("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
        scope.put("HOSTNAME", machine.name());
    }

    /**
     * @param environment its first variables
     * @param directory   its first working folder
     */
    public Shell(Machine machine, Commands commands, Map<String, String> environment, String directory, Manner manner) {
        this(machine, commands, new Scope(), directory, manner);
        environment.forEach(scope::put);
    }

    private Shell(Machine machine, Commands commands, Scope scope, String directory, Manner manner) {
        this.machine = machine;
        this.commands = commands;
        this.scope = scope;
        this.directory = directory;
        this.manner = manner;
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

    /** A variable's value, or an argument's by its number; empty text if unset. */
    public String variable(String name) {
        return switch (name) {
            case "?" -> Integer.toString(status);
            case "PWD" -> directory;
            default -> scope.value(name);
        };
    }

    public void variable(String name, String value) {
        scope.put(name, value);
    }

    public Map<String, String> variables() {
        return scope.variables();
    }

    /** The arguments of the script or function that runs. */
    public List<String> arguments() {
        return scope.arguments();
    }

    public void arguments(List<String> now) {
        scope.arguments(now);
    }

    /** True inside a function, which may have local variables and be returned from. */
    public boolean inFunction() {
        return scope.inFunction();
    }

    /** The function that runs has this variable for itself, empty at first. */
    public void local(String name) {
        scope.local(name);
    }

    /** Goes back to where the function was called; never returns. */
    public int comeBack(int withStatus) {
        throw new Jump.Return(withStatus);
    }

    public Wording wording() {
        return manner.wording();
    }

    /** {@code set -e} and {@code set +e}. */
    public void exitsOnError(boolean on) {
        exitsOnError = on;
    }

    /** {@code set -o pipefail} and {@code set +o pipefail}. */
    public void failsWithAnyStage(boolean on) {
        failsWithAnyStage = on;
    }

    /** True once {@code exit} was called. */
    public boolean finished() {
        return finished;
    }

    /** Ends this shell; never returns. */
    public int exit(int withStatus) {
        throw new Jump.Exit(withStatus);
    }

    /** Leaves loops, the innermost first; never returns. */
    public int leave(int loops, Then then) {
        throw new Jump.Leave(loops, then);
    }

    /** Runs one command with its arguments, which nothing expands any more. */
    public int command(List<String> words, InputStream in, OutputStream out, OutputStream err) throws IOException {
        try {
            manner.pace().next(words);
            status = call(words, new Streams(in, out, err));
        } catch (Jump.Exit e) {
            finished = true;
            status = e.status();
        } catch (Jump.Leave e) {
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

    /** {@code bash -n}: reads a script and runs none of it; 0 if it is one. */
    public int check(String text, OutputStream err) {
        try {
            Parser.parse(text);
            return 0;
        } catch (SyntaxError e) {
            Streams.print(err).println(wording().prefix() + e.getMessage());
            return SYNTAX_ERROR;
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
        } catch (Jump.Leave e) {
            status = 0;
        } catch (Jump.Exit e) {
            finished = true;
            status = e.status();
        }
        return status;
    }

    /** A shell that is started from this one: it has its folder and variables, and changes none of them. */
    public Shell inner() {
        return new Shell(machine, commands, scope.variables(), directory, manner);
    }

    /** As {@link #inner}, and goes on where this one is. */
    Shell child() {
        Shell child = new Shell(machine, commands, scope.copy(), directory, manner);
        child.exitsOnError = exitsOnError;
        child.failsWithAnyStage = failsWithAnyStage;
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
            case Syntax.Define d -> {
                scope.define(d.name(), d.body());
                yield 0;
            }
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
            case Syntax.Define d -> false;
        };
        if (exitsOnError && asked == 0 && result != 0 && counts) {
            throw new Jump.Exit(result);
        }
    }

    private int pipeline(Syntax.Pipeline p, Streams streams) throws IOException {
        InputStream in = streams.in();
        int failed = 0;
        for (int i = 0; i < p.stages().size() - 1; i++) {
            ByteArrayOutputStream between = new ByteArrayOutputStream();
            int result = child().stage(p.stages().get(i), new Streams(in, between, streams.err()));
            failed = failsWithAnyStage && result != 0 ? result : failed;
            in = new ByteArrayInputStream(between.toByteArray());
        }
        int last = child().stage(p.stages().getLast(), new Streams(in, streams.out(), streams.err()));
        return last == 0 ? failed : last;
    }

    private int stage(Syntax syntax, Streams streams) throws IOException {
        try {
            return run(syntax, streams);
        } catch (Jump.Exit | Jump.Return e) {
            return e.status();
        }
    }

    private int forEach(Syntax.For f, Streams streams) throws IOException {
        int last = 0;
        for (String value : expansion(streams).words(f.words())) {
            scope.put(f.variable(), value);
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
        } catch (Jump.Leave leave) {
            if (leave.loops() > 1) {
                throw new Jump.Leave(leave.loops() - 1, leave.then());
            }
            return new Round(0, leave.then());
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
            set.forEach(scope::put);
            return redirected(s.redirects(), streams, inner -> expansion.lastStatus());
        }
        Map<String, Optional<String>> before = new HashMap<>();
        set.keySet().forEach(name -> before.put(name, scope.find(name)));
        set.forEach(scope::put);
        try {
            return redirected(s.redirects(), streams, inner -> call(words, inner));
        } finally {
            before.forEach(scope::restore);
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
        Optional<Syntax> function = scope.function(name);
        if (function.isPresent()) {
            return function(function.get(), words, streams);
        }
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

    private int function(Syntax body, List<String> words, Streams streams) throws IOException {
        scope.enter(words.subList(1, words.size()));
        try {
            return run(body, streams);
        } catch (Jump.Return e) {
            return e.status();
        } finally {
            scope.leave();
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
