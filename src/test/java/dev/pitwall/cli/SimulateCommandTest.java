package dev.pitwall.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

class SimulateCommandTest {
    private static final String TRACE = """
            timeMs,model,promptTokens,outputTokens
            0,a,200,50
            20000,b,200,50
            40000,a,200,50
            """;
    private static final String FLEET = """
            {"providers": [
              {"id": "p0", "node": "n0", "vramMiB": 1100, "reserveMiB": 100, "loadMiBPerSecond": 100, "maxParallel": 1}],
             "models": [
              {"name": "a", "weightsMiB": 600, "kvKiBPerToken": 0, "contextTokens": 8192, "tokensPerSecond": 50},
              {"name": "b", "weightsMiB": 700, "kvKiBPerToken": 0, "contextTokens": 8192, "tokensPerSecond": 50}],
             "pins": []}
            """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private Path trace;
    private Path fleet;

    @BeforeEach
    void files() throws Exception {
        trace = Files.writeString(folder.resolve("trace.csv"), TRACE);
        fleet = Files.writeString(folder.resolve("fleet.json"), FLEET);
    }

    private int run(String... more) {
        Output output = new Output(new PrintWriter(out), new PrintWriter(err));
        return new CommandLine(new SimulateCommand(output)).execute(more);
    }

    private int simulate(String policies, String... more) {
        String[] all = new String[6 + more.length];
        System.arraycopy(new String[] {"--trace", trace.toString(), "--fleet", fleet.toString(), "--policy", policies}, 0,
                all, 0, 6);
        System.arraycopy(more, 0, all, 6, more.length);
        return run(all);
    }

    private void traceIs(String text) throws Exception {
        Files.writeString(trace, text);
    }

    private void fleetHas(String instead, String text) throws Exception {
        assertThat(FLEET).contains(instead);
        Files.writeString(fleet, FLEET.replace(instead, text));
    }

    @Test
    void jsonHasTheFieldsOthersRelyOn() throws Exception {
        assertThat(simulate("lru,unlimited", "--json")).isZero();
        JsonNode policies = new ObjectMapper().readTree(out.toString()).path("policies");
        assertThat(policies).hasSize(2);
        JsonNode lru = policies.get(0);
        assertThat(lru.path("policy").asText()).isEqualTo("lru");
        assertThat(lru.path("requests").asInt()).isEqualTo(3);
        assertThat(lru.path("coldStarts").asInt()).isEqualTo(3);
        assertThat(lru.path("loadSeconds").asDouble()).isEqualTo(7 + 8 + 7);
        assertThat(lru.path("bytesLoaded").asLong()).isEqualTo(1900L << 20);
        assertThat(lru.path("evictions").asInt()).isEqualTo(2);
        assertThat(lru.path("waitP50Ms").asDouble()).isEqualTo(8000);
        assertThat(lru.path("waitP95Ms").asDouble()).isEqualTo(9000);
        assertThat(lru.path("refused").isObject()).isTrue();
        assertThat(lru.path("pinViolations").isInt() && lru.path("interrupted").isInt()).isTrue();
        assertThat(lru.path("decideP99Micros").isNumber()).isTrue();
        assertThat(policies.get(1).path("loadSeconds").asDouble()).isEqualTo(15);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aPersonGetsOneRowAPolicy() {
        assertThat(simulate("pitwall, ollama")).isZero();
        assertThat(out.toString().lines()).hasSize(3);
        assertThat(out.toString()).contains("loading s").contains("pitwall").contains("ollama").contains("none");
    }

    @Test
    void linesOutOfOrderArePutInOrderAndThatIsSaid() throws Exception {
        traceIs("model,timeMs,outputTokens,promptTokens\nb,20000,50,200\na,0,50,200\na,40000,50,200\n");
        assertThat(simulate("lru", "--json")).isZero();
        assertThat(err.toString()).contains("trace.csv").contains("put in order");
        assertThat(new ObjectMapper().readTree(out.toString()).path("policies").get(0).path("loadSeconds").asDouble())
                .isEqualTo(22);
    }

    @Test
    void aPolicyThatDoesNotExistIsBadUseAndTheOthersAreNamed() {
        assertThat(simulate("lru,best")).isEqualTo(2);
        assertThat(err.toString()).contains("--policy").contains("\"best\"").contains("gdsf");
    }

    @Test
    void aPolicyMayBeWrittenInCapitals() {
        assertThat(simulate("LRU,Largest-First")).isZero();
    }

    @Test
    void anotherSeparatorIsNamed() throws Exception {
        badTrace(TRACE.replace(',', ';'), "line 1", "the separator is \";\", and a trace has commas");
        badTrace(TRACE.replace(',', '\t'), "line 1", "the separator is a tab, and a trace has commas");
    }

    @Test
    void aTraceThatCannotBeUsedIsNamedWithItsLine() throws Exception {
        badTrace("timeMs,model,promptTokens\n", "line 1", "outputTokens is missing");
        badTrace(TRACE + "-5,a,1,1\n", "line 5", "timeMs -5 is below zero");
        badTrace(TRACE + "5,a,x,1\n", "line 5", "\"x\" is no number");
        badTrace(TRACE + "5,a,NaN,1\n", "line 5", "no finite number");
        badTrace(TRACE + "5,c,1,1\n", "line 5", "no model \"c\"");
        badTrace(TRACE + "5,a\n", "line 5", "promptTokens is missing");
        badTrace(TRACE + "99999999999999999999,a,1,1\n", "line 5", "is too large");
        badTrace("timeMs,model,promptTokens,outputTokens\n", "trace.csv", "it has no request");
        badTrace("", "trace.csv", "empty");
    }

    private void badTrace(String text, String... said) throws Exception {
        traceIs(text);
        assertBad(said);
    }

    @Test
    void aFleetThatCannotBeUsedIsNamedWithItsLine() throws Exception {
        badFleet("\"name\": \"b\"", "\"name\": \"a\"", "line 5", "\"a\" like one before it");
        badFleet("\"pins\": []", "\"pins\": [\n{\"model\": \"c\", \"provider\": \"p0\"}]", "line 7",
                "names the model \"c\", which is not there");
        badFleet("\"pins\": []", "\"pins\": [{\"model\": \"a\", \"provider\": \"p0\"},\n {\"model\": \"b\", \"provider\": \"p0\"}]",
                "line 7", "300 MiB are missing on p0");
        badFleet("\"vramMiB\": 1100", "\"vramMiB\": -1", "line 2", "vramMiB is below zero");
        badFleet("\"vramMiB\": 1100", "\"vramMiB\": 1e30", "line 2", "vramMiB is too large");
        badFleet("\"loadMiBPerSecond\": 100, ", "", "line 2", "has no number \"loadMiBPerSecond\"");
        badFleet("\"maxParallel\": 1", "\"maxParallel\": 0", "line 2", "maxParallel");
        badFleet("\"models\"", "\"modules\"", "fleet.json", "it has no models");
        badFleet("\"pins\": []}", "\"pins\": [", "line 7", "no JSON");
        badFleet("\"providers\": [", "\"providers\": [[],", "line 1", "is no object");
    }

    private void badFleet(String instead, String text, String... said) throws Exception {
        fleetHas(instead, text);
        assertBad(said);
    }

    private void assertBad(String... said) {
        err.getBuffer().setLength(0);
        assertThat(simulate("lru")).isEqualTo(2);
        assertThat(err.toString()).contains(said).doesNotContain("Exception");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aFileThatIsNotThereIsSaid() {
        trace = folder.resolve("other.csv");
        assertBad("--trace", "other.csv", "there is no such file");
    }
}
