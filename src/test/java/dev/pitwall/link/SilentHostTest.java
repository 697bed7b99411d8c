package dev.pitwall.link;

import dev.pitwall.card.Card;
import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorState;
import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.link.ssh.KnownHosts;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.Connection;
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

/** A host of the lab is switched off and on, as a site that is connected to it sees that. */
class SilentHostTest {
    private static final Duration OFTEN = Duration.ofMillis(500);
    private static final String CARD = "pve1/0000:01:00";

    @TempDir
    private Path dir;

    private static Card card(LiveSite site) {
        return site.view().cards().stream().filter(c -> c.id().equals(CARD)).findFirst().orElseThrow();
    }

    private static Connection connection(LiveSite site, Connection.Kind kind, String name) {
        return site.view().connections().stream().filter(c -> c.kind() == kind && c.name().equals(name)).findFirst()
                .orElseThrow();
    }

    private static boolean allLive(LiveSite site) {
        return !site.view().cards().isEmpty()
                && site.view().connections().stream().allMatch(c -> c.state() == Connection.State.LIVE)
                && card(site).floors().stream().noneMatch(f -> f.state() == FloorState.UNKNOWN);
    }

    @Test
    void itsApiItsShellItsWorkersShellAndKubeletFallSilentAndComeBack() throws Exception {
        InstantSource clock = InstantSource.system();
        NetworkTrouble troubles = new NetworkTrouble(new Words());
        try (Lab lab = Lab.start(LabOptions.garage(dir).withSpeed(20).withLoginPenalty(Duration.ZERO))) {
            SiteFile.Loaded loaded = new SiteFile(lab.siteFile()).read();
            HostLinks hosts = new HostLinks(loaded.secrets(), SecondFactor.NONE, clock, TimeLimits.usual(), troubles,
                    new KnownHosts(List.of()), Optional.empty());
            try (LiveSite site = new Sessions(new SystemLinks(hosts, TimeLimits.usual(), troubles, clock),
                    () -> new ReadIntervals(OFTEN, OFTEN, OFTEN, OFTEN), clock).open(loaded.site(), view -> { })) {
                await().until(() -> allLive(site));
                String node = card(site).node().orElseThrow();

                lab.switchOn("host-silent", Optional.of(CARD));

                await().untilAsserted(() -> {
                    assertThat(connection(site, Connection.Kind.PROXMOX, "pve1").state())
                            .isEqualTo(Connection.State.FAILING);
                    assertThat(connection(site, Connection.Kind.SHELL, "pve1").state())
                            .isEqualTo(Connection.State.FAILING);
                    assertThat(connection(site, Connection.Kind.SHELL, node).state())
                            .isEqualTo(Connection.State.FAILING);
                    assertThat(card(site).floor(Floor.DRIVER).summary()).isEqualTo("node is not ready");
                    assertThat(card(site).floors()).noneMatch(f -> f.state() == FloorState.OK);
                });

                lab.switchOff("host-silent");

                await().pollInterval(Duration.ofSeconds(2)).until(() -> {
                    site.readAgain();
                    return allLive(site) && card(site).floor(Floor.DRIVER).state() == FloorState.OK;
                });
            }
        }
    }
}
