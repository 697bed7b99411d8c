package dev.pitwall.lab.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.lab.ssh.command.LabCommands;
import dev.pitwall.lab.ssh.shell.Shell;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShellLoopsTest {
    private Shell shell;

    @BeforeEach
    void shell() throws Exception {
        shell = new Shell(new Machine("pve1", GarageWorld.fresh(), new LabTexts()), LabCommands.all());
    }

    private String run(String line) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        shell.run(line, InputStream.nullInputStream(), out, out);
        return out.toString(StandardCharsets.UTF_8).strip();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"1 + 2 * 3|7", "(1+2)*3|9", "10 / 3|3", "10 % 3|1", "-2 - -3|1", "2 < 3|1",
        "x + 1|6", "$x * $x|25", "unset + 1|1", "1 == 1 && 2 != 2|0", "|0", "$(echo 4) + 1|5"})
    void arithmeticIsDoneAsAShellDoesIt(String expression, String value) throws IOException {
        run("x=5");
        assertThat(run("echo $((" + (expression == null ? "" : expression) + "))")).isEqualTo(value);
    }

    @Test
    void aCounterCountsUpToItsLimit() throws IOException {
        assertThat(run("i=0; until [ $i -ge 3 ]; do i=$((i+1)); echo n$i; done")).isEqualTo("n1\nn2\nn3");
    }

    @Test
    void loopsAreLeftAndGoneOnWith() throws IOException {
        assertThat(run("for i in 1 2 3 4; do if [ $i = 2 ]; then continue; fi; if [ $i = 4 ]; then break; fi; echo $i; done"))
                .isEqualTo("1\n3");
        assertThat(run("for i in 1 2; do for j in a b; do echo $i$j; break 2; done; done; echo out"))
                .isEqualTo("1a\nout");
    }

    @Test
    void whatCannotBeComputedFails() throws IOException {
        assertThat(run("echo $((1 / 0))")).isEqualTo("bash: divide by zero");
        assertThat(run("echo $?")).isEqualTo("2");
        assertThat(run("echo $((1 +))")).contains("arithmetic syntax error");
    }

    @Test
    void aProgramThatTheShellBecomesIsItsLast() throws IOException {
        assertThat(run("sh -c 'exec echo last; echo never'; echo after")).isEqualTo("last\nafter");
    }

    @Test
    void standardStreamsHaveNames() throws IOException {
        assertThat(run("echo a > /dev/stderr; echo b > /dev/stdout")).isEqualTo("a\nb");
    }
}
