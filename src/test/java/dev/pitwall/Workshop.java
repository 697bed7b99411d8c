package dev.pitwall;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.RecordingSystems;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.StepTexts;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.guest.GuestSteps;
import dev.pitwall.journey.host.HostSteps;
import dev.pitwall.journey.run.Ladder;
import dev.pitwall.journey.run.Patience;
import dev.pitwall.journey.run.SiteJourney;
import dev.pitwall.journey.Ran;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.lab.LabPatience;
import dev.pitwall.lab.proxmox.ApiSchema;
import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.World;
import dev.pitwall.link.LabSystems;
import dev.pitwall.site.Site;
import dev.pitwall.store.DataFolder;
import dev.pitwall.store.Database;
import dev.pitwall.store.RunLocks;
import dev.pitwall.store.SqliteJournal;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Hosts in which nothing is set up for their cards, and engines on them: one after the other, as after a crash. */
final class Workshop implements AutoCloseable {
    /** Lab seconds a real one. */
    private static final double SPEED = 500;
    private static final InstantSource CLOCK = InstantSource.system();
    private static final Patience PATIENCE = LabPatience.real();

    final LabSystems lab;
    private final DataFolder folder;
    private final Database database;
    final Journal journal;

    Workshop(Path dir) throws TroubleException {
        lab = LabSystems.start(LabOptions.garage(dir.resolve("lab")).withScene("workshop").withSpeed(SPEED)
                .withLoginPenalty(Duration.ZERO));
        folder = new DataFolder(dir.resolve("home")).create();
        database = Database.open(folder);
        journal = new SqliteJournal(database);
    }

    World world() {
        return lab.lab().world();
    }

    static Situation.Subject card(String host, String slot) {
        return new Situation.Subject(host + "/" + slot, "card", host, PciAddress.parse(slot).orElseThrow());
    }

    /**
     * What a host keeps on its disks, a line each: every file and folder under {@code /etc} and {@code /boot} as its shell
     * shows them, the configurations of its VMs with them; what its initramfs and the ESP hold, and the mappings.
     */
    List<String> disks(Engine engine, String host) throws Exception {
        Ran files = engine.systems().machine(host).run("sh", "-c",
                "find /etc /boot -type d; find /etc /boot -type l; find /etc /boot -type f | xargs sha256sum");
        assertThat(files.ok()).as(files.output()).isTrue();
        List<String> all = new ArrayList<>(files.output().lines().sorted().toList());
        assertThat(all).anyMatch(l -> l.matches(".*/etc/pve/nodes/" + host + "/qemu-server/\\d+[.]conf"));
        world().read(w -> {
            LabHost machine = w.hosts.get(host);
            machine.system.images.forEach((kernel, image) -> image.forEach((path, bytes) ->
                    all.add("initramfs " + kernel + " " + path + " " + new String(bytes, StandardCharsets.UTF_8))));
            machine.system.espEntries.forEach((kernel, options) -> all.add("esp " + kernel + " " + options));
            w.pciMappings.forEach((id, entries) -> all.add("mapping " + id + " " + entries + w.pciMappingOptions.get(id)));
            w.vms.values().forEach(vm -> all.add("vm " + vm.vmid + " " + vm.host + " " + vm.config));
            return null;
        });
        return all;
    }

    /** What runs on a host, a line each: its kernel's options, who has which function, and what its VMs run with. */
    List<String> running(String host) {
        List<String> all = new ArrayList<>();
        world().read(w -> {
            LabHost machine = w.hosts.get(host);
            all.add(machine.commandLine);
            machine.pci.forEach(f -> all.add(f.address + " " + f.driver + " group " + f.iommuGroup));
            all.add(machine.system.moduleOptions.toString());
            w.vms.values().stream().filter(vm -> vm.host.equals(host))
                    .forEach(vm -> all.add("vm " + vm.vmid + " " + vm.status + " " + vm.running));
            return null;
        });
        return all;
    }

    /** How often the kernel of a host has been started. */
    int boots(String host) {
        return world().<Integer>read(w -> w.hosts.get(host).system.pastBoots.size());
    }

    /** Tasks of one kind that the wizard's token has begun, for example {@code qmstart}. */
    long tasks(String kind, int vmid) {
        return world().<Long>read(w -> w.tasks.keySet().stream().filter(t -> t.contains(":" + kind + ":" + vmid + ":"))
                .filter(t -> t.contains("pitwall@pve")).count());
    }

    /** An engine as a new process has it: with connections of its own, on the same journal. */
    Engine engine(Site site) {
        return engine(site, journal, systems -> systems);
    }

    /** @param around what is between the engine and its systems */
    Engine engine(Site site, Journal kept, UnaryOperator<Systems> around) {
        Systems opened = lab.open(site);
        RecordingSystems recording = new RecordingSystems(opened);
        Ladder ladder = new Ladder(Stream.concat(HostSteps.all().stream(), GuestSteps.all().stream()).toList(),
                StepTexts.load());
        return new Engine(new SiteJourney(new SiteJourney.Equipment(site.id(), around.apply(recording),
                new CardSurveys(CLOCK, Map::of), ladder, kept, new RunLocks(folder), PATIENCE)), recording, opened);
    }

    /** @param requests what it asked of APIs */
    record Engine(SiteJourney journey, RecordingSystems requests, Systems systems) implements AutoCloseable {

        CardPlan look(Situation.Subject card, Choices choices) throws Exception {
            return journey.look(card, choices, Watcher.NONE);
        }

        RunRecord walk(Situation.Subject card, Choices choices) throws Exception {
            return journey.walk(card, choices, "guest", Watcher.NONE, new Stop());
        }

        RunRecord undo(long run) throws Exception {
            return journey.undo(run, Watcher.NONE, new Stop());
        }

            /** Each request is one that the host's release takes. */
        void assertFits(int major) {
            ApiSchema schema = new ApiSchema();
            assertThat(requests.requests()).isNotEmpty();
            for (RecordingSystems.Request request : requests.requests()) {
                ApiSchema.Presence presence = schema.presence(request.method(), request.path(), major);
                if (presence == ApiSchema.Presence.ABSENT && request.need() == RecordingSystems.Need.MAY_BE_ABSENT) {
                    continue;
                }
                assertThat(presence).as("%s on %d", request, major).isEqualTo(ApiSchema.Presence.THERE);
                assertThat(schema.complaints(request.method(), request.path(), request.parameters(), major))
                        .as("%s on %d", request, major).isEmpty();
            }
        }

        /** Requests that change something. Of those that only ask a guest, nothing is changed. */
        List<RecordingSystems.Request> writes() {
            return requests.requests().stream().filter(r -> !r.method().equals("GET") && !r.path().contains("/agent/")).toList();
        }

        @Override
        public void close() {
            journey.close();
            systems.close();
        }
    }

    @Override
    public void close() {
        database.close();
        lab.close();
    }
}
