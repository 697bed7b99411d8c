package dev.pitwall.doctor.report;

import dev.pitwall.doctor.catalogue.TrapCatalogue;
import dev.pitwall.doctor.sign.SignTable;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** The pages of {@code docs/traps} are those of the catalogue; {@code -Dpitwall.traps=write} writes them anew. */
class TrapPagesTest {
    private static final Path FOLDER = Path.of("docs/traps");

    @Test
    void thePagesSayWhatTheCatalogueSays() throws IOException {
        Map<String, String> pages = new TrapPage(TrapCatalogue.load(), SignTable.load().about()).all();
        if ("write".equals(System.getProperty("pitwall.traps"))) {
            write(pages);
        }
        assertThat(there()).isEqualTo(new TreeMap<>(pages));
    }

    private static void write(Map<String, String> pages) throws IOException {
        Files.createDirectories(FOLDER);
        for (String old : there().keySet()) {
            Files.delete(FOLDER.resolve(old));
        }
        for (Map.Entry<String, String> page : pages.entrySet()) {
            Files.writeString(FOLDER.resolve(page.getKey()), page.getValue());
        }
    }

    private static Map<String, String> there() throws IOException {
        Map<String, String> pages = new TreeMap<>();
        try (Stream<Path> files = Files.list(FOLDER)) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(file -> {
                try {
                    pages.put(file.getFileName().toString(), Files.readString(file));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        return pages;
    }
}
