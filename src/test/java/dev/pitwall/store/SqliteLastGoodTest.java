package dev.pitwall.store;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.Connection.Kind;
import dev.pitwall.site.LastGood;
import dev.pitwall.site.LastGood.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Instant;

import static org.assertj.core.api.Assertions.assertThat;

class SqliteLastGoodTest {
    private static final Answer OLD = new Answer("{\"a\":1}", Instant.ofEpochMilli(1_000));
    private static final Answer NEW = new Answer("{\"a\":2}", Instant.ofEpochMilli(2_000));

    @TempDir
    private Path temp;

    @Test
    void theNewestAnswerOfEachSourceSurvivesARestart() throws TroubleException {
        try (Database database = Database.open(new DataFolder(temp))) {
            LastGood lastGood = new SqliteLastGood(database);
            assertThat(lastGood.of("1", Kind.PROXMOX, "pve1")).isEmpty();
            lastGood.keep("1", Kind.PROXMOX, "pve1", NEW);
            // A slow read that ends after a newer one.
            lastGood.keep("1", Kind.PROXMOX, "pve1", OLD);
            lastGood.keep("1", Kind.SHELL, "pve1", OLD);
        }
        try (Database database = Database.open(new DataFolder(temp))) {
            LastGood lastGood = new SqliteLastGood(database);
            assertThat(lastGood.of("1", Kind.PROXMOX, "pve1")).contains(NEW);
            assertThat(lastGood.of("1", Kind.SHELL, "pve1")).contains(OLD);
            assertThat(lastGood.of("2", Kind.PROXMOX, "pve1")).isEmpty();
        }
    }

    @Test
    void oldAnswersAndGoneSitesAreForgotten() throws TroubleException {
        try (Database database = Database.open(new DataFolder(temp))) {
            LastGood lastGood = new SqliteLastGood(database);
            lastGood.keep("1", Kind.PROXMOX, "pve1", OLD);
            lastGood.keep("1", Kind.PROXMOX, "pve2", NEW);
            lastGood.keep("2", Kind.PROXMOX, "pve1", NEW);
            lastGood.forgetBefore(NEW.at());
            assertThat(lastGood.of("1", Kind.PROXMOX, "pve1")).isEmpty();
            lastGood.forget("1");
            assertThat(lastGood.of("1", Kind.PROXMOX, "pve2")).isEmpty();
            assertThat(lastGood.of("2", Kind.PROXMOX, "pve1")).contains(NEW);
        }
    }
}
