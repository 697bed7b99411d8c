package dev.pitwall.lab.kube.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.lab.kube.store.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * Calls of Ollama's API that take their time, each on a thread of its own: the loop asks how they stand and never waits.
 * Used by the loop's thread, but for {@link #close}.
 */
public final class ModelCalls implements AutoCloseable {
    private final Function<String, Optional<URI>> addresses;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("lab-model-calls-", 0).factory());
    private final HttpClient http = HttpClient.newBuilder().executor(threads).build();
    private final ObjectMapper json = new ObjectMapper();
    private final Map<Call, State> calls = new ConcurrentHashMap<>();

    private record Call(String what, String server, String model) {
    }

    /** How a call stands. */
    sealed interface State {
        /** @param completed bytes, as is {@code total}; both 0 before anything is known */
        record Goes(long completed, long total) implements State {
        }

        record Failed(String why) implements State {
        }

        record Done() implements State {
        }
    }

    /** @param addresses the socket of a server by its name */
    public ModelCalls(Function<String, Optional<URI>> addresses) {
        this.addresses = addresses;
    }

    /** True while a call is under way, or nobody has asked yet how it ended. */
    boolean isBusy() {
        return !calls.isEmpty();
    }

    /** Begins a pull, or says how the one that is under way stands; one that has ended is told once. */
    State pull(String server, String model) {
        return stand(new Call("pull", server, model));
    }

    State delete(String server, String model) {
        return stand(new Call("delete", server, model));
    }

    private State stand(Call call) {
        State state = calls.get(call);
        if (state == null) {
            State begun = new State.Goes(0, 0);
            calls.put(call, begun);
            threads.execute(() -> run(call));
            return begun;
        }
        if (!(state instanceof State.Goes)) {
            calls.remove(call);
        }
        return state;
    }

    private void run(Call call) {
        try {
            URI server = addresses.apply(call.server())
                    .orElseThrow(() -> new IOException("connection refused"));
            String body = Json.object().put("model", call.model()).toString();
            HttpRequest request = HttpRequest.newBuilder(URI.create(server + "/api/" + call.what()))
                    .method(call.what().equals("delete") ? "DELETE" : "POST", HttpRequest.BodyPublishers.ofString(body))
                    .build();
            HttpResponse<InputStream> answer = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
            read(call, answer);
        } catch (IOException e) {
            calls.put(call, new State.Failed(Optional.ofNullable(e.getMessage()).orElse("connection refused")));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(Call call, HttpResponse<InputStream> answer) throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode said = json.readTree(line);
                if (said.has("error")) {
                    throw new IOException(said.path("error").asText());
                }
                if (said.path("total").asLong() > 0) {
                    calls.put(call, new State.Goes(said.path("completed").asLong(), said.path("total").asLong()));
                }
            }
        }
        calls.put(call, answer.statusCode() < 300 ? new State.Done()
                : new State.Failed("HTTP status " + answer.statusCode()));
    }

    @Override
    public void close() {
        threads.shutdownNow();
        http.shutdownNow();
    }
}
