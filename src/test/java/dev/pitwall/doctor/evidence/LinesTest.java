package dev.pitwall.doctor.evidence;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class LinesTest {

    private static List<String> lines(String text) throws IOException {
        Lines lines = new Lines(new StringReader(text));
        List<String> all = new ArrayList<>();
        for (String line = lines.next(); line != null; line = lines.next()) {
            all.add(line);
        }
        return all;
    }

    @Test
    void everyWayToEndALineEndsOne() throws IOException {
        assertThat(lines("one\ntwo\r\nthree\rfour")).containsExactly("one", "two", "three", "four");
        assertThat(lines("\n\r\n\n")).containsExactly("", "", "");
        assertThat(lines("")).isEmpty();
    }

    @Test
    void coloursAndOtherControlCharactersAreNoPartOfALine() throws IOException {
        assertThat(lines("\u001B[1;31mERROR\u001B[0m no\u0007 device\u0000")).containsExactly("ERROR no device");
    }

    @Test
    void aLineWithoutEndIsCutAndTheTextGoesOnAfterIt() throws IOException {
        List<String> lines = lines("x".repeat(5 * Lines.LONGEST) + "\nnext");
        assertThat(lines).hasSize(2);
        assertThat(lines.getFirst()).hasSize(Lines.LONGEST);
        assertThat(lines.getLast()).isEqualTo("next");
    }
}
