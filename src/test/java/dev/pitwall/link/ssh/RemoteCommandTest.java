package dev.pitwall.link.ssh;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A shell gets back exactly the arguments that were given. */
class RemoteCommandTest {
    private static final Duration LIMIT = Duration.ofSeconds(1);

    @Test
    void ordinaryWordsStayAsTheyAre() {
        assertThat(RemoteCommand.of(LIMIT, "cat", "/sys/class/dmi/id/product_uuid").line())
                .isEqualTo("cat /sys/class/dmi/id/product_uuid");
    }

    @Test
    void whatAShellWouldReadIsQuoted() {
        assertThat(RemoteCommand.of(LIMIT, "echo", "it's $HOME; rm -rf /", "").line())
                .isEqualTo("echo 'it'\\''s $HOME; rm -rf /' ''");
    }

    @Test
    void aNulIsRefused() {
        assertThatThrownBy(() -> RemoteCommand.of(LIMIT, "echo", "a\0b")).isInstanceOf(IllegalArgumentException.class);
    }

    @Property(tries = 300)
    void splittingTheLineGivesTheArgumentsBack(@ForAll @Size(min = 1, max = 5) List<String> arguments) {
        List<String> plain = arguments.stream().map(a -> a.replace("\0", "")).toList();
        assertThat(split(new RemoteCommand(plain, LIMIT).line())).isEqualTo(plain);
    }

    /** POSIX splitting of single quotes, backslashes and blanks, which is all that the quoting may rely on. */
    private static List<String> split(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean quoted = false;
        boolean any = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '\'') {
                quoted = !quoted;
                any = true;
            } else if (quoted) {
                word.append(c);
            } else if (c == '\\') {
                word.append(line.charAt(++i));
            } else if (c == ' ') {
                words.add(word.toString());
                word.setLength(0);
                any = false;
            } else {
                word.append(c);
                any = true;
            }
        }
        if (any || !word.isEmpty() || line.endsWith(" ")) {
            words.add(word.toString());
        }
        return words;
    }
}
