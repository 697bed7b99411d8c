package dev.pitwall.launch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.DataInputStream;
import java.io.InputStream;

import static org.assertj.core.api.Assertions.assertThat;

class LauncherTest {
    /** Class file version of Java 8 (JVM specification, table 4.1-A). */
    private static final int JAVA_8 = 52;

    @ParameterizedTest
    @CsvSource({"1.8, 8", "11, 11", "17, 17", "25, 25"})
    void readsTheVersionsOfOldAndNewJavas(String version, int release) {
        assertThat(Launcher.release(version)).isEqualTo(release);
    }

    @Test
    void anOldJavaCanLoadIt() throws Exception {
        try (InputStream in = Launcher.class.getResourceAsStream("Launcher.class");
             DataInputStream data = new DataInputStream(in)) {
            data.readInt();
            data.readUnsignedShort();
            assertThat(data.readUnsignedShort()).isEqualTo(JAVA_8);
        }
    }
}
