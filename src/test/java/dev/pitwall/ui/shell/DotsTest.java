package dev.pitwall.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.card.Trouble;
import dev.pitwall.site.Connection;
import dev.pitwall.ui.SampleSite;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DotsTest {

    private final Texts texts = new Texts();

    @Test
    void whatFailsComesFirstWithWordsAndTheRestIsOneDotAKind() {
        assertThat(ways(SampleSite.connections()).getFirst()).containsExactly(
                new Dot(Dot.State.FAILING, "pve4 no answer", "4 min"), new Dot(Dot.State.LIVE, "Cluster", "1 s"),
                new Dot(Dot.State.LIVE, "Prometheus", "11 s"), new Dot(Dot.State.LIVE, "Models", "1 s"));
    }

    @Test
    void severalShellsAreCountedAndTheOldestAgeShows() {
        List<Connection> shells = List.of(SampleSite.live(Connection.Kind.SHELL, "pve1", 1),
                SampleSite.live(Connection.Kind.SHELL, "pve2", 3), SampleSite.live(Connection.Kind.SHELL, "pve3", 2));
        assertThat(ways(shells).getFirst()).containsExactly(new Dot(Dot.State.LIVE, "SSH 3 hosts", "3 s"));
    }

    @Test
    void dataOlderThanTwiceItsIntervalIsStale() {
        assertThat(ways(List.of(SampleSite.live(Connection.Kind.CLUSTER, "cluster", 21))).getFirst())
                .containsExactly(new Dot(Dot.State.STALE, "Cluster", "21 s"));
    }

    @Test
    void withLessRoomTheHostsBecomeOneDotAndAtLastEverythingDoes() {
        List<Connection> all = List.of(SampleSite.live(Connection.Kind.PROXMOX, "pve1", 2),
                SampleSite.live(Connection.Kind.SHELL, "pve1", 4), SampleSite.live(Connection.Kind.CLUSTER, "c", 1));
        assertThat(ways(all)).containsExactly(
                List.of(new Dot(Dot.State.LIVE, "Proxmox", "2 s"), new Dot(Dot.State.LIVE, "SSH", "4 s"),
                        new Dot(Dot.State.LIVE, "Cluster", "1 s")),
                List.of(new Dot(Dot.State.LIVE, "Hosts", "4 s"), new Dot(Dot.State.LIVE, "Cluster", "1 s")),
                List.of(new Dot(Dot.State.LIVE, "3 connected", "4 s")));
    }

    @Test
    void manyFailuresAreCountedAndTheSummaryIsLast() {
        List<Connection> all = new ArrayList<>();
        for (int i = 1; i <= 6; i++) {
            all.add(failing(Connection.Kind.PROXMOX, "pve" + i));
        }
        all.add(SampleSite.live(Connection.Kind.CLUSTER, "c", 1));
        List<List<Dot>> ways = ways(all);
        assertThat(labels(ways.getFirst())).containsExactly("pve1 no answer", "pve2 no answer", "pve3 no answer",
                "3 more fail", "Cluster");
        assertThat(labels(ways.get(ways.size() - 2))).containsExactly("pve1 no answer", "5 more fail");
        assertThat(labels(ways.getLast())).containsExactly("6 of 7 fail");
    }

    @Test
    void aHostThatIsOffIsOneTriangleAlthoughAllItsConnectionsFail() {
        List<Connection> all = List.of(failing(Connection.Kind.PROXMOX, "pve1"), failing(Connection.Kind.SHELL, "pve1"),
                SampleSite.live(Connection.Kind.PROXMOX, "pve2", 1));
        assertThat(labels(ways(all).getFirst())).containsExactly("pve1 no answer");
    }

    @Test
    void aLongNameLeavesRoomForItsTrouble() {
        List<Connection> all = List.of(failing(Connection.Kind.SHELL, "a-very-long-host-name-in-the-third-rack"));
        assertThat(labels(ways(all).getFirst())).containsExactly("a-very-long-host-na… no answer");
    }

    @Test
    void beforeTheFirstAnswerTheDotSaysReading() {
        Connection first = new Connection(Connection.Kind.CLUSTER, "c", Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty(), Duration.ofSeconds(5));
        assertThat(ways(List.of(first)).getLast()).containsExactly(new Dot(Dot.State.READING, "reading …", ""));
    }

    @Test
    void aSiteWithoutConnectionsHasNoDot() {
        assertThat(ways(List.of())).isEmpty();
    }

    private List<List<Dot>> ways(List<Connection> connections) {
        return Dots.arrangements(connections, SampleSite.NOW, texts);
    }

    private static List<String> labels(List<Dot> dots) {
        return dots.stream().map(Dot::label).toList();
    }

    private static Connection failing(Connection.Kind kind, String name) {
        return new Connection(kind, name, Optional.empty(),
                Optional.of(new Trouble(Trouble.Kind.TIMEOUT, name, "no answer within 10 s", "Check that it is on.")),
                Optional.of(SampleSite.NOW.minusSeconds(30)), Optional.of(SampleSite.NOW.plusSeconds(5)),
                Duration.ofSeconds(10));
    }
}
