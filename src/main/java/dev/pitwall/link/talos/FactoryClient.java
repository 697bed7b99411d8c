package dev.pitwall.link.talos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.ImageFactory;
import dev.pitwall.link.http.HttpAddress;
import dev.pitwall.link.http.HttpAnswer;
import dev.pitwall.link.http.HttpReader;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Service;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;

/** Sidero's Image Factory, or one of the person's own, over HTTP (facts: cluster.md 4.4). */
public final class FactoryClient implements ImageFactory {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Limits LIMITS = new Limits(Duration.ofSeconds(6), Duration.ofSeconds(40));
    private static final int NOT_FOUND = 404;

    private final String address;
    private final HttpAddress.Connection connection;

    private FactoryClient(String address, HttpAddress.Connection connection) {
        this.address = address;
        this.connection = connection;
    }

    /**
     * Contacts nothing.
     *
     * @throws TroubleException if the address is none of an HTTP service
     */
    public static FactoryClient open(String address, NetworkTrouble troubles) throws TroubleException {
        String plain = address.replaceFirst("/+$", "");
        return new FactoryClient(plain, new HttpAddress(Service.FACTORY, "image factory", URI.create(plain), LIMITS, troubles)
                .connect());
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public Optional<String> schematic(String id) throws TroubleException, InterruptedException {
        HttpAnswer answer = http().get("schematics/" + id);
        return answer.status() == NOT_FOUND ? Optional.empty() : Optional.of(good(answer).body());
    }

    @Override
    public String post(String yaml) throws TroubleException, InterruptedException {
        Request request = new Request.Builder().url(http().at("schematics").build())
                .post(RequestBody.create(yaml, MediaType.get("application/yaml"))).build();
        return json(good(http().sendOnce(request))).path("id").asText();
    }

    @Override
    public List<String> extensions(String version) throws TroubleException, InterruptedException {
        return json(good(http().get("version/" + version + "/extensions/official"))).valueStream()
                .map(extension -> extension.path("name").asText()).toList();
    }

    private HttpReader http() {
        return connection.http();
    }

    private HttpAnswer good(HttpAnswer answer) throws TroubleException {
        if (answer.ok() && !answer.page()) {
            return answer;
        }
        if (answer.page()) {
            throw http().troubles().words().failure(Kind.PROTOCOL, http().place(), "factory.foreign");
        }
        String said = answer.body().lines().findFirst().filter(line -> !line.isBlank()).orElse(answer.reason());
        throw http().troubles().words().failure(Kind.REMOTE, http().place(), "factory.said", "status",
                Integer.toString(answer.status()), "said", said);
    }

    private JsonNode json(HttpAnswer answer) throws TroubleException {
        try {
            return JSON.readTree(answer.body());
        } catch (JsonProcessingException e) {
            throw http().troubles().words().failure(Kind.UNREADABLE, http().place(), "answer.garbled");
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
