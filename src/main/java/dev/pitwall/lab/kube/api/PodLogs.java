package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.pitwall.lab.kube.container.LogSource;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.net.ClientPresence;
import io.undertow.util.Headers;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** The {@code log} subresource, with {@code follow}, {@code tailLines}, {@code sinceSeconds} and {@code previous}. */
final class PodLogs {
    private static final long POLL_MILLIS = 250;
    /** As container runtimes write times. */
    private static final DateTimeFormatter NANOS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final ObjectStore store;
    private final LogSource source;
    private final InstantSource clock;

    PodLogs(ObjectStore store, LogSource source, InstantSource clock) {
        this.store = store;
        this.source = source;
        this.clock = clock;
    }

    void answer(Call call, ResourceType type, RequestPath path) throws IOException {
        ObjectKey key = new ObjectKey(type.resource(), path.namespace(), path.name());
        JsonNode pod = store.get(key).tree();
        if (pod.at("/spec/nodeName").asText("").isEmpty()) {
            throw ApiFailure.badRequest("pod " + path.name() + " does not have a host assigned");
        }
        String container = container(call.query("container"), pod, path.name());
        LogSource.Run run = call.flag("previous") ? LogSource.Run.PREVIOUS : LogSource.Run.CURRENT;
        requireStarted(pod, container, path.name(), run);
        List<LogSource.Line> lines = source.lines(pod, container, run);
        call.exchange().getResponseHeaders().put(Headers.CONTENT_TYPE, "text/plain");
        List<LogSource.Line> chosen = chosen(lines, call);
        try (OutputStream out = limited(call)) {
            write(out, chosen, call.flag("timestamps"));
            if (call.flag("follow") && run == LogSource.Run.CURRENT) {
                out.flush();
                follow(out, call, new Followed(key, container, lines.size()));
            }
        } catch (LimitReached e) {
            // What was asked for is out.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** @param told lines that the client has, or has chosen not to have */
    private record Followed(ObjectKey pod, String container, int told) {
    }

    private void follow(OutputStream out, Call call, Followed followed) throws IOException, InterruptedException {
        ClientPresence client = new ClientPresence(call.exchange());
        int count = followed.told();
        while (!store.isClosed() && !client.hasHungUp()) {
            Optional<StoredObject> pod = store.find(followed.pod());
            if (pod.isEmpty()) {
                return;
            }
            JsonNode body = pod.get().tree();
            List<LogSource.Line> lines = source.lines(body, followed.container(), LogSource.Run.CURRENT);
            if (lines.size() > count) {
                write(out, lines.subList(count, lines.size()), call.flag("timestamps"));
                out.flush();
                count = lines.size();
            }
            if (!state(body, followed.container()).path("running").isObject()) {
                return;
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private static OutputStream limited(Call call) throws IOException {
        OutputStream out = call.exchange().getOutputStream();
        long limit = call.number("limitBytes", Long.MAX_VALUE);
        if (limit < 1) {
            throw invalid("limitBytes: Invalid value: " + limit + ": must be greater than 0");
        }
        return new LimitedOutput(out, limit);
    }

    private static ApiFailure invalid(String problem) {
        return ApiFailure.of(422, "Invalid", "PodLogOptions \"\" is invalid: " + problem);
    }

    /** The client has as many bytes as it wanted. */
    private static final class LimitReached extends IOException {
        private static final long serialVersionUID = 1;
    }

    private static final class LimitedOutput extends FilterOutputStream {
        private long rest;

        LimitedOutput(OutputStream out, long limit) {
            super(out);
            this.rest = limit;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            int count = (int) Math.min(length, rest);
            out.write(bytes, offset, count);
            rest -= count;
            if (rest == 0) {
                throw new LimitReached();
            }
        }
    }

    private List<LogSource.Line> chosen(List<LogSource.Line> lines, Call call) {
        Instant since = since(call);
        List<LogSource.Line> recent = lines.stream().filter(line -> !line.at().isBefore(since)).toList();
        long tail = call.number("tailLines", recent.size());
        if (tail < 0) {
            throw invalid("tailLines: Invalid value: " + tail + ": must be greater than or equal to 0");
        }
        return recent.subList((int) Math.max(0, recent.size() - tail), recent.size());
    }

    private Instant since(Call call) {
        String time = call.query("sinceTime");
        String seconds = call.query("sinceSeconds");
        if (!time.isEmpty() && !seconds.isEmpty()) {
            throw invalid("sinceSeconds: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified");
        }
        if (!seconds.isEmpty()) {
            long past = call.number("sinceSeconds", 0);
            if (past < 1) {
                throw invalid("sinceSeconds: Invalid value: " + past + ": must be greater than 0");
            }
            return clock.instant().minusSeconds(past);
        }
        try {
            return time.isEmpty() ? Instant.EPOCH : Instant.parse(time);
        } catch (DateTimeException e) {
            throw ApiFailure.badRequest("parsing time \"" + time + "\" as \"2006-01-02T15:04:05Z07:00\": cannot parse it");
        }
    }

    private static void write(OutputStream out, List<LogSource.Line> lines, boolean timestamps) throws IOException {
        for (LogSource.Line line : lines) {
            String text = (timestamps ? NANOS.format(line.at()) + " " : "") + line.text() + "\n";
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** The container that is meant. @throws ApiFailure 400 in Kubernetes' words if that is not clear */
    static String container(String asked, JsonNode pod, String podName) {
        List<String> mains = names(pod.at("/spec/containers"));
        List<String> inits = names(pod.at("/spec/initContainers"));
        if (asked.isEmpty() && mains.size() == 1) {
            return mains.getFirst();
        }
        if (asked.isEmpty()) {
            throw ApiFailure.badRequest("a container name must be specified for pod " + podName + ", choose one of: "
                    + list(mains) + (inits.isEmpty() ? "" : " or one of the init containers: " + list(inits)));
        }
        if (!mains.contains(asked) && !inits.contains(asked)) {
            throw ApiFailure.badRequest("container " + asked + " is not valid for pod " + podName);
        }
        return asked;
    }

    private static void requireStarted(JsonNode pod, String container, String podName, LogSource.Run run) {
        JsonNode status = status(pod, container);
        if (run == LogSource.Run.PREVIOUS && !status.at("/lastState/terminated").isObject()) {
            throw ApiFailure.badRequest("previous terminated container \"" + container + "\" in pod \"" + podName
                    + "\" not found");
        }
        boolean ran = status.at("/state/running").isObject() || status.at("/state/terminated").isObject()
                || status.at("/lastState/terminated").isObject();
        if (!ran) {
            throw ApiFailure.badRequest("container \"" + container + "\" in pod \"" + podName
                    + "\" is waiting to start: " + status.at("/state/waiting/reason").asText("ContainerCreating"));
        }
    }

    private static JsonNode state(JsonNode pod, String container) {
        return status(pod, container).path("state");
    }

    private static JsonNode status(JsonNode pod, String container) {
        List<JsonNode> all = new ArrayList<>();
        pod.at("/status/containerStatuses").forEach(all::add);
        pod.at("/status/initContainerStatuses").forEach(all::add);
        return all.stream().filter(status -> status.path("name").asText().equals(container)).findFirst()
                .orElse(MissingNode.getInstance());
    }

    private static List<String> names(JsonNode containers) {
        return StreamSupport.stream(containers.spliterator(), false)
                .map(container -> container.path("name").asText()).toList();
    }

    private static String list(List<String> names) {
        return "[" + String.join(" ", names) + "]";
    }
}
