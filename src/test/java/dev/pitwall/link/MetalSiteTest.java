package dev.pitwall.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorState;
import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabOptions;
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
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** One bare-metal node with two cards and a model server on each. */
class MetalSiteTest {
    @TempDir
    private Path dir;

    @Test
    void eachCardHasTheServerWhosePodHoldsIt() throws Exception {
        NetworkTrouble troubles = new NetworkTrouble(new Words());
        InstantSource clock = InstantSource.system();
        try (Lab lab = Lab.start(LabOptions.garage(dir).withScene("metal"))) {
            SiteFile.Loaded loaded = new SiteFile(lab.siteFile()).read();
            HostLinks hosts = new HostLinks(loaded.secrets(), SecondFactor.NONE, clock, TimeLimits.usual(), troubles,
                    new KnownHosts(List.of()), Optional.empty());
            try (LiveSite live = new Sessions(new SystemLinks(hosts, TimeLimits.usual(), troubles, clock),
                    ReadIntervals::usual, clock).open(loaded.site(), view -> { })) {
                await().untilAsserted(() -> assertThat(live.view().cards())
                        .extracting(card -> card.floor(Floor.SERVER).summary()).satisfiesExactlyInAnyOrder(
                                ollama -> assertThat(ollama).startsWith("ollama ready"),
                                llama -> assertThat(llama).startsWith("llama ready")));
                assertThat(live.view().cards()).allMatch(card -> card.floor(Floor.SERVER).state() == FloorState.OK);
            }
        }
    }
}
