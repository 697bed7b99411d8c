package dev.pitwall.link.proxmox;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Proxmox.TaskEnd;
import dev.pitwall.link.trust.Words;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Waits for tasks of a Proxmox API, which is asked again and again: it does not tell by itself. */
final class ProxmoxTasks {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(150);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
    /** A task goes on while its API is away, as pveproxy is for a moment when its certificate is renewed. */
    private static final Duration PATIENCE = Duration.ofSeconds(45);
    private static final int LINES_AT_ONCE = 500;
    private static final int LINES_KEPT = 500;

    private final ProxmoxApi api;
    private final ProxmoxErrors errors;
    private final Words words;

    ProxmoxTasks(ProxmoxApi api, ProxmoxErrors errors, Words words) {
        this.api = api;
        this.errors = errors;
        this.words = words;
    }

    /** @see dev.pitwall.journey.Proxmox#await */
    TaskEnd await(String upid, Duration limit, Consumer<String> lines) throws TroubleException, InterruptedException {
        Following task = new Following(upid, lines);
        long start = System.nanoTime();
        long heard = start;
        Duration pause = FIRST_PAUSE;
        while (true) {
            try {
                Optional<String> exit = task.look();
                if (exit.isPresent()) {
                    return task.end(exit.get());
                }
                heard = System.nanoTime();
            } catch (TroubleException e) {
                if (!away(e.trouble().kind()) || since(heard).compareTo(PATIENCE) > 0) {
                    throw e;
                }
            }
            if (since(start).compareTo(limit) > 0) {
                throw task.late(limit);
            }
            Thread.sleep(pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
        }
    }

    private static boolean away(Kind kind) {
        return kind == Kind.CONNECT || kind == Kind.TIMEOUT;
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    /** One task, and how much of its log has been seen. */
    private final class Following {
        private final String upid;
        private final String node;
        private final String type;
        private final Consumer<String> lines;
        private final List<String> log = new ArrayList<>();
        private int seen;

        /** {@code UPID:node:PID:PSTART:STARTTIME:type:id:user:}, of which the node is the one to ask (facts 1.11). */
        Following(String upid, Consumer<String> lines) throws TroubleException {
            String[] parts = upid.split(":");
            if (parts.length < 8 || !parts[0].equals("UPID")) {
                throw words.failure(Kind.PROTOCOL, api.place(), "proxmox.task.form", "said", upid);
            }
            this.upid = upid;
            this.node = parts[1];
            this.type = parts[6].isEmpty() ? parts[5] : parts[5] + " " + parts[6];
            this.lines = lines;
        }

        /** The exit status, once the task has ended and the whole log was read. */
        Optional<String> look() throws TroubleException, InterruptedException {
            Fields status = new Fields(api.get(path("status")));
            readLog();
            boolean stopped = status.text("status").filter("stopped"::equals).isPresent();
            return stopped ? Optional.of(status.text("exitstatus").orElse("unexpected status")) : Optional.empty();
        }

        private void readLog() throws TroubleException, InterruptedException {
            JsonNode page;
            do {
                page = api.get(path("log"), Map.of("start", Integer.toString(seen),
                        "limit", Integer.toString(LINES_AT_ONCE)));
                page.forEach(this::take);
            } while (page.size() >= LINES_AT_ONCE);
        }

        /** An empty log is shown as one line "no content", which later gives way to the first real line. */
        private void take(JsonNode line) {
            int number = line.path("n").asInt();
            String text = line.path("t").asText();
            if (number <= seen || number == 1 && text.equals("no content")) {
                return;
            }
            seen = number;
            log.add(text);
            if (log.size() > LINES_KEPT) {
                log.removeFirst();
            }
            lines.accept(text);
        }

        TaskEnd end(String exit) {
            boolean ok = exit.equals("OK") || exit.startsWith("WARNINGS");
            return new TaskEnd(ok, exit, log, ok ? Optional.empty() : Optional.of(cause(exit)));
        }

        /** The exit status often says less than a line before it, as in "start failed: QEMU exited with code 1". */
        private Trouble cause(String exit) {
            return errors.explain(exit, api.behind(node))
                    .or(() -> log.reversed().stream().flatMap(line -> errors.explain(line, api.behind(node)).stream())
                            .findFirst())
                    .orElseGet(() -> words.troubleBehind(Kind.REMOTE, api.place(), api.behind(node),
                            "proxmox.task.failed", "task", type, "said", exit, "node", node));
        }

        TroubleException late(Duration limit) {
            return new TroubleException(words.troubleBehind(Kind.TIMEOUT, api.place(), api.behind(node),
                    "proxmox.task.slow", "task", type, "node", node, "seconds", Long.toString(limit.toSeconds())));
        }

        private String path(String what) {
            return "nodes/" + node + "/tasks/" + upid + "/" + what;
        }
    }
}
