package dev.pitwall.lab.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.fault.LabPicture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

/** Every fault shows its trap in a whole cluster, and leaves nothing behind when it is switched off. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultsInLabTest {
    private static final int USUAL_SECONDS = 300;
    private static final Duration STEP = Duration.ofMinutes(5);
    private static final int STEPS = 16;

    @TempDir
    Path dir;

    private final Map<String, FaultRig> rigs = new HashMap<>();

    @AfterAll
    void close() {
        rigs.values().forEach(FaultRig::close);
    }

    static List<String> traps() throws IOException {
        List<String> traps = new ArrayList<>();
        shows().fieldNames().forEachRemaining(traps::add);
        return traps;
    }

    @Test
    void itIsSaidOfEveryFaultWhatItShows() throws IOException {
        List<String> known = new ArrayList<>();
        read("/lab/faults.yaml").forEach(fault -> known.add(fault.path("trap").asText()));
        assertThat(traps()).containsExactlyInAnyOrderElementsOf(known);
    }

    @ParameterizedTest
    @MethodSource("traps")
    void aFaultShowsItsTrapAndSwitchedOffAllIsAsBefore(String trap) throws Exception {
        JsonNode shows = shows().path(trap);
        FaultRig rig = rig(shows.path("scene").asText("garage"));
        List<String> before = rig.picture();
        Instant since = rig.now();
        rig.board.on(trap, Optional.empty());
        try {
            rig.live(Duration.ofSeconds(shows.path("after").asInt(USUAL_SECONDS)));
            new FaultSigns(rig, since).check(shows);
        } finally {
            rig.board.off(trap);
            settle(rig, before);
        }
        assertThat(LabPicture.difference(before, rig.picture())).isEmpty();
    }

    /** Lives until all is as it was, at most for a good hour. */
    private static void settle(FaultRig rig, List<String> before) {
        for (int i = 0; i < STEPS; i++) {
            rig.live(STEP);
            if (rig.picture().equals(before)) {
                return;
            }
        }
    }

    @Test
    void whatFaultsOfTheStartLeadToHasComeAboutAtThePresent() throws Exception {
        try (FaultRig rig = new FaultRig("garage", dir, List.of("driver-oom-while-compiling@pve2/0000:01:00",
                "waiting-driver-compiling@pve1/0000:01:00", "idle-notebook-holds-gpu@pve3/0000:01:00"))) {
            Instant early = rig.now().minus(Duration.ofHours(1));
            FaultSigns signs = new FaultSigns(rig, early);
            signs.check(shows().path("driver-oom-while-compiling"));
            assertThat(rig.world.<String>read(w -> w.nodes.get("rke2-worker-dc1-gpu-a").driver)).isEqualTo("compiling");
            assertThat(rig.picture()).contains("pods kubeflow-anna/sweep-old Running true = 1");
            assertThat(rig.world.<Integer>read(w -> w.faults.size())).isEqualTo(3);
        }
    }

    private FaultRig rig(String scene) throws Exception {
        FaultRig rig = rigs.get(scene);
        if (rig == null) {
            rig = new FaultRig(scene, dir, List.of());
            rig.live(Duration.ofMinutes(5));
            rigs.put(scene, rig);
        }
        return rig;
    }

    private static JsonNode shows() throws IOException {
        return read("/lab/kube/fault-shows.yaml");
    }

    private static JsonNode read(String resource) throws IOException {
        try (InputStream in = FaultsInLabTest.class.getResourceAsStream(resource)) {
            return new YAMLMapper().readTree(in);
        }
    }
}
