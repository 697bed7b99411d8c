package dev.pitwall.ui.shell;

import dev.pitwall.ui.theme.ThemeChoice;
import java.nio.file.Path;
import javafx.geometry.Rectangle2D;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class WindowMemoryTest {

    @Test
    void aWindowIsNeverLargerThanItsScreen(@TempDir Path dir) {
        Path file = dir.resolve("window");
        new WindowMemory(2500, 1300, false, ThemeChoice.DARK).write(file);
        WindowMemory small = WindowMemory.read(file).within(new Rectangle2D(0, 27, 1000, 673));

        assertThat(small).isEqualTo(new WindowMemory(1000, 673, false, ThemeChoice.DARK));
        assertThat(WindowMemory.USUAL.within(new Rectangle2D(0, 0, 1920, 1080))).isEqualTo(WindowMemory.USUAL);
    }
}
