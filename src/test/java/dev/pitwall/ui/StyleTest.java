package dev.pitwall.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Rules of the look that a reader of one file would not notice when they break. */
class StyleTest {

    private static final Pattern COLOUR = Pattern.compile("#[0-9a-fA-F]{3,8}\\b|rgba?\\(|hsba?\\(|:\\s*(white|black|red|green"
            + "|blue|gr[ae]y)\\b");
    private static final Pattern RUN_LATER = Pattern.compile("Platform\\s*\\.\\s*runLater");

    @Test
    void noStylesheetHoldsAColourOfItsOwn() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of("resources/css"))) {
            for (Path file : files.toList()) {
                Matcher colour = COLOUR.matcher(Files.readString(file));
                while (colour.find()) {
                    found.add(file.getFileName() + ": " + colour.group());
                }
            }
        }
        assertThat(found).as("use AtlantaFX's looked-up colours").isEmpty();
    }

    @Test
    void onlyTheTokenFilesDefineTokens() throws IOException {
        assertThat(Files.readString(Path.of("resources/css/pitwall.css"))).doesNotContainPattern("-pw-[a-z-]+\\s*:");
    }

    @Test
    void bothThemesDefineTheSameTokens() throws IOException {
        assertThat(tokens("dark")).isNotEmpty().isEqualTo(tokens("light"));
    }

    @Test
    void anIconWithoutAWordHasASpokenTextAndATooltip() throws Exception {
        List<String> silent = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of("resources/fxml"))) {
            for (Path file : files.toList()) {
                NodeList buttons = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile())
                        .getElementsByTagName("Button");
                for (int i = 0; i < buttons.getLength(); i++) {
                    Element button = (Element) buttons.item(i);
                    boolean iconOnly = button.getAttribute("text").isEmpty()
                            && button.getElementsByTagName("graphic").getLength() > 0;
                    boolean explained = !button.getAttribute("accessibleText").isEmpty()
                            && (button.getElementsByTagName("Tooltip").getLength() > 0
                                    || button.getElementsByTagName("Label").getLength() > 0);
                    if (iconOnly && !explained) {
                        silent.add(file.getFileName() + " " + button.getAttribute("fx:id"));
                    }
                }
            }
        }
        assertThat(silent).isEmpty();
    }

    @Test
    void oneClassOnlyGoesToTheJavaFxThread() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            assertThat(files.filter(f -> f.toString().endsWith(".java")).filter(StyleTest::callsRunLater))
                    .containsExactly(Path.of("src/main/java/dev/pitwall/ui/UiThread.java"));
        }
    }

    private static boolean callsRunLater(Path file) {
        try {
            return RUN_LATER.matcher(Files.readString(file)).find();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> tokens(String theme) throws IOException {
        return Pattern.compile("-pw-[a-z-]+(?=:)").matcher(
                Files.readString(Path.of("resources/css/tokens-" + theme + ".css"))).results()
                .map(r -> r.group()).sorted().toList();
    }
}
