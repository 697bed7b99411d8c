package dev.pitwall.link.http;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.ScriptedServer;
import dev.pitwall.link.ScriptedServer.Reply;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Service;
import dev.pitwall.link.trust.Words;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class HttpReaderTest {
    private final AtomicInteger asked = new AtomicInteger();

    private HttpReader reader(ScriptedServer server, OkHttpClient client) {
        return new HttpReader(client, HttpUrl.get(server.uri()), Place.of(Service.MODELS, "here", server.uri()),
                TestLimits.PATIENT, new NetworkTrouble(new Words()));
    }

    @Test
    void aReadThatTheServerCutsIsAskedOnceMore() throws Exception {
        OkHttpClient client = HttpClients.usual();
        try (ScriptedServer server = ScriptedServer.plain(request -> asked.incrementAndGet() == 1
                ? Reply.json("{\"a\":1}").cutAfter("{") : Reply.json("{\"a\":1}"));
             HttpReader reader = reader(server, client)) {
            assertThat(reader.get("x").body()).isEqualTo("{\"a\":1}");
            assertThat(asked).hasValue(2);
        }
        HttpClients.close(client);
    }

    @Test
    void aReadThatIsCutTwiceIsATroubleAndAWriteIsNeverRepeated() {
        OkHttpClient client = HttpClients.usual();
        try (ScriptedServer server = ScriptedServer.plain(request -> {
            asked.incrementAndGet();
            return Reply.json("{\"a\":1}").cutAfter("{");
        }); HttpReader reader = reader(server, client)) {
            Trouble trouble = catchThrowableOfType(TroubleException.class, () -> reader.get("x")).trouble();
            assertThat(trouble.kind()).isEqualTo(Trouble.Kind.CONNECT);
            assertThat(asked).hasValue(2);

            asked.set(0);
            Request write = new Request.Builder().url(reader.at("x").build()).post(RequestBody.create(new byte[0]))
                    .build();
            assertThat(catchThrowableOfType(TroubleException.class, () -> reader.send(write))).isNotNull();
            assertThat(asked).hasValue(1);
        }
        HttpClients.close(client);
    }
}
