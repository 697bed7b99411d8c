package dev.pitwall.journey;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Systems that note every request to a Proxmox API as it is made. */
public final class RecordingSystems extends SystemsAround {
    private final List<Request> requests = new CopyOnWriteArrayList<>();

    /** @param need whether the work rests on the call, or takes it as it is */
    public record Request(String method, String path, Map<String, List<String>> parameters, Need need) {
    }

    public enum Need { MUST_BE_THERE, MAY_BE_ABSENT }

    public RecordingSystems(Systems systems) {
        super(systems);
    }

    public List<Request> requests() {
        return List.copyOf(requests);
    }

    @Override
    protected Proxmox around(Proxmox api, String node) {
        return new Recording(api);
    }

    private final class Recording implements Proxmox {
        private final Proxmox proxmox;

        Recording(Proxmox proxmox) {
            this.proxmox = proxmox;
        }

        @Override
        public JsonNode get(String path, Map<String, String> query) throws TroubleException, InterruptedException {
            Map<String, List<String>> parameters = new HashMap<>();
            query.forEach((key, value) -> parameters.put(key, List.of(value)));
            requests.add(new Request("GET", path, parameters, Need.MUST_BE_THERE));
            return proxmox.get(path, query);
        }

        @Override
        public Optional<JsonNode> ifThere(String path) throws TroubleException, InterruptedException {
            requests.add(new Request("GET", path, Map.of(), Need.MAY_BE_ABSENT));
            return proxmox.ifThere(path);
        }

        @Override
        public Optional<String> send(Call call) throws TroubleException, InterruptedException {
            note(call);
            return proxmox.send(call);
        }

        @Override
        public JsonNode answer(Call call) throws TroubleException, InterruptedException {
            note(call);
            return proxmox.answer(call);
        }

        private void note(Call call) {
            requests.add(new Request(call.method().name(), call.path(), call.parameters(), Need.MUST_BE_THERE));
        }

        @Override
        public TaskEnd await(String upid, Duration limit, Consumer<String> lines)
                throws TroubleException, InterruptedException {
            return proxmox.await(upid, limit, lines);
        }

        @Override
        public Caller caller() throws TroubleException, InterruptedException {
            return proxmox.caller();
        }

        @Override
        public void close() {
            // Whoever opened it closes it.
        }
    }
}
