package dev.pitwall.store;

import dev.pitwall.card.TroubleException;
import dev.pitwall.settings.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Statement;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class SqliteSettingsTest {
    @TempDir
    private Path temp;

    @Test
    void settingsComeBackAfterARestart() throws TroubleException {
        Settings chosen = Settings.DEFAULT.withTheme(Settings.Theme.DARK).withDensity(Settings.Density.COMPACT)
                .withRefreshSeconds(10).withOpenSites(List.of("garage", "lab \"2\""))
                .withWindow(new Settings.Window(-1920, 12.5, 1440, 900, Settings.WindowState.MAXIMIZED));
        try (Database database = Database.open(new DataFolder(temp))) {
            SqliteSettings settings = new SqliteSettings(database);
            assertThat(settings.load()).isEqualTo(Settings.DEFAULT);
            settings.keep(chosen);
        }
        try (Database database = Database.open(new DataFolder(temp))) {
            SqliteSettings settings = new SqliteSettings(database);
            assertThat(settings.load()).isEqualTo(chosen);
            settings.keep(Settings.DEFAULT);
            assertThat(settings.load()).isEqualTo(Settings.DEFAULT);
        }
    }

    @Test
    void whatThisVersionDoesNotUnderstandFallsBackAloneToItsDefault() throws TroubleException {
        try (Database database = Database.open(new DataFolder(temp))) {
            SqliteSettings settings = new SqliteSettings(database);
            settings.keep(Settings.DEFAULT.withTheme(Settings.Theme.DARK).withDensity(Settings.Density.COMPACT));
            database.write(connection -> {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("UPDATE setting SET value = '\"SEPIA\"' WHERE name = 'theme'");
                    statement.execute("UPDATE setting SET value = '9000' WHERE name = 'refreshSeconds'");
                    return statement.execute("UPDATE setting SET value = '{half' WHERE name = 'openSites'");
                }
            });
            assertThat(settings.load()).isEqualTo(Settings.DEFAULT.withDensity(Settings.Density.COMPACT));
        }
    }

    @Test
    void aRefreshOutsideItsRangeIsNoSetting() {
        assertThatIllegalArgumentException().isThrownBy(() -> Settings.DEFAULT.withRefreshSeconds(1));
        assertThatIllegalArgumentException().isThrownBy(() -> Settings.DEFAULT.withRefreshSeconds(61));
    }
}
