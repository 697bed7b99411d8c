package dev.pitwall.link.ssh;

import dev.pitwall.card.TroubleException;
import dev.pitwall.link.ssh.RemoteFiles.Refused.Why;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Files through the commands of a POSIX shell. Contents go through standard input and output, never a command line. */
final class ShellFiles implements RemoteFiles {
    /** The first command makes what follows readable for the maker only; {@code -C} refuses a file that is there. */
    private static final String CREATE = "umask 077 && set -C && cat > \"$1\" && chown \"$3\" \"$1\""
            + " && chmod \"$2\" \"$1\" && sync \"$1\"";
    /** Bytes that an answer about a file may have. */
    private static final int SMALL = 64 << 10;

    private final SshSession session;
    private final Duration limit;

    /** @param limit for each command */
    ShellFiles(SshSession session, Duration limit) {
        this.session = session;
        this.limit = limit;
    }

    @Override
    public Optional<Facts> facts(String path) throws IOException, TroubleException, InterruptedException {
        try {
            String[] words = text(run(0, "stat", "-L", "-c", "%f %u %g", path))
                    .strip().split(" ");
            return Optional.of(Facts.of(Integer.parseInt(words[0], 16), Integer.parseInt(words[1]),
                    Integer.parseInt(words[2])));
        } catch (Refused e) {
            if (e.why() == Why.ABSENT) {
                return Optional.empty();
            }
            throw e;
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw new Refused(Why.OTHER, "stat says something else than mode and owner");
        }
    }

    @Override
    public String real(String path) throws IOException, TroubleException, InterruptedException {
        return text(run(0, "readlink", "-f", path)).stripTrailing();
    }

    @Override
    public byte[] read(String path, int cap) throws IOException, TroubleException, InterruptedException {
        byte[] bytes = run(cap + 1, "cat", path);
        if (bytes.length > cap) {
            throw new Refused(Why.OTHER, "longer than " + cap + " bytes");
        }
        return bytes;
    }

    @Override
    public void makeFolder(String path, int mode) throws IOException, TroubleException, InterruptedException {
        run(0, "mkdir", "-m", octal(mode), path);
    }

    @Override
    public void create(String path, byte[] bytes, Facts as) throws IOException, TroubleException, InterruptedException {
        feed(bytes, "sh", "-c", CREATE, "sh", path, octal(as.mode()),
                as.uid() + ":" + as.gid());
    }

    /** Waits until a file is on the disk. */
    void flush(String path) throws IOException, TroubleException, InterruptedException {
        run(0, "sync", path);
    }

    @Override
    public void replace(String from, String to) throws IOException, TroubleException, InterruptedException {
        run(0, "mv", "-f", "-T", from, to);
    }

    @Override
    public void remove(String path) throws IOException, TroubleException, InterruptedException {
        run(0, "rm", "-f", path);
    }

    private static String octal(int mode) {
        return String.format("%04o", mode);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private byte[] run(int cap, String... arguments) throws IOException, TroubleException, InterruptedException {
        return run(cap, Optional.empty(), arguments);
    }

    private void feed(byte[] input, String... arguments) throws IOException, TroubleException, InterruptedException {
        run(0, Optional.of(new ByteArrayInputStream(input)), arguments);
    }

    /** Paths are absolute, so none is taken for an option. The words of a refusal are the C locale's. */
    private byte[] run(int cap, Optional<InputStream> in, String... arguments)
            throws IOException, TroubleException, InterruptedException {
        List<String> command = Stream.concat(Stream.of("env", "LC_ALL=C"), Stream.of(arguments)).toList();
        CappedOutput out = new CappedOutput(Math.max(cap, SMALL));
        CappedOutput err = new CappedOutput(SMALL);
        OptionalInt exit = session.exec(new RemoteCommand(command, limit), in, out, err);
        if (exit.isEmpty() || exit.getAsInt() != 0) {
            throw refused(err.text());
        }
        return out.bytes();
    }

    private static Refused refused(String errors) {
        String said = errors.lines().map(String::strip).filter(line -> !line.isEmpty()).reduce("", (a, b) -> b);
        if (said.contains("No such file or directory") || said.contains("Not a directory")) {
            return new Refused(Why.ABSENT, said);
        }
        boolean denied = said.contains("Permission denied") || said.contains("Operation not permitted");
        return new Refused(denied ? Why.NOT_ALLOWED : Why.OTHER, said.isEmpty() ? "no reason given" : said);
    }

    @Override
    public void close() {
        // Each command closes its own channel.
    }
}
