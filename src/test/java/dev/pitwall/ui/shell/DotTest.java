package dev.pitwall.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.site.Connection;
import dev.pitwall.ui.SampleSite;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DotTest {

    private final Texts texts = new Texts();

    @Test
    void whatFailsComesFirstWithWordsAndTheRestIsOneDotAKind() {
        assertThat(Dot.of(SampleSite.connections(), SampleSite.NOW, texts)).containsExactly(
                new Dot(Dot.State.FAILING, "pve4 no answer", "4 min"), new Dot(Dot.State.LIVE, "Cluster", "1 s"),
                new Dot(Dot.State.LIVE, "Prometheus", "11 s"), new Dot(Dot.State.LIVE, "Models", "1 s"));
    }

    @Test
    void severalShellsAreCountedAndTheOldestAgeShows() {
        List<Connection> shells = List.of(SampleSite.live(Connection.Kind.SHELL, "pve1", 1),
                SampleSite.live(Connection.Kind.SHELL, "pve2", 3), SampleSite.live(Connection.Kind.SHELL, "pve3", 2));
        assertThat(Dot.of(shells, SampleSite.NOW, texts))
                .containsExactly(new Dot(Dot.State.LIVE, "SSH 3 hosts", "3 s"));
    }

    @Test
    void dataOlderThanTwiceItsIntervalIsStale() {
        assertThat(Dot.of(List.of(SampleSite.live(Connection.Kind.CLUSTER, "cluster", 21)), SampleSite.NOW, texts))
                .containsExactly(new Dot(Dot.State.STALE, "Cluster", "21 s"));
    }

    @Test
    void aNarrowWindowGetsOneSummary() {
        assertThat(Dot.summary(SampleSite.connections(), SampleSite.NOW, texts))
                .contains(new Dot(Dot.State.FAILING, "1 of 5 fail", ""));
        assertThat(Dot.summary(List.of(SampleSite.live(Connection.Kind.CLUSTER, "c", 1),
                SampleSite.live(Connection.Kind.MODELS, "m", 6)), SampleSite.NOW, texts))
                .contains(new Dot(Dot.State.LIVE, "2 connected", "6 s"));
        assertThat(Dot.summary(List.of(), SampleSite.NOW, texts)).isEmpty();
    }

    @Test
    void beforeTheFirstAnswerTheDotSaysReading() {
        Connection first = new Connection(Connection.Kind.CLUSTER, "c", Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty(), Duration.ofSeconds(5));
        assertThat(Dot.summary(List.of(first), SampleSite.NOW, texts))
                .contains(new Dot(Dot.State.READING, "reading …", ""));
    }
}
