package dev.pitwall;

import dev.pitwall.Workshop.Engine;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation.Subject;
import dev.pitwall.lab.world.LabHost;
import dev.pitwall.site.Site;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static dev.pitwall.lab.fault.LabPicture.difference;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** From hosts of three releases in which nothing is set up to a card in the running guest, and back to the same bytes. */
class ByteForByteTest {
    private static final Subject CARD_OF_PVE3 = Workshop.card("pve3", "0000:01:00");
    private static final Map<String, String> CHOICES_OF_PVE3 = Map.of("vm", "130", "acs", "downstream");

    @TempDir
    private static Path dir;
    private static Workshop workshop;

    @BeforeAll
    static void start() throws Exception {
        workshop = new Workshop(dir);
    }

    @AfterAll
    static void stop() {
        workshop.close();
    }

    /** @return what was changed */
    private static List<String> upTwiceAndBack(Site site, Subject card, Map<String, String> choices, int major)
            throws Exception {
        try (Engine engine = workshop.engine(site)) {
            List<String> disks = workshop.disks(engine, card.host());
            List<String> running = workshop.running(card.host());
            int boots = workshop.boots(card.host());

            RunRecord run = engine.walk(card, Choices.of(choices));
            assertThat(run.state()).as("%s %s", run.note(), run.changes()).isEqualTo(RunRecord.State.DONE);
            assertThat(engine.look(card, Choices.of(choices)).step("guest").orElseThrow().answer().why())
                    .contains("lists");
            assertThat(workshop.boots(card.host())).isEqualTo(boots + 1);
            List<String> reached = workshop.disks(engine, card.host());
            assertThat(reached).isNotEqualTo(disks);

            int writes = engine.writes().size();
            RunRecord again = engine.walk(card, Choices.of(choices));
            assertThat(again.state()).as("%s", again.note()).isEqualTo(RunRecord.State.ALREADY_SO);
            assertThat(again.changes()).isEmpty();
            assertThat(engine.writes()).hasSize(writes);
            assertThat(difference(reached, workshop.disks(engine, card.host()))).isEmpty();
            assertThat(workshop.boots(card.host())).isEqualTo(boots + 1);

            undo(engine, run);
            assertThat(difference(disks, workshop.disks(engine, card.host()))).isEmpty();
            assertThat(difference(running, workshop.running(card.host()))).isEmpty();
            engine.assertFits(major);
            return run.changes().stream().map(c -> c.change().target()).toList();
        }
    }

    private static void undo(Engine engine, RunRecord run) throws Exception {
        RunRecord undo = engine.undo(run.number());
        assertThat(undo.state()).as("%s", undo.note()).isEqualTo(RunRecord.State.DONE);
        assertThat(undo.changes()).extracting(ChangeRecord::state).containsOnly(ChangeRecord.State.DONE);
        assertThat(workshop.journal.run(run.number()).orElseThrow().state()).isEqualTo(RunRecord.State.UNDONE);
    }

    @Test
    void onIntelWithGrubFromAnIommuThatIsSwitchedOff() throws Exception {
        List<String> changed = upTwiceAndBack(workshop.lab.site(), Workshop.card("pve1", "0000:01:00"),
                Map.of("vm", "110"), 8);

        assertThat(changed).contains("/etc/default/grub", "update-grub", "/etc/modprobe.d/zz-pitwall.conf",
                "update-initramfs -u -k all", "Reboot pve1", "/cluster/mapping/pci/gpu-pve1-01-00",
                "/nodes/pve1/qemu/110/config", "Power-cycle VM 110");
    }

    @Test
    void onAmdWithSystemdBootForOneOfTwoEqualCards() throws Exception {
        workshop.world().change(w -> {
            w.containers.get(140).runs = false;
            // It does not start with its host, so undo would not find it as it was.
            w.vms.get(121).status = "stopped";
            w.vms.get(121).running.clear();
        });

        List<String> changed = upTwiceAndBack(workshop.lab.site(), Workshop.card("pve2", "0000:01:00"),
                Map.of("vm", "120"), 9);

        assertThat(changed).contains("/etc/udev/rules.d/90-pitwall.rules");
    }

    @Test
    void onAnOldReleaseByARawEntryOfRootWithSplitGroups() throws Exception {
        workshop.world().change(w -> soundWithoutReset(w.hosts.get("pve3")));

        List<String> changed = upTwiceAndBack(workshop.lab.asRoot(), CARD_OF_PVE3, CHOICES_OF_PVE3, 7);

        assertThat(changed).contains("/etc/default/grub.d/pitwall.cfg", "/nodes/pve3/qemu/130/config")
                .doesNotContain("/cluster/mapping/pci/gpu-pve3-01-00");
    }

    /** A function that cannot be reset has no {@code reset} file, so nothing tries (facts: proxmox.md 1.8, 2.5). */
    private static void soundWithoutReset(LabHost host) {
        host.pci.stream().filter(f -> f.address.equals("0000:01:00.1")).forEach(f -> f.resetMethods = "");
    }

    /** There, a reset that fails ends the start, which is told before and is for the person to try; what was done until then is taken back all the same. */
    @Test
    void aStartThatFailsIsToldAndTakenBack() throws Exception {
        workshop.world().change(w -> w.hosts.get("pve3").pci.forEach(f -> f.resetMethods = "bus"));
        try (Engine engine = workshop.engine(workshop.lab.asRoot())) {
            List<String> disks = workshop.disks(engine, "pve3");
            List<String> running = workshop.running("pve3");

            assertThatThrownBy(() -> engine.walk(CARD_OF_PVE3, Choices.of(CHOICES_OF_PVE3)))
                    .isInstanceOfSatisfying(TroubleException.class, e -> assertThat(e.trouble().sentence())
                            .contains("0000:01:00.0, 0000:01:00.1 can only be reset with the whole bus").contains("reset=try"));
            assertThat(difference(disks, workshop.disks(engine, "pve3"))).isEmpty();

            RunRecord run = engine.walk(CARD_OF_PVE3, Choices.of(CHOICES_OF_PVE3).with("reset", "try"));
            assertThat(run.state()).isEqualTo(RunRecord.State.FAILED);
            assertThat(run.note().orElseThrow()).contains("could not be reset").contains("Undo of run " + run.number());

            undo(engine, run);
            assertThat(difference(disks, workshop.disks(engine, "pve3"))).isEmpty();
            assertThat(difference(running, workshop.running("pve3"))).isEmpty();
        }
    }
}
