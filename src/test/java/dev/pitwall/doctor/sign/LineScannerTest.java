package dev.pitwall.doctor.sign;

import dev.pitwall.doctor.catalogue.SignRef;
import dev.pitwall.doctor.sign.Sign.About;
import org.junit.jupiter.api.Test;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

class LineScannerTest {

    @Test
    void aPatternIsTriedOnEveryLineItCouldMatch() {
        List<String> patterns = List.of("nouveau .* fifo", "(?:Loading|loading) of unsigned", "a|bc", "exit code \\d+",
                "Xid \\(PCI:[^)]+\\): 79");
        GramFilter filter = new GramFilter(patterns);
        assertThat(tried(filter, "[ 3.1] NOUVEAU 0000:01:00.0: fifo: x")).contains(0).doesNotContain(1, 3, 4);
        assertThat(tried(filter, "Loading of unsigned module")).contains(1);
        assertThat(tried(filter, "zzz")).isEmpty();
        assertThat(tried(filter, "zaz")).containsExactly(2);
        assertThat(tried(filter, "nouveau 0000:01:00.0: disp: x")).doesNotContain(0);
        assertThat(tried(filter, "NVRM: Xid (PCI:0000:01:00): 79, pid=1")).contains(4);
    }

    private static List<Integer> tried(GramFilter filter, String line) {
        BitSet found = new BitSet();
        filter.candidates(line, found);
        return found.stream().boxed().toList();
    }

    @Test
    void theTextThatAMatchMustHaveIsReadFromTheExpression() {
        assertThat(Literals.of("failed to (?:find|get) runtime handler")).containsExactly(" runtime handler");
        assertThat(Literals.of("foo?bar|baz[a|b]qux")).containsExactly("bar", "baz");
        assertThat(Literals.of("\\d+\\.log")).containsExactly(".log");
        assertThat(Literals.of("(?:image|pull) \\w+: (?:not found|(?P<why>gone away))(?:!!!!!!!!!)?"))
                .containsExactly("not found", "gone away");
    }

    @Test
    void aLogThatIsWrappedInJsonIsReadByItsMessage() {
        assertThat(LogLine.said("{\"MESSAGE\":\"NVRM: API mismatch\",\"_TRANSPORT\":\"kernel\"}")).isEqualTo("NVRM: API mismatch");
        assertThat(LogLine.said("{\"level\":\"error\",\"msg\":\"no devices\",\"error\":\"nvml: Unknown\"}"))
                .isEqualTo("no devices nvml: Unknown");
        assertThat(LogLine.said("{\"MESSAGE\":[110,111]}")).isEqualTo("no");
        assertThat(LogLine.said("{not json, msg \"msg\"}")).isEqualTo("{not json, msg \"msg\"}");
    }

    @Test
    void aMillionAlikeLinesTakeNoMoreRoomThanAFew() {
        SignBook book = new SignBook();
        for (int i = 0; i < 1000; i++) {
            book.add(new Sign("same", About.NOTHING, Map.of(), Optional.of(new Cited("log", i, "line"))));
        }
        assertThat(book.all()).hasSizeLessThan(10);
    }

    private static List<String> taints(String line) {
        SignBook book = new SignBook();
        LineScanner scanner = new LineScanner(SignTable.load(), book);
        scanner.begin("events", Hint.UNKNOWN, About.NOTHING);
        scanner.line(line);
        scanner.end();
        return book.find(SignRef.of("untolerated-taint")).stream().map(sign -> sign.values().getOrDefault("taint", "")).toList();
    }

    @Test
    void whatIsExceptedIsPassedOverAndTheSameWordingFurtherOnInTheLineStillCounts() {
        String masters = "0/3 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }";
        assertThat(taints(masters + ".")).isEmpty();
        assertThat(taints(masters + ", 2 node(s) had untolerated taint {team: ml}.")).isNotEmpty();
        assertThat(taints("0/3 nodes are available: 2 node(s) had untolerated taint {team: ml}, 1 node(s) had untolerated taint"
                + " {node-role.kubernetes.io/control-plane: }.")).isNotEmpty();
    }
}
