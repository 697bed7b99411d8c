package dev.pitwall;

import dev.pitwall.Workshop.Engine;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.RecordingSystems.Request;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation.Subject;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Watcher;
import dev.pitwall.lab.proxmox.ApiSchema;
import dev.pitwall.lab.world.LabHaResource;
import dev.pitwall.lab.world.LabVm;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import static dev.pitwall.lab.fault.LabPicture.difference;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** VMs that are made for a card, and a VM that HA looks after, over the lab's sockets as root@pam. */
class NewVmOverSocketsTest {
    private static final Subject ON_PVE1 = Workshop.card("pve1", "0000:01:00");
    private static final Subject ON_PVE3 = Workshop.card("pve3", "0000:01:00");

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

    private static RunRecord walk(Engine engine, Subject card, Choices choices, String last) throws Exception {
        RunRecord run = engine.journey().walk(card, choices, last, Watcher.NONE, new Stop());
        assertThat(run.state()).as("%s", run.note()).isEqualTo(RunRecord.State.DONE);
        return run;
    }

    private static void undo(Engine engine, RunRecord run) throws Exception {
        RunRecord undo = engine.undo(run.number());
        assertThat(undo.state()).as("%s", undo.note()).isEqualTo(RunRecord.State.DONE);
    }

    private static Optional<LabVm> named(String name) {
        return workshop.world().read(w -> w.vms.values().stream().filter(vm -> name.equals(vm.config.get("name"))).findFirst());
    }

    private static Map<String, String> config(LabVm vm) {
        return workshop.world().read(w -> new TreeMap<>(vm.config));
    }

    /** Making a VM is done with calls that every release has in the same form. */
    private static void assertFitsAllReleases(Engine engine) {
        ApiSchema schema = new ApiSchema();
        List<Request> made = engine.writes().stream()
                .filter(r -> r.path().endsWith("/qemu") || r.path().endsWith("/clone") || r.path().matches(".*/qemu/\\d+")).toList();
        assertThat(made).isNotEmpty().allSatisfy(request -> {
            for (int major : List.of(7, 8, 9)) {
                assertThat(schema.complaints(request.method(), request.path(), request.parameters(), major))
                        .as("%s on %d", request, major).isEmpty();
            }
        });
    }

    @Test
    void anEmptyVmThatBootsFromAnImageIsMadeStartedAndTakenAway() throws Exception {
        try (Engine engine = workshop.engine(workshop.lab.asRoot())) {
            List<String> disks = workshop.disks(engine, "pve1");
            Choices choices = Choices.of(Map.of("vm", "new", "new-name", "fresh", "new-iso", iso(engine)));
            RunRecord run = walk(engine, ON_PVE1, choices, "power-cycle");

            LabVm vm = named("fresh").orElseThrow();
            assertThat(config(vm)).containsEntry("machine", "q35").containsEntry("bios", "ovmf").containsEntry("balloon", "0")
                    .containsKeys("hostpci0", "efidisk0", "scsi0");
            assertThat(workshop.world().<String>read(w -> vm.status)).isEqualTo("running");
            assertThatThrownBy(() -> engine.undo(run.number())).hasMessageContaining("runs; shut it down first");

            workshop.world().change(w -> {
                vm.status = "stopped";
                vm.running.clear();
            });
            undo(engine, run);
            assertThat(named("fresh")).isEmpty();
            assertThat(difference(disks, workshop.disks(engine, "pve1"))).isEmpty();
            engine.assertFits(8);
            assertFitsAllReleases(engine);
        }
    }

    private static String iso(Engine engine) throws Exception {
        return engine.systems().proxmox("pve1").get("nodes/pve1/storage/local/content", Map.of("content", "iso"))
                .valueStream().map(v -> v.path("volid").asText()).findFirst().orElseThrow();
    }

    @Test
    void aCopyOfATemplateIsMadeOnAnOldReleaseAndTakenAway() throws Exception {
        workshop.world().change(w -> {
            LabVm template = w.vms.get(130);
            template.status = "stopped";
            template.running.clear();
            template.config.put("template", "1");
        });
        try (Engine engine = workshop.engine(workshop.lab.asRoot())) {
            List<String> disks = workshop.disks(engine, "pve3");
            Choices choices = Choices.of(Map.of("vm", "new", "new-name", "copy", "new-from", "130", "acs", "downstream"));
            RunRecord run = walk(engine, ON_PVE3, choices, "attach");

            assertThat(config(named("copy").orElseThrow())).containsEntry("cpu", "host").containsEntry("balloon", "0")
                    .containsEntry("hostpci0", "0000:01:00").doesNotContainKey("template");
            undo(engine, run);
            assertThat(named("copy")).isEmpty();
            assertThat(difference(disks, workshop.disks(engine, "pve3"))).isEmpty();
            engine.assertFits(7);
            assertFitsAllReleases(engine);
        }
    }

    /** Taken back it is destroyed, or it would stay in the configuration as an unused one. */
    @Test
    void anEfiDiskThatWasMadeGoesWithTheUndo() throws Exception {
        LabVm vm = workshop.world().read(w -> w.vms.get(121));
        workshop.world().change(w -> {
            w.containers.get(140).runs = false;
            vm.status = "stopped";
            vm.running.clear();
            vm.config.remove("efidisk0");
        });
        try (Engine engine = workshop.engine(workshop.lab.site())) {
            List<String> disks = workshop.disks(engine, "pve2");
            RunRecord run = walk(engine, Workshop.card("pve2", "0000:03:00"),
                    Choices.of(Map.of("vm", "121", "efi-disk", "local-lvm")), "attach");

            assertThat(config(vm).get("efidisk0")).matches("local-lvm:vm-121-disk-\\d+,.*pre-enrolled-keys=0.*");
            undo(engine, run);
            assertThat(difference(disks, workshop.disks(engine, "pve2"))).isEmpty();
            engine.assertFits(9);
        }
    }

    /** Its tasks end before anything has happened, so the VM itself tells when it is off and on (facts: proxmox.md 1.11). */
    @Test
    void aVmThatHaLooksAfterIsPowerCycledByHa() throws Exception {
        workshop.world().change(w -> {
            w.containers.get(140).runs = false;
            LabHaResource resource = new LabHaResource("vm:120");
            resource.options.put("state", "started");
            resource.status = "started";
            w.haResources.put(resource.sid, resource);
        });
        Subject card = Workshop.card("pve2", "0000:01:00");
        Choices choices = Choices.of(Map.of("vm", "120"));
        try (Engine engine = workshop.engine(workshop.lab.site())) {
            walk(engine, card, choices, "attach");
            RunRecord run = walk(engine, card, choices, "guest");

            assertThat(run.changes()).extracting(c -> c.change().target()).containsExactly("Power-cycle VM 120");
            assertThat(workshop.tasks("hastop", 120)).isEqualTo(1);
            assertThat(workshop.tasks("hastart", 120)).isEqualTo(1);
            assertThat(workshop.world().<Map<String, String>>read(w -> new TreeMap<>(w.vms.get(120).running)))
                    .containsKey("hostpci0");
            engine.assertFits(9);
        }
    }
}
