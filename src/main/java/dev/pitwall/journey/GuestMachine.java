package dev.pitwall.journey;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Proxmox.Call;
import dev.pitwall.journey.Proxmox.Method;
import dev.pitwall.journey.change.Content;

import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The inside of a VM by its guest agent, for a guest whose shell the site has not. The agent runs as root; a command is
 * a list of words, and what goes into it is no part of it (facts: proxmox.md 1.1, 1.13). An agent that stops answering
 * is a connection that is lost.
 */
public final class GuestMachine implements Machine {
    private static final Pattern NAME = Pattern.compile("(.+)/(\\d{3,9})");
    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final Duration FILE = Duration.ofMinutes(1);
    /** Proxmox takes 64 KiB of input for a command, and base64 makes four bytes of three. */
    private static final int MOST_BYTES = 48 * 1024;
    /** Beside and over, as with every other shell: the file is at no moment half of one. */
    private static final String WRITE = """
            set -e
            p=$1
            if [ -L "$p" ]; then
              p=$(readlink -f "$p")
            fi
            if [ -n "$2" ] && [ -e "$p" ]; then
              mkdir -p "$(dirname "$2")"
              cp -p "$p" "$2"
            fi
            mkdir -p "$(dirname "$p")"
            t="$p.pitwall-new"
            rm -f "$t"
            umask 077
            base64 -d > "$t"
            if [ -e "$p" ]; then
              chown --reference="$p" "$t"
              chmod --reference="$p" "$t"
            else
              chmod 0644 "$t"
            fi
            sync "$t"
            mv -f -T "$t" "$p"
            """;
    private static final String REMOVE = """
            set -e
            if [ -n "$2" ] && [ -e "$1" ]; then
              mkdir -p "$(dirname "$2")"
              cp -p "$1" "$2"
            fi
            rm -f "$1"
            """;

    private final Apis apis;
    private final String node;
    private final int vmid;
    private final String name;
    private final String path;

    private GuestMachine(Apis apis, String node, int vmid) {
        this.apis = apis;
        this.node = node;
        this.vmid = vmid;
        this.name = name(node, vmid);
        this.path = "nodes/" + node + "/qemu/" + vmid + "/agent/";
    }

    /** The name of such a machine, for example {@code pve1/121}; no shell of a site has a slash in its name. */
    public static String name(String node, int vmid) {
        return node + "/" + vmid;
    }

    /** Finds the API of a Proxmox node. */
    @FunctionalInterface
    public interface Apis {
        Proxmox of(String node) throws TroubleException, InterruptedException;
    }

    /** @return empty if the name is not one of such a machine */
    public static Optional<Machine> of(String name, Apis apis) {
        Matcher m = NAME.matcher(name);
        return m.matches() ? Optional.of(new GuestMachine(apis, m.group(1), Integer.parseInt(m.group(2))))
                : Optional.empty();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Ran run(List<String> arguments, Duration limit, Consumer<String> lines)
            throws TroubleException, InterruptedException {
        return run(arguments, "", limit, lines);
    }

    private Ran run(List<String> arguments, String input, Duration limit, Consumer<String> lines)
            throws TroubleException, InterruptedException {
        long start = System.nanoTime();
        Map<String, List<String>> call = input.isEmpty() ? Map.of("command", arguments)
                : Map.of("command", arguments, "input-data", List.of(input));
        String pid = begin(call);
        while (true) {
            JsonNode status;
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            try {
                status = apis.of(node).get(path + "exec-status", Map.of("pid", pid));
            } catch (TroubleException e) {
                // A guest that goes down takes its agent along: as with a session that ends, nobody learns the exit code.
                if (e.trouble().kind() == Kind.GUEST) {
                    return new Ran(OptionalInt.empty(), "", e.trouble().what(), took);
                }
                throw e;
            }
            if (status.path("exited").asInt() != 0) {
                OptionalInt exit = status.has("exitcode") ? OptionalInt.of(status.path("exitcode").asInt())
                        : OptionalInt.empty();
                // The agent shows what was printed only when the command has ended.
                status.path("out-data").asText().lines().forEach(lines);
                return new Ran(exit, status.path("out-data").asText(), status.path("err-data").asText(), took);
            }
            if (took.compareTo(limit) > 0) {
                throw new TroubleException(new Trouble(Kind.TIMEOUT, String.join(" ", arguments) + " in VM " + vmid,
                        "it has not ended in the guest", "See inside the guest what it waits for."));
            }
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
        }
    }

    /** What the API says of a guest whose agent does not answer is to the caller what a dead line is. */
    private String begin(Map<String, List<String>> call) throws TroubleException, InterruptedException {
        try {
            return apis.of(node).answer(new Call(Method.POST, path + "exec", call)).path("pid").asText();
        } catch (TroubleException e) {
            Trouble trouble = e.trouble();
            throw trouble.kind() == Kind.GUEST
                    ? new TroubleException(new Trouble(Kind.CONNECT, trouble.where(), trouble.what(), trouble.next()), e) : e;
        }
    }

    @Override
    public Content read(String file) throws TroubleException, InterruptedException {
        Ran ran = run(List.of("base64", file), FILE, line -> { });
        if (ran.ok()) {
            return new Content.Bytes(Base64.getMimeDecoder().decode(ran.output()));
        }
        if (ran.errors().contains("No such file or directory")) {
            return Content.ABSENT;
        }
        throw failed(file, ran);
    }

    @Override
    public void write(String file, Content content, String copyBefore) throws TroubleException, InterruptedException {
        Ran ran = switch (content) {
            case Content.Absent a -> run(List.of("sh", "-c", REMOVE, "sh", file, copyBefore), FILE, line -> { });
            case Content.Bytes(byte[] bytes) -> {
                if (bytes.length > MOST_BYTES) {
                    throw new TroubleException(new Trouble(Kind.REMOTE, file + " in VM " + vmid,
                            "it is too long for the guest agent", "Add an SSH shell of this guest to the site."));
                }
                yield run(List.of("sh", "-c", WRITE, "sh", file, copyBefore), Base64.getEncoder().encodeToString(bytes),
                        FILE, line -> { });
            }
        };
        if (!ran.ok()) {
            throw failed(file, ran);
        }
    }

    private TroubleException failed(String file, Ran ran) {
        return new TroubleException(new Trouble(Kind.RIGHTS, file + " in VM " + vmid, "its guest agent could not: "
                + ran.lastWords(), "Look at the file inside the guest."));
    }

    @Override
    public void close() {
        // The API is its systems'.
    }
}
