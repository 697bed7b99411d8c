package dev.pitwall.store;

import dev.pitwall.card.TroubleException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import static org.assertj.core.api.Assertions.assertThat;

class SqlitePreferencesTest {
    @TempDir
    private Path temp;

    @Test
    void aChoiceSurvivesARestartAndOfManyQuickOnesTheLast() throws TroubleException {
        try (Database database = Database.open(new DataFolder(temp));
             ExecutorService background = Executors.newVirtualThreadPerTaskExecutor()) {
            SqlitePreferences preferences = SqlitePreferences.load(database, background);
            assertThat(preferences.get("theme")).isEmpty();
            for (int i = 0; i <= 200; i++) {
                preferences.set("window.width", Integer.toString(i));
            }
            preferences.set("theme", "DARK");
            background.close();
        }
        try (Database database = Database.open(new DataFolder(temp))) {
            SqlitePreferences preferences = SqlitePreferences.load(database, Runnable::run);
            assertThat(preferences.get("theme")).contains("DARK");
            assertThat(preferences.get("window.width")).contains("200");
        }
    }

    @Test
    void whatTheBackgroundDidNotWriteIsWrittenAtTheEnd() throws TroubleException {
        try (Database database = Database.open(new DataFolder(temp))) {
            try (SqlitePreferences preferences = SqlitePreferences.load(database, never -> { })) {
                preferences.set("theme", "DARK");
            }
            assertThat(SqlitePreferences.load(database, Runnable::run).get("theme")).contains("DARK");
        }
    }

    @Test
    void aListenerHearsOfEachChangeUntilItStops() throws TroubleException {
        try (Database database = Database.open(new DataFolder(temp));
             SqlitePreferences preferences = SqlitePreferences.load(database, Runnable::run)) {
            List<String> heard = new ArrayList<>();
            Runnable stop = preferences.observe(heard::add);
            preferences.set("theme", "DARK");
            preferences.set("theme", "DARK");
            preferences.set("density", "COMPACT");
            stop.run();
            preferences.set("theme", "LIGHT");
            assertThat(heard).containsExactly("theme", "density");
        }
    }
}
