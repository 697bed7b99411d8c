package dev.pitwall.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Aim;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.journey.change.Risk;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmCreation;
import dev.pitwall.journey.change.VmPowerCycle;
import dev.pitwall.journey.change.VmRemoval;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

class SqliteJournalTest {
    private static final Instant AT = Instant.ofEpochSecond(100);
    private static final List<Change> ALL_KINDS = List.of(
            new FileChange("pve2", "/etc/modprobe.d/zz-pitwall.conf", Content.ABSENT, Content.of("a\n"), "new file"),
            new FileChange("pve2", "/etc/kernel/cmdline", new Content.Bytes(new byte[] {0, -1, 10}), Content.of(""), "emptied"),
            new CommandChange("pve2", List.of("update-initramfs", "-u", "-k", "all"), "", Duration.ofSeconds(40),
                    Duration.ofMinutes(10)),
            new VmConfigChange("pve2", 122, new TreeMap<>(Map.of("hostpci0", Optional.empty())),
                    new TreeMap<>(Map.of("hostpci0", Optional.of("0000:01:00,pcie=1"))), "attached"),
            new VmCreation("pve2", 123, "gpu-pve2", new VmCreation.Template(900, Optional.of("local-lvm")), "0-1",
                    new TreeMap<>(Map.of("smbios1", "uuid=0-1")), "copy of 900"),
            new VmCreation("pve2", 124, "gpu-pve2", new VmCreation.Blank(), "0-2",
                    new TreeMap<>(Map.of("smbios1", "uuid=0-2")), "empty"),
            new VmRemoval("pve2", 123, "gpu-pve2", "0-1"),
            new MappingChange("pve2", "gpu", Optional.empty(), Optional.of(List.of("node=pve2")), "new"),
            ManifestChange.making("garage", ObjectRef.of(ObjectType.NAMESPACE, "gpu-operator"),
                    tree("{\"metadata\":{\"labels\":{\"a\":\"b\"}}}"), "new"),
            new ManifestChange("garage", new ObjectRef(ObjectType.CONFIG_MAP, "gpu-operator", "sharing"),
                    Optional.of(tree("{\"data\":{\"a\":null,\"n\":[1,2.5,null,{\"x\":null}]}}")),
                    Optional.of(tree("{\"data\":{\"a\":\"1\",\"n\":[]}}")), Risk.RESTARTS_PODS, "other values").takingOver(),
            new HelmChange("garage", "gpu-operator", "gpu-operator", Optional.of(new HelmChange.Revision(2, "gpu-operator",
                    "v26.3.2")), Optional.of(new HelmChange.Wanted("gpu-operator", "v26.7.0", "https://charts", Optional.of(2),
                    tree("{\"driver\":{\"version\":null,\"enabled\":false},\"n\":12345678901,\"t\":\"true\"}"))),
                    List.of(new HelmChange.ValueLine("driver.enabled", Optional.of("true"), Optional.empty(), "false", "why")),
                    new HelmChange.Traces(List.of("clusterpolicies.nvidia.com"), new TreeMap<>(Map.of("node",
                            new TreeMap<>(Map.of("nvidia.com/gpu.present", "true")))), new TreeMap<>(Map.of("node",
                            new TreeMap<>(Map.of("nvidia.com/x", "y")))), List.of("nvidia.com/"), List.of("nfd/")),
                    HelmChange.Past.FORGOTTEN, Duration.ofMinutes(1), Duration.ofMinutes(5)).over(
                            new HelmChange.Dead(3, "pending-upgrade")),
            new HelmChange("garage", "x", "y", Optional.empty(), Optional.of(new HelmChange.Wanted("y", "1.0.0", "https://charts",
                    Optional.empty(), tree("{}"))), List.of(), HelmChange.Traces.NONE, Duration.ofMinutes(1),
                    Duration.ofMinutes(5)),
            new PodRun("garage", new ObjectRef(ObjectType.POD, "gpu-operator", "proof"), tree("{\"spec\":{\"a\":null}}"),
                    "pve2/0000:01:00", "Test PASSED", Duration.ofMinutes(1), Duration.ofMinutes(5), "vectorAdd"),
            new VmPowerCycle("pve2", 122, "worker", Duration.ofMinutes(3), Duration.ofMinutes(5)),
            new HostReboot("pve2", List.of(new HostReboot.Guest(122, "worker", true)), Duration.ofMinutes(2),
                    Duration.ofMinutes(15)));
    private static final Aim AIM = new Aim(Choices.of(Map.of("vm", "122")), Optional.of("guest"),
            ALL_KINDS.stream().map(c -> new Journal.Intended("bind", c)).toList());

