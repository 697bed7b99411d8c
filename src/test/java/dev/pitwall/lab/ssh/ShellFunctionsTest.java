package dev.pitwall.lab.ssh;

import dev.pitwall.lab.ssh.command.LabCommands;
import dev.pitwall.lab.ssh.shell.Shell;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;

/** Scripts with functions and arguments. Every expected text is what bash 5.2 prints. */
class ShellFunctionsTest {
    private Shell shell;
    private int status;

    @BeforeEach
    void shell() throws Exception {
        shell = new Shell(new Machine("pve1", GarageWorld.fresh(), new LabTexts()), LabCommands.all());
    }

    private String run(String line) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        status = shell.run(line, InputStream.nullInputStream(), out, out);
        return out.toString(StandardCharsets.UTF_8).strip();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', quoteCharacter = '\0', value = {
        "f() { echo \"$# $1\"; }; f 'a b' c~2 a b",
        "f() { for x in \"$@\"; do echo \"<$x>\"; done; }; f 'a b' c~<a b>|<c>",
        "f() { for x; do echo \"<$x>\"; done; }; f~''",
        "f() { shift; echo \"$*\"; }; f 1 2 3~2 3",
        "f() { local x=in; echo $x; }; x=out; f; echo $x~in|out",
        "f() { local x; x=1; }; f; echo \"[$x]\"~[]",
        "f() { x=in; }; x=out; f; echo $x~in",
        "f() { return 3; echo no; }; f; echo $?~3",
        "f() { [ \"$1\" = a ] || return 1; }; f a && echo yes; f b || echo no~yes|no",
        "f() { cat; }; f <<< 'a  b'~a  b",
        "f() { cat > /tmp/f; }; f << 'E'|$x|E|cat /tmp/f~$x",
        "f() { exit 4; }; (f); echo $?; echo $(f)on~4|on",
        "f() { g; }; g() { echo g$1; }; f x~g",
        "d=7; echo ${KEEP:-$d} \"${KEEP:-a $d}\"~7 a 7",
        "set -o pipefail; false | true; echo $?; set +o pipefail; false | true; echo $?~1|0",
        "set -e; f() { false; echo on; }; if f; then :; fi; f; echo off~on",
        "touch /tmp/a /tmp/b; chmod 640 -- /tmp/a; chmod --reference=/tmp/a /tmp/b; stat -c %a /tmp/b~640",
        "touch /tmp/a /tmp/b; chown --reference=/tmp/a /tmp/b; echo $?~0",
    })
    void functionsAreCalledAsCommands(String script, String expected) throws IOException {
        assertThat(run(script.replace("|$x|E|", "\n$x\nE\n")))
                .isEqualTo(expected.equals("''") ? "" : expected.replace("|", "\n"));
    }

    @Test
    void aScriptHasItsArgumentsAndNoneOfTheFunctionsAroundIt() throws IOException {
        run("cat > /tmp/s << 'E'\necho \"$0 $# $2\"\nf\nE");
        assertThat(run("f() { echo no; }; bash /tmp/s a b")).startsWith("/tmp/s 2 b\n").contains("f: command not found");
        assertThat(run("bash -s x y < /tmp/s")).startsWith("bash 2 y\n");
    }

    @Test
    void aScriptCanBeCheckedWithoutBeingRun() throws IOException {
        run("printf 'touch /tmp/ran\\n' > /tmp/good; printf 'f() { \\n' > /tmp/bad");
        assertThat(run("bash -n /tmp/good; ls /tmp/ran")).contains("No such file");
        assertThat(run("bash -n /tmp/bad")).contains("syntax error");
        assertThat(status).isEqualTo(2);
    }

    @Test
    void whatBelongsInAFunctionIsRefusedOutsideOfOne() throws IOException {
        assertThat(run("local x")).contains("can only be used in a function");
        assertThat(run("return 3")).contains("can only `return'");
        assertThat(run("f() echo")).contains("syntax error");
    }
}
