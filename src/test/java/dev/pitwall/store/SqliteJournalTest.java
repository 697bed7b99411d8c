package dev.pitwall.store;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.RunRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

class SqliteJournalTest {
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

    private void execute(String sql) throws TroubleException {
        database.write(connection -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute(sql);
            }
        });
    }

    @Test
    void thereIsNoRunAtFirst() throws TroubleException {
        assertThat(journal.runs("1", 100)).isEmpty();
        assertThat(journal.run(1)).isEmpty();
    }

    @Test
    void aRunIsReadWithItsChangesNewestRunFirst() throws TroubleException {
        execute("""
                INSERT INTO run VALUES (41, '1', 'Bind the card to vfio-pci', 'pve2', 'pve2/0000:01:00', 'RTX A1000',
                    'you, from this computer', 1000, 152000, 'DONE', 'continued after the reboot')""");
        execute("""
                INSERT INTO run (number, site_id, title, host, by_whom, started, state)
                VALUES (43, '1', 'Roll out the device plugin', 'basement', 'you, from this computer', 5000, 'RUNNING')""");
        execute("INSERT INTO run (site_id, title, host, by_whom, started, state) VALUES ('2', 't', 'h', 'you', 1, 'DONE')");
        execute("""
                INSERT INTO change (run, position, kind, target, summary, risk, before, state, started, ended)
                VALUES (41, 2, 'POWER', 'pve2', 'Reboot pve2', 'REBOOTS_HOST', x'00ff', 'DONE', 2000, 3000)""");
        execute("""
                INSERT INTO change (run, position, kind, target, summary, risk, state, message)
                VALUES (41, 1, 'FILE', '/etc/modprobe.d/zz-pitwall.conf', '4 lines, new file', 'NONE', 'STOPPED', 'changed')""");

        List<RunRecord> runs = journal.runs("1", 100);

        assertThat(runs).extracting(RunRecord::number).containsExactly(43L, 41L);
        assertThat(runs.getFirst().took()).isEmpty();
        assertThat(runs.getLast()).isEqualTo(new RunRecord(41, "1", "Bind the card to vfio-pci", "pve2",
                Optional.of(new RunRecord.CardRef("pve2/0000:01:00", "RTX A1000")), "you, from this computer",
                Instant.ofEpochSecond(1), Optional.of(Instant.ofEpochSecond(152)), RunRecord.State.DONE,
                Optional.of("continued after the reboot"), List.of(
                new ChangeRecord(1, ChangeRecord.Kind.FILE, "/etc/modprobe.d/zz-pitwall.conf", "4 lines, new file",
                        ChangeRecord.Risk.NONE, ChangeRecord.State.STOPPED, Optional.of("changed"), Optional.empty(), Optional.empty()),
                new ChangeRecord(2, ChangeRecord.Kind.POWER, "pve2", "Reboot pve2", ChangeRecord.Risk.REBOOTS_HOST,
                        ChangeRecord.State.DONE, Optional.empty(), Optional.of(Instant.ofEpochSecond(2)), Optional.of(Instant.ofEpochSecond(3))))));
        assertThat(runs.getLast().took()).contains(Duration.ofSeconds(151));
        assertThat(journal.runs("1", 1)).extracting(RunRecord::number).containsExactly(43L);
        assertThat(journal.run(41)).contains(runs.getLast());
    }

    @Test
    void aRunsNumberIsNeverGivenTwice() throws TroubleException {
        execute("INSERT INTO run (number, site_id, title, host, by_whom, started, state) VALUES (7, '1', 't', 'h', 'you', 1, 'DONE')");
        execute("DELETE FROM run");
        execute("INSERT INTO run (site_id, title, host, by_whom, started, state) VALUES ('1', 't', 'h', 'you', 1, 'DONE')");
        assertThat(journal.runs("1", 1)).extracting(RunRecord::number).containsExactly(8L);
    }
}