    private static JsonNode tree(String json) {
        try {
            return new ObjectMapper().readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @TempDir
    private Path temp;
    private Database database;
    private SqliteJournal journal;

    @BeforeEach
    void open() throws TroubleException {
        database = Database.open(new DataFolder(temp));
        journal = new SqliteJournal(database);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private RunRecord begin(String site) throws TroubleException {
        return journal.begin(new Journal.Opening(site, "Bind the card to vfio-pci", "pve2",
                Optional.of(new RunRecord.CardRef("pve2/0000:01:00", "RTX A1000")), "you, from this computer",
                Optional.empty(), AIM, AT));
    }

    @Test
    void thereIsNoRunAtFirst() throws TroubleException {
        assertThat(journal.runs("1", 100)).isEmpty();
        assertThat(journal.run(1)).isEmpty();
        assertThat(journal.unfinished("1")).isEmpty();
    }

    @Test
    void aChangeOfEveryKindComesBackAsItWas() throws TroubleException {
        long run = begin("1").number();
        journal.add(run, ALL_KINDS.stream().map(c -> new Journal.Intended("bind", c)).toList());
        database.close();
        open();

        assertThat(journal.run(run).orElseThrow().changes()).extracting(ChangeRecord::change)
                .containsExactlyElementsOf(ALL_KINDS);
        assertThat(journal.run(run).orElseThrow().changes()).extracting(ChangeRecord::state)
                .containsOnly(ChangeRecord.State.TO_DO);
    }

    @Test
    void aRunIsReadAsItWasWrittenNewestRunFirst() throws TroubleException {
        long first = begin("1").number();
        journal.add(first, List.of(new Journal.Intended("bind", ALL_KINDS.get(0))));
        journal.add(first, List.of(new Journal.Intended("power", ALL_KINDS.getLast())));
        journal.starting(first, 2, Optional.of("boot-a"), AT.plusSeconds(1));
        journal.ended(first, 2, ChangeRecord.State.DONE, Optional.of("back after 94 s"), AT.plusSeconds(95));
        journal.close(first, RunRecord.State.DONE, Optional.of("continued after the reboot"), AT.plusSeconds(151));
        begin("2");
        long second = begin("1").number();

        assertThat(journal.runs("1", 100)).extracting(RunRecord::number).containsExactly(second, first);
        assertThat(journal.runs("1", 1)).extracting(RunRecord::number).containsExactly(second);
        assertThat(journal.unfinished("1")).extracting(RunRecord::number).containsExactly(second);
        assertThat(journal.run(first)).contains(new RunRecord(first, "1", "Bind the card to vfio-pci", "pve2",
                Optional.of(new RunRecord.CardRef("pve2/0000:01:00", "RTX A1000")), "you, from this computer",
                Optional.empty(), AT, Optional.of(AT.plusSeconds(151)), RunRecord.State.DONE,
                Optional.of("continued after the reboot"), List.of(
                new ChangeRecord(1, "bind", ALL_KINDS.get(0), ChangeRecord.State.TO_DO, Optional.empty(),
                        Optional.empty(), Optional.empty(), Optional.empty()),
                new ChangeRecord(2, "power", ALL_KINDS.getLast(), ChangeRecord.State.DONE, Optional.of("boot-a"),
                        Optional.of("back after 94 s"), Optional.of(AT.plusSeconds(1)),
                        Optional.of(AT.plusSeconds(95))))));
        assertThat(journal.run(first).orElseThrow().took()).contains(Duration.ofSeconds(151));
    }

    @Test
    void aRunThatIsUndoneLaterKeepsItsEnd() throws TroubleException {
        long run = begin("1").number();
        journal.close(run, RunRecord.State.DONE, Optional.empty(), AT.plusSeconds(5));
        journal.close(run, RunRecord.State.UNDONE, Optional.of("undone by run 2"), AT.plusSeconds(500));

        assertThat(journal.run(run).orElseThrow().state()).isEqualTo(RunRecord.State.UNDONE);
        assertThat(journal.run(run).orElseThrow().ended()).contains(AT.plusSeconds(5));
    }

    @Test
    void ofAStepTheNewestRunThatCameToAnEndWithItIsKnownOfEachCard() throws TroubleException {
        long first = tried(ChangeRecord.State.DONE);
        long second = tried(ChangeRecord.State.FAILED);
        long stopped = tried(ChangeRecord.State.STOPPED);
        journal.add(begin("2").number(), List.of(new Journal.Intended("proof", ALL_KINDS.getFirst())));

        assertThat(journal.last("1", "proof")).extracting(Journal.Made::run).containsExactly(second);
        assertThat(journal.last("1", "proof").getFirst().change().state()).isEqualTo(ChangeRecord.State.FAILED);
        assertThat(journal.last("1", "bind")).isEmpty();
        assertThat(List.of(first, stopped)).doesNotContain(second);
    }

    private long tried(ChangeRecord.State state) throws TroubleException {
        long run = begin("1").number();
        journal.add(run, List.of(new Journal.Intended("proof", ALL_KINDS.getFirst())));
        journal.ended(run, 1, state, Optional.of("Test PASSED in 2 s"), AT.plusSeconds(run));
        return run;
    }

    @Test
    void aRunKeepsWhatItIsToReach() throws TroubleException {
        long run = begin("1").number();

        assertThat(journal.aim(run)).isEqualTo(AIM);
        assertThat(journal.aim(run + 1)).isEqualTo(Aim.NONE);
    }

    @Test
    void aRunsNumberIsNeverGivenTwice() throws TroubleException {
        long run = begin("1").number();
        database.write(connection -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute("DELETE FROM run");
            }
        });
        assertThat(begin("1").number()).isEqualTo(run + 1);
    }
}
