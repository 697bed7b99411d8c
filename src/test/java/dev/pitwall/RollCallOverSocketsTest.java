package dev.pitwall;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** A machine with two equal cards, both of them in use, is called by the command line. */
class RollCallOverSocketsTest {
    @TempDir
    private static Path dir;
    private static Lab lab;

    @BeforeAll
    static void start() throws Exception {
        lab = Lab.start(LabOptions.garage(dir.resolve("lab")).withScene("metal").withSpeed(300));
    }

    @AfterAll
    static void stop() {
        lab.close();
    }

    private record Said(int exit, String out, String err) {
        JsonNode json() throws Exception {
            return new ObjectMapper().readTree(out);
        }
    }

    private static Said rollcall(String... more) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = new Commands(new PrintWriter(out), new PrintWriter(err)).run(Stream.concat(
                Stream.of("rollcall", "--site", lab.siteFile().toString()), Stream.of(more)).toArray(String[]::new));
        return new Said(exit, out.toString(), err.toString());
    }

    @Test
    void heldCardsAreNamedAndBothAnswerOnceTheirHoldersPause() throws Exception {
        Said unasked = rollcall();
        assertThat(unasked.exit()).isEqualTo(2);
        assertThat(unasked.err()).contains("anvil/0000:41:00").contains("--yes");

        Said held = rollcall("--yes", "--json");
        assertThat(held.exit()).as(held.out() + held.err()).isEqualTo(1);
        assertThat(held.json().path("cards")).hasSize(2).allSatisfy(card -> {
            assertThat(card.path("result").asText()).isEqualTo("not-tried");
            assertThat(card.path("why").asText()).contains("held by llm/");
        });

        Said paused = rollcall("--yes", "--json", "--pause");
        assertThat(paused.exit()).as(paused.out() + paused.err()).isZero();
        assertThat(paused.json().path("cards")).hasSize(2).allSatisfy(card -> {
            assertThat(card.path("result").asText()).isEqualTo("passed");
            assertThat(card.path("why").asText()).contains("Test PASSED");
            assertThat(card.path("run").asLong()).isPositive();
        });
    }
}
