package dev.pitwall.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.read.InputFile;
import dev.pitwall.read.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.SequenceInputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import static org.assertj.core.api.Assertions.assertThat;

class ReadCommandTest {

    private static final String LIST = "GPU 0: NVIDIA A10 (UUID: GPU-f15ae561-21b1-6003-c768-861fc285203b)\n";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int run(InputStream input, Object... arguments) {
        CommandLine line = new ReadCommand(input).commandLine();
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return line.execute(Arrays.stream(arguments).map(Object::toString).toArray(String[]::new));
    }

    private int run(Object... arguments) {
        return run(InputStream.nullInputStream(), arguments);
    }

    private Path file(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name), text);
    }

    private JsonNode json() throws Exception {
        return new ObjectMapper().readTree(out.toString());
    }

    @Test
    void oneFileIsOneDocument() throws Exception {
        assertThat(run("--json", file("holiday.jpg", LIST))).isZero();
        assertThat(json().path("kind").asText()).isEqualTo("nvidia-smi");
        assertThat(json().path("gpus").get(0).path("memoryTotalMiB").isNull()).isTrue();
        assertThat(json().path("gpus").get(0).has("temperatureC")).isTrue();
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void severalFilesAreOneDocumentTooAndOneThatFailsDoesNotHideTheOthers() throws Exception {
        int exit = run("--json", file("a", LIST), folder.resolve("missing"), file("b", LIST));
        assertThat(exit).isEqualTo(2);
        assertThat(json().path("files")).hasSize(3);
        assertThat(json().path("files").get(1).path("error").asText()).contains("missing");
        assertThat(json().path("files").get(2).path("kind").asText()).isEqualTo("nvidia-smi");
        assertThat(err.toString()).contains("missing: there is no such file").doesNotContain("Exception");
    }

    @Test
    void standardInputIsADash() throws Exception {
        assertThat(run(new ByteArrayInputStream(LIST.getBytes(StandardCharsets.UTF_8)), "-", "--json")).isZero();
        assertThat(json().path("gpus")).hasSize(1);
    }

    @Test
    void withoutJsonAPersonGetsATable() throws Exception {
        assertThat(run(file("a", LIST))).isZero();
        assertThat(out.toString()).contains("nvidia-smi").contains("NVIDIA A10").contains("index");
    }

    @Test
    void whatIsNotRecognisedNamesFileAndLineInAShortSentence() throws Exception {
        assertThat(run("--json", file("notes.txt", "\nmilk\neggs\n"))).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("notes.txt line 2: not recognised").contains("milk")
                .contains("pitwall read --help").hasSizeLessThan(160);
    }

    @Test
    void unreadableInputIsOneSentence() throws Exception {
        Files.write(folder.resolve("binary"), new byte[] {0x7f, 'E', 'L', 'F', 0, 0, 0, 1, 0, 0, 0, 0, 7, 0, 0, 0});
        Files.write(folder.resolve("packed"), new byte[] {0x1f, (byte) 0x8b, 8, 0});
        file("empty", "");
        file("blank", " \n\n");
        assertThat(run(folder.resolve("binary"), folder.resolve("packed"), folder.resolve("empty"), folder.resolve("blank"), folder))
                .isEqualTo(2);
        assertThat(err.toString().lines()).hasSize(5);
        assertThat(err.toString()).contains("binary: it is a binary file").contains("packed: it is compressed")
                .contains("empty: it is empty").contains("blank: it holds blanks only").contains("this is a folder");
    }

    @Test
    void powerShellsUtf16IsRead() throws Exception {
        byte[] text = ("\uFEFF" + LIST.replace("\n", "\r\n")).getBytes(StandardCharsets.UTF_16LE);
        Files.write(folder.resolve("smi.txt"), text);
        assertThat(run("--json", folder.resolve("smi.txt"))).isZero();
        assertThat(json().path("gpus").get(0).path("name").asText()).isEqualTo("NVIDIA A10");
        assertThat(json().path("notes").get(0).asText()).contains("UTF-16");
    }

    @Test
    void aByteThatIsNotUtf8DoesNotHideTheRest() throws Exception {
        Files.write(folder.resolve("latin"), (LIST + "caf\u00e9\n").getBytes(StandardCharsets.ISO_8859_1));
        assertThat(run("--json", folder.resolve("latin"))).isZero();
        assertThat(json().path("gpus")).hasSize(1);
        assertThat(json().path("notes").get(0).asText()).contains("Windows-1252");
    }

    @Test
    void aHugeFileIsReadUpToItsLimit() throws Exception {
        byte[] line = LIST.getBytes(StandardCharsets.UTF_8);
        byte[] filler = new byte[InputFile.MOST_BYTES];
        Arrays.fill(filler, (byte) ' ');
        InputFile file = InputFile.of("x", new SequenceInputStream(new ByteArrayInputStream(line), new ByteArrayInputStream(filler)));
        assertThat(file.text()).hasSize(InputFile.MOST_BYTES).startsWith("GPU 0");
        assertThat(file.notes()).containsExactly("only the first 64 MiB were read");
    }

    @Test
    void badUseIsExitCodeTwo() {
        assertThat(run()).isEqualTo(2);
        assertThat(run("--nonsense", "x")).isEqualTo(2);
    }

    @Test
    void theHelpAndTheGuideNameEveryKind() throws Exception {
        assertThat(run("--help")).isZero();
        String guide = Files.readString(Path.of("docs/guide/read.md"));
        for (Kind kind : Kind.values()) {
            assertThat(out.toString()).contains(kind.wireName());
            assertThat(guide).contains("| `" + kind.wireName() + "` |");
        }
    }
}
