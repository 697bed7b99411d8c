package dev.pitwall.link;

import dev.pitwall.card.Card;
import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorState;
import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.lab.scene.Fleet;
import dev.pitwall.link.ssh.KnownHosts;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.LiveSite;
import dev.pitwall.site.ReadIntervals;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.site.Sessions;
import dev.pitwall.store.SiteFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Nodes with several cards each, read over real sockets: every card is itself on every floor. */
class FleetSiteTest {

    @TempDir
    private Path dir;

    @Test
    void everyCardOfANodeWithSeveralIsToldFromItsNeighbours() throws Exception {
        InstantSource clock = InstantSource.system();
        NetworkTrouble troubles = new NetworkTrouble(new Words());
        LabOptions options = LabOptions.garage(dir).withFleet(new Fleet.Size(2, 8, 12, 60))
                .withLoginPenalty(Duration.ZERO);
        try (Lab lab = Lab.start(options)) {
            SiteFile.Loaded loaded = new SiteFile(lab.siteFile()).read();
            HostLinks hosts = new HostLinks(loaded.secrets(), SecondFactor.NONE, clock, TimeLimits.usual(), troubles,
                    new KnownHosts(List.of()), Optional.empty());
            try (LiveSite site = new Sessions(new SystemLinks(hosts, TimeLimits.usual(), troubles, clock),
                    ReadIntervals::usual, clock).open(loaded.site(), view -> { })) {
                await().untilAsserted(() -> {
                    List<Card> seen = site.view().cards();
                    assertThat(seen.stream().filter(card -> card.address().isPresent()).count()).isEqualTo(8);
                    assertThat(seen.stream().flatMap(card -> card.floors().stream().filter(f -> !f.settled())
                            .map(f -> card.id() + " " + f.floor() + " " + f.summary())).toList()).isEmpty();
                });

                List<Card> cards = site.view().cards();
                assertThat(cards).hasSize(8);
                assertThat(cards).extracting(c -> c.uuid().orElseThrow()).doesNotHaveDuplicates();
                assertThat(cards).extracting(c -> c.floor(Floor.TELEMETRY).state()).containsOnly(FloorState.OK);
                List<String> truth = lab.world().read(w -> w.cards.values().stream()
                        .map(card -> card.id + " " + card.uuid).sorted().toList());
                assertThat(cards.stream().map(c -> c.id() + " " + c.uuid().orElseThrow()).sorted().toList())
                        .isEqualTo(truth);
                assertThat(cards.stream().flatMap(c -> c.server().stream()).toList()).doesNotHaveDuplicates();
            }
        }
    }
}
