package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.container.ContainerShell;
import dev.pitwall.lab.kube.container.ContainerShell.Start;
import dev.pitwall.lab.kube.container.ContainerShell.Terminal;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.stream.ChannelSocket;
import dev.pitwall.lab.kube.stream.Upgrades;
import dev.pitwall.lab.kube.stream.WebSocket;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The {@code exec} and {@code attach} subresources over a WebSocket: each message begins with the number of its channel,
 * 0 for input, 1 for output, 2 for errors and 3 for how the command ended (facts:
 * k8s.io/apimachinery/pkg/util/remotecommand).
 */
final class Execs {
    /** Newest first. */
    private static final Duration PROCESS_START = Duration.ofMillis(50);
    private static final List<String> PROTOCOLS = List.of("v5.channel.k8s.io", "v4.channel.k8s.io");

    private final ObjectStore store;
    private final ContainerShell shell;

    Execs(ObjectStore store, ContainerShell shell) {
        this.store = store;
        this.shell = shell;
    }

    /** @throws ApiFailure 400 for a wrong container or no upgrade, 501 if nothing runs commands there */
    void answer(Call call, ResourceType type, RequestPath path) {
        List<String> command = command(call);
        JsonNode pod = pod(call, type, path);
        String container = PodLogs.container(call.query("container"), pod, path.name());
        serve(call, container, shell.exec(pod, container, command, terminal(call)));
    }

    /** @throws ApiFailure as {@link #answer} */
    void attach(Call call, ResourceType type, RequestPath path) {
        JsonNode pod = pod(call, type, path);
        String container = PodLogs.container(call.query("container"), pod, path.name());
        serve(call, container, shell.attach(pod, container, terminal(call)));
    }

    private JsonNode pod(Call call, ResourceType type, RequestPath path) {
        JsonNode pod = store.get(Target.of(type, path).key()).tree();
        if (pod.at("/spec/nodeName").asText("").isEmpty()) {
            throw ApiFailure.badRequest("pod " + path.name() + " does not have a host assigned");
        }
        return pod;
    }

    private static Terminal terminal(Call call) {
        return call.flag("tty") ? Terminal.RAW : Terminal.NONE;
    }

    private static List<String> command(Call call) {
        Deque<String> words = call.exchange().getQueryParameters().get("command");
        if (words == null || words.isEmpty()) {
            throw ApiFailure.badRequest("you must specify at least one command for the container");
        }
        return new ArrayList<>(words);
    }

    private static void serve(Call call, String container, Start start) {
        switch (start) {
            case Start.Running running -> upgrade(call, socket ->
                    ended(running.session().run(socket.in(), socket.out(), socket.err())));
            case Start.Refused refused -> upgrade(call, socket -> internal(refused.why()));
            case Start.Unserved unserved -> throw ApiFailure.notImplemented("commands in container " + container);
        }
    }

    /** What is said at the end of a connection. */
    private interface Talk {
        ObjectNode on(ChannelSocket socket) throws IOException;
    }

    private static void upgrade(Call call, Talk talk) {
        if (!Upgrades.isWebSocket(call.exchange())) {
            throw Upgrades.isSpdy(call.exchange()) ? ApiFailure.notImplemented("exec over SPDY; WebSockets are served")
                    : ApiFailure.badRequest("you must specify at least 1 of stdin, stdout, stderr over an upgraded connection");
        }
        String protocol = Upgrades.protocol(call.exchange(), PROTOCOLS).orElseThrow(() -> ApiFailure.badRequest(
                "unable to negotiate websocket protocol: the server accepts " + PROTOCOLS));
        boolean input = call.flag("stdin");
        Upgrades.toWebSocket(call.exchange(), protocol, connection -> {
            try (ChannelSocket socket = new ChannelSocket(new WebSocket(connection), input)) {
                startsProcess();
                socket.end(Json.bytes(talk.on(socket)));
            }
        });
    }

    /**
     * No runtime has a process in no time, and kubectl counts on it: until its client made sure (client-go's {@code
     * remotecommand}), it threw away what came before it had set up its streams.
     */
    private static void startsProcess() throws IOException {
        try {
            Thread.sleep(PROCESS_START);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the client has gone");
        }
    }

    private static ObjectNode ended(int exitCode) {
        ObjectNode status = Json.object();
        status.putObject("metadata");
        if (exitCode == 0) {
            return status.put("status", "Success");
        }
        status.put("status", "Failure").put("message", "command terminated with non-zero exit code: error executing command, exit code " + exitCode)
                .put("reason", "NonZeroExitCode");
        status.putObject("details").putArray("causes").addObject().put("reason", "ExitCode")
                .put("message", Integer.toString(exitCode));
        return status;
    }

    /** What the API server makes of a kubelet that does not start the command. */
    private static ObjectNode internal(String why) {
        ObjectNode status = Json.object();
        status.putObject("metadata");
        status.put("status", "Failure").put("message", "Internal error occurred: " + why).put("reason", "InternalError");
        status.putObject("details").putArray("causes").addObject().put("message", why);
        return status.put("code", 500);
    }
}
