package dev.pitwall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pitwall.engine.charge.Charge;
import dev.pitwall.engine.live.LiveEngine;
import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.engine.live.ProviderId;
import dev.pitwall.engine.live.ProviderView;
import dev.pitwall.engine.live.ProviderView.State;
import dev.pitwall.engine.live.Wish;
import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.site.LiveSite;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.site.Site;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The engine as wired, at a whole lab whose model servers it finds in the cluster and reaches through the API server. */
class LiveEngineLabTest {
    private static final ProviderId OLLAMA = new ProviderId("ollama-c");
    private static final ModelName GEMMA = new ModelName("gemma3:4b");

    @TempDir
    private Path dir;

    @Test
    void aModelIsPlacedAndTakenAwayThroughTheApiServer() throws Exception {
        try (Lab lab = Lab.start(LabOptions.garage(dir)); Wiring wiring = new Wiring();
             LiveSite live = wiring.liveSites(SecondFactor.NONE).open(found(wiring.site(lab.siteFile().toString())), _ -> { });
             LiveEngine engine = wiring.engine(live)) {
            await().atMost(Duration.ofSeconds(60)).until(() -> engine.view().providers().size() == 3
                    && engine.view().providers().stream().allMatch(p -> p.room().isPresent() && p.cards().size() == 1
                    && p.standing() instanceof ProviderView.Standing.Live && p.node().isPresent()));
            await().atMost(Duration.ofSeconds(60)).until(() -> engine.view().provider(OLLAMA).orElseThrow().place()
                    .matches("pve3 · VM \\d+ · Ollama 0[.]33[.]0"));

            await().untilAsserted(() -> assertThat(engine.charge()).as("who decides while people only look")
                    .isInstanceOf(Charge.State.Free.class));
            engine.ask(new Wish.Place(GEMMA, OLLAMA));
            await().atMost(Duration.ofSeconds(60)).until(() -> there(engine).filter(s -> s instanceof State.Idle
                    || s instanceof State.Busy).isPresent());
            assertThat(engine.charge()).isInstanceOf(Charge.State.Here.class);
            engine.ask(new Wish.Evict(new PlacementId(OLLAMA, GEMMA)));
            await().atMost(Duration.ofSeconds(60)).until(() -> there(engine).filter(s -> s instanceof State.Idle).isEmpty());
            int begun = lab.world().read(w -> w.servers.get(OLLAMA.text()).begun.getOrDefault(GEMMA.text(), 0));
            assertThat(begun).isLessThan(2);
        }
    }

    private static Optional<State> there(LiveEngine engine) {
        return engine.view().provider(OLLAMA).flatMap(p -> p.placement(GEMMA)).map(ProviderView.PlacementView::state);
    }

    /** The same site with no model server named: they are found. */
    private static Site found(Site site) {
        return new Site(site.id(), site.name(), site.proxmox(), site.shells(), site.cluster(), site.metrics(), List.of(),
                site.sources(), site.talos(), site.lab());
    }
}
