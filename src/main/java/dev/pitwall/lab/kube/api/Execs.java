package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.stream.Upgrades;
import dev.pitwall.lab.kube.stream.WebSocket;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The {@code exec} subresource over a WebSocket: each message begins with the number of its channel, 1 for output, 2 for errors and 3
 * for how the command ended. A command gets no input.
 */
final class Execs {
    /** Newest first (facts: k8s.io/apimachinery/pkg/util/remotecommand). */
    private static final List<String> PROTOCOLS = List.of("v5.channel.k8s.io", "v4.channel.k8s.io");
    private static final int OUT = 1;
    private static final int ERROR = 2;
    private static final int STATUS = 3;

    private final ObjectStore store;
    private final ContainerShell shell;

    Execs(ObjectStore store, ContainerShell shell) {
        this.store = store;
        this.shell = shell;
    }

    /** @throws ApiFailure 400 for a wrong container or no upgrade, 501 if nothing runs commands there */
    void answer(Call call, ResourceType type, RequestPath path) {
        JsonNode pod = store.get(Target.of(type, path).key()).tree();
        String container = PodLogs.container(call.query("container"), pod, path.name());
        PodLogs.requireRunning(pod, container, path.name());
        ContainerShell.Outcome outcome = shell.run(pod, container, command(call))
                .orElseThrow(() -> ApiFailure.notImplemented("commands in container " + container));
        if (!Upgrades.isWebSocket(call.exchange())) {
            throw Upgrades.isSpdy(call.exchange()) ? ApiFailure.notImplemented("exec over SPDY; WebSockets are served")
                    : ApiFailure.badRequest("you must specify at least 1 of stdin, stdout, stderr over an upgraded connection");
        }
        Optional<String> protocol = Upgrades.protocol(call.exchange(), PROTOCOLS);
        Upgrades.toWebSocket(call.exchange(), protocol.orElseThrow(() -> ApiFailure.badRequest(
                "unable to negotiate websocket protocol: the server accepts " + PROTOCOLS)),
                connection -> talk(new WebSocket(connection), outcome));
    }

    private static List<String> command(Call call) {
        Deque<String> words = call.exchange().getQueryParameters().get("command");
        if (words == null || words.isEmpty()) {
            throw ApiFailure.badRequest("you must specify at least one command for the container");
        }
        return new ArrayList<>(words);
    }

    private static void talk(WebSocket socket, ContainerShell.Outcome outcome) throws IOException {
        send(socket, OUT, outcome.out().getBytes(StandardCharsets.UTF_8));
        send(socket, ERROR, outcome.error().getBytes(StandardCharsets.UTF_8));
        send(socket, STATUS, Json.bytes(status(outcome.exitCode())));
        socket.close();
        while (socket.next().isPresent()) {
            // Input and window sizes; the command is over.
        }
    }

    private static void send(WebSocket socket, int channel, byte[] bytes) throws IOException {
        if (bytes.length == 0) {
            return;
        }
        byte[] message = new byte[bytes.length + 1];
        message[0] = (byte) channel;
        System.arraycopy(bytes, 0, message, 1, bytes.length);
        socket.send(message);
    }

    private static ObjectNode status(int exitCode) {
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
}
