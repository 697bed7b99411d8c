package dev.pitwall.store;

import dev.pitwall.card.TroubleException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Properties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DataFolderTest {
    @TempDir
    private Path temp;

    private static Properties system(String os) {
        Properties properties = new Properties();
        properties.setProperty("os.name", os);
        properties.setProperty("user.home", "/home/anna");
        return properties;
    }

    @Test
    void followsTheXdgVariableAndIgnoresARelativeOne() throws TroubleException {
        assertThat(DataFolder.of(Map.of("XDG_DATA_HOME", "/data"), system("Linux")).path()).isEqualTo(Path.of("/data/pitwall"));
        assertThat(DataFolder.of(Map.of("XDG_DATA_HOME", "data"), system("Linux")).path())
                .isEqualTo(Path.of("/home/anna/.local/share/pitwall"));
        assertThat(DataFolder.of(Map.of(), system("Linux")).path()).isEqualTo(Path.of("/home/anna/.local/share/pitwall"));
    }

    @Test
    void isWhereMacAndWindowsKeepSuchFolders() throws TroubleException {
        assertThat(DataFolder.of(Map.of(), system("Mac OS X")).path())
                .isEqualTo(Path.of("/home/anna/Library/Application Support/Pitwall"));
        assertThat(DataFolder.of(Map.of("LOCALAPPDATA", "/local"), system("Windows 11")).path())
                .isEqualTo(Path.of("/local/Pitwall"));
    }

    @Test
    void thePropertyWinsOverTheVariableAndTheVariableOverTheSystem() throws TroubleException {
        Properties properties = system("Linux");
        Map<String, String> environment = Map.of("PITWALL_HOME", "/env", "XDG_DATA_HOME", "/data");
        assertThat(DataFolder.of(environment, properties).path()).isEqualTo(Path.of("/env"));
        properties.setProperty("pitwall.home", "/property");
        assertThat(DataFolder.of(environment, properties).path()).isEqualTo(Path.of("/property"));
    }

    @Test
    void aNewFolderIsForItsOwnerOnlyAndAnOldOneKeepsItsRights() throws Exception {
        Path fresh = temp.resolve("a/b");
        new DataFolder(fresh).create();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(fresh))).isEqualTo("rwx------");

        Path shared = Files.createDirectory(temp.resolve("shared"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-xr-x"));
        new DataFolder(shared).create();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(shared))).isEqualTo("rwxr-xr-x");
    }

    @Test
    void aFileInTheWayIsSaid() throws Exception {
        Path inTheWay = Files.writeString(temp.resolve("file"), "");
        assertThatExceptionOfType(TroubleException.class).isThrownBy(() -> new DataFolder(inTheWay).create())
                .satisfies(e -> assertThat(e.trouble().sentence())
                        .isEqualTo(inTheWay + ": the data folder cannot be made (" + inTheWay + " is there and is not a folder)"));
    }
}
