package dev.pitwall.packaging;

import dev.pitwall.ui.OneWindow;
import javafx.scene.text.Font;
import javafx.scene.text.FontWeight;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.InputStream;

import static org.assertj.core.api.Assertions.assertThat;

/** The names that resources/fonts/README.md promises. */
@OneWindow
class FontsTest {

    private static Font load(String file) throws Exception {
        try (InputStream in = FontsTest.class.getResourceAsStream("/fonts/" + file)) {
            return Font.loadFont(in, 13);
        }
    }

    @ParameterizedTest
    @CsvSource({"Inter-Regular.otf, Inter, Regular", "Inter-SemiBold.otf, Inter, Bold",
        "JetBrainsMono-Regular.ttf, JetBrains Mono, Regular", "JetBrainsMono-SemiBold.ttf, JetBrains Mono, Bold"})
    void javaFxNamesTheFacesSo(String file, String family, String style) throws Exception {
        Font font = load(file);
        assertThat(font.getFamily()).isEqualTo(family);
        assertThat(font.getStyle()).isEqualTo(style);
    }

    @Test
    void boldIsTheShippedSemiBoldFace() throws Exception {
        load("Inter-Regular.otf");
        load("Inter-SemiBold.otf");
        assertThat(Font.font("Inter", FontWeight.BOLD, 14).getName()).isEqualTo("Inter Bold");
        assertThat(Font.font("Inter", FontWeight.NORMAL, 14).getName()).isEqualTo("Inter Regular");
    }
}
