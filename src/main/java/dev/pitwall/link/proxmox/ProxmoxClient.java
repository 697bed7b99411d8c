package dev.pitwall.link.proxmox;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.site.Secrets;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** One Proxmox API, signed in. Nothing is contacted before the first question. */
public final class ProxmoxClient implements Proxmox {
    private final ProxmoxConnection connection;

    /**
     * @param secrets      asked for the secret at sign-in only
     * @param secondFactor asked at sign-in if the user has one
     * @throws TroubleException if the address cannot be one of a Proxmox API
     */
    public ProxmoxClient(ProxmoxAccess access, Secrets secrets, SecondFactor secondFactor, InstantSource clock,
                         Limits limits, NetworkTrouble troubles) throws TroubleException {
        this.connection = new ProxmoxConnection(access, Typed.stored(access, secrets, troubles), secondFactor, clock,
                limits, troubles);
    }

    @Override
    public JsonNode get(String path, Map<String, String> query) throws TroubleException, InterruptedException {
        return connection.api().get(path, query);
    }

    @Override
    public Optional<JsonNode> ifThere(String path) throws TroubleException, InterruptedException {
        return connection.api().ifThere(path);
    }

    @Override
    public JsonNode answer(Call call) throws TroubleException, InterruptedException {
        return connection.api().send(call);
    }

    /** Where a task was started the answer is its id, and only then does it look like one. */
    @Override
    public Optional<String> send(Call call) throws TroubleException, InterruptedException {
        return Optional.of(answer(call).asText("")).filter(text -> text.startsWith("UPID:"));
    }

    @Override
    public TaskEnd await(String upid, Duration limit, Consumer<String> lines)
            throws TroubleException, InterruptedException {
        return connection.tasks().await(upid, limit, lines);
    }

    @Override
    public Caller caller() {
        return connection.api().caller();
    }

    @Override
    public void close() {
        connection.close();
    }
}
