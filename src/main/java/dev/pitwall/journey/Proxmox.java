package dev.pitwall.journey;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The API of the Proxmox that one node belongs to, signed in. Thread-safe. */
public interface Proxmox extends AutoCloseable {

    /**
     * A read.
     *
     * @param path  under {@code /api2/json}, without a slash in front, for example {@code nodes/pve1/qemu/100/config}
     * @param query parameters, not encoded
     * @return field {@code data}
     */
    JsonNode get(String path, Map<String, String> query) throws TroubleException, InterruptedException;

    default JsonNode get(String path) throws TroubleException, InterruptedException {
        return get(path, Map.of());
    }

    /**
     * As {@link #get(String)}; empty where this Proxmox has no such call, no such thing, or the caller no right to it.
     */
    Optional<JsonNode> ifThere(String path) throws TroubleException, InterruptedException;

    /**
     * A write. It is sent once: a connection that is cut meanwhile is a trouble, and what became of it has to be read.
     *
     * @return the task that it started; empty for a write that is done when this returns
     */
    Optional<String> send(Call call) throws TroubleException, InterruptedException;

    /**
     * A write whose answer is more than a task, such as that of the guest agent; sent once as {@link #send}.
     *
     * @return field {@code data}
     */
    default JsonNode answer(Call call) throws TroubleException, InterruptedException {
        return send(call).<JsonNode>map(TextNode::valueOf).orElseGet(MissingNode::getInstance);
    }

    /**
     * Waits for a task to end.
     *
     * @param upid  as {@link #send} gave it
     * @param lines gets each line of its log as it comes
     * @return how it ended
     * @throws TroubleException if it does not end within the limit
     */
    TaskEnd await(String upid, Duration limit, Consumer<String> lines) throws TroubleException, InterruptedException;

    /** Who is signed in, for what only {@code root@pam} may do. */
    Caller caller() throws TroubleException, InterruptedException;

    /**
     * A write of the API.
     *
     * @param parameters not encoded; a list of several values is sent as repeated keys
     */
    record Call(Method method, String path, Map<String, List<String>> parameters) {
        public Call {
            parameters = Map.copyOf(parameters);
        }

        public static Call of(Method method, String path, Map<String, String> parameters) {
            Map<String, List<String>> lists = new LinkedHashMap<>();
            parameters.forEach((key, value) -> lists.put(key, List.of(value)));
            return new Call(method, path, lists);
        }
    }

    enum Method { POST, PUT, DELETE }

    /**
     * @param ok   true for {@code OK} and for {@code WARNINGS: n}
     * @param text the exit status as Proxmox says it
     * @param log  the task's log, at most its last 500 lines
     * @param why  what went wrong and what to do; empty where it is ok
     */
    record TaskEnd(boolean ok, String text, List<String> log, Optional<Trouble> why) {
        public TaskEnd {
            log = List.copyOf(log);
        }

        /** An end that nobody has explained. */
        public TaskEnd(boolean ok, String text, List<String> log) {
            this(ok, text, log, Optional.empty());
        }
    }

    /**
     * @param user  {@code root@pam}, or {@code user@realm!token} for a token
     * @param token true for an API token; a token of root@pam is not root@pam (facts 1.4)
     */
    record Caller(String user, boolean token) {
        /** Only then may raw {@code hostpci} be set, changed or removed. */
        public boolean root() {
            return user.equals("root@pam") && !token;
        }
    }

    @Override
    void close();
}
