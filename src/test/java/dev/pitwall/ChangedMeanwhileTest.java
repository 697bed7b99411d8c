package dev.pitwall;

import dev.pitwall.Workshop.Engine;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation.Subject;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Watcher;
import dev.pitwall.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import static dev.pitwall.lab.fault.LabPicture.difference;
import static org.assertj.core.api.Assertions.assertThat;

/** What somebody changes between the preview and the run stops the run before anything is written, over sockets. */
class ChangedMeanwhileTest {
    private static final Subject CARD = Workshop.card("pve1", "0000:01:00");
    private static final Choices CHOICES = Choices.of(Map.of("vm", "110"));

    @TempDir
    private Path dir;
    private Workshop workshop;
    private Engine engine;

    @BeforeEach
    void start() throws Exception {
        workshop = new Workshop(dir);
        engine = workshop.engine(workshop.lab.site());
    }

    @AfterEach
    void stop() {
        engine.close();
        workshop.close();
    }

    /** Applies what a look has shown after somebody was quicker. */
    private void assertStops(List<String> steps, Consumer<World> meanwhile, String why) throws Exception {
        CardPlan plan = engine.look(CARD, CHOICES);
        assertThat(steps).allSatisfy(step -> assertThat(plan.step(step).orElseThrow().answer().state())
                .isEqualTo(Answer.State.READY));
        workshop.world().change(meanwhile);
        List<String> disks = workshop.disks(engine, "pve1");
        int writes = engine.writes().size();

        RunRecord run = engine.journey().apply(plan, steps, Watcher.NONE, new Stop());

        assertThat(run.state()).isEqualTo(RunRecord.State.STOPPED);
        assertThat(run.note().orElseThrow()).contains(why);
        assertThat(run.changes()).extracting(ChangeRecord::state).containsOnly(ChangeRecord.State.STOPPED,
                ChangeRecord.State.SKIPPED);
        assertThat(engine.writes()).hasSize(writes);
        assertThat(difference(disks, workshop.disks(engine, "pve1"))).isEmpty();
    }

    @Test
    void aFileAConfigurationOrAMapping() throws Exception {
        // Only the last of the files has changed; the first is not written either.
        assertStops(List.of("iommu", "bind"), w -> w.hosts.get("pve1").files.put("/etc/modules-load.d/pitwall.conf",
                "vfio\n".getBytes(StandardCharsets.UTF_8)), "/etc/modules-load.d/pitwall.conf");
        workshop.world().change(w -> w.hosts.get("pve1").files.remove("/etc/modules-load.d/pitwall.conf"));
        RunRecord ready = engine.journey().walk(CARD, CHOICES, "idle-power", Watcher.NONE, new Stop());
        assertThat(ready.state()).as("%s", ready.note()).isEqualTo(RunRecord.State.DONE);

        // The mapping comes before the configuration, and is not made.
        assertStops(List.of("attach"), w -> w.vms.get(110).config.put("cpu", "qemu64"), "cpu of VM 110 is now qemu64");
        workshop.world().change(w -> w.vms.get(110).config.put("cpu", "x86-64-v2-AES"));
        assertStops(List.of("attach"), w -> w.pciMappings.put("gpu-pve1-01-00", List.of(
                "node=pve1,path=0000:02:00,id=10de:25b0,iommugroup=15,subsystem-id=10de:1878")),
                "mapping gpu-pve1-01-00 has other entries");
    }
}
