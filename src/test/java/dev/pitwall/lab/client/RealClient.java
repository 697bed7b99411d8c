package dev.pitwall.lab.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A program of others that talks to the lab as it would to the real system. A test that needs one which is not
 * installed is skipped and says its name; where {@code PITWALL_REAL_CLIENTS=required} is set it fails instead.
 */
public final class RealClient {
    /** Longer than any of them is told to wait for something itself. */
    private static final int LONGEST_SECONDS = 120;

    private final List<String> command;
    private final Map<String, String> environment;

    private RealClient(List<String> command, Map<String, String> environment) {
        this.command = command;
        this.environment = environment;
    }

    /** What a run of it gave. */
    public record Result(int exit, String out, String err) {
        /** Its output, if it ended well. */
        public String ok() {
            assertThat(exit).as(out + err).isZero();
            return out;
        }
    }

    /** The program of this name on the PATH. */
    public static RealClient named(String program, String... firstArguments) {
        Path found = onPath(program);
        List<String> command = new ArrayList<>(List.of(found.toString()));
        command.addAll(List.of(firstArguments));
        return new RealClient(command, Map.of());
    }

    /** The program of this name on the PATH; without it the test is skipped always, as Debian has none. */
    public static RealClient orSkip(String program, String... firstArguments) {
        Assumptions.assumeTrue(find(program).isPresent(), program + " is not installed");
        return named(program, firstArguments);
    }

    /** Debian's Python, if it has these modules. */
    public static RealClient python(String... modules) {
        Path python = Path.of("/usr/bin/python3");
        if (!Files.isExecutable(python) || run(List.of(python.toString(), "-c",
                "import " + String.join(", ", modules)), Map.of(), "").exit() != 0) {
            missing("python3-" + String.join(" with python3-", modules));
        }
        return new RealClient(List.of(python.toString()), Map.of());
    }

    public RealClient with(String variable, String value) {
        Map<String, String> more = new HashMap<>(environment);
        more.put(variable, value);
        return new RealClient(command, more);
    }

    public Result run(String... arguments) {
        return feed("", arguments);
    }

    /** Runs it with something on its standard input. */
    public Result feed(String input, String... arguments) {
        return run(Stream.concat(command.stream(), Stream.of(arguments)).toList(), environment, input);
    }

    /** Starts it and leaves it running, its output in a file; the caller ends it. */
    public Process start(Path output, String... arguments) {
        try {
            ProcessBuilder builder = new ProcessBuilder(
                    Stream.concat(command.stream(), Stream.of(arguments)).toList()).redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            return builder.start();
        } catch (IOException e) {
            throw new AssertionError(command + " does not start", e);
        }
    }

    private static Path onPath(String program) {
        return find(program).orElseGet(() -> missing(program));
    }

    private static Optional<Path> find(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(folder -> Path.of(folder, program)).filter(Files::isExecutable).findFirst();
    }

    private static Path missing(String program) {
        String why = program + " is not installed, so what it does with the lab is not tested here";
        if ("required".equals(System.getenv("PITWALL_REAL_CLIENTS"))) {
            throw new AssertionError(why);
        }
        Assumptions.abort(why);
        throw new IllegalStateException(why);
    }

    private static Result run(List<String> command, Map<String, String> environment, String input) {
        Process process = null;
        try {
            Path out = Files.createTempFile("client", ".out");
            Path err = Files.createTempFile("client", ".err");
            ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
            builder.environment().putAll(environment);
            process = builder.start();
            process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().close();
            boolean ended = process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS);
            Result result = new Result(ended ? process.exitValue() : -1, Files.readString(out),
                    Files.readString(err) + (ended ? "" : "\nit did not end"));
            Files.delete(out);
            Files.delete(err);
            return result;
        } catch (IOException e) {
            throw new AssertionError(command + " does not start", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        } finally {
            if (process != null) {
                process.destroyForcibly();
            }
        }
    }
}
