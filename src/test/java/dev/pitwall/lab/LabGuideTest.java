package dev.pitwall.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** The guide of the lab says what is so. */
class LabGuideTest {
    private static final Path GUIDE = Path.of("docs/guide/lab.md");

    @Test
    void itListsEveryFaultAndNoOther() throws Exception {
        List<String> rows = new ArrayList<>();
        for (JsonNode fault : new YAMLMapper().readTree(LabGuideTest.class.getResourceAsStream("/lab/faults.yaml"))) {
            rows.add("| `" + fault.path("trap").asText() + "` | " + fault.path("on").asText() + " | "
                    + fault.path("summary").asText() + " |");
        }
        String table = Files.readString(GUIDE).split("\\| fault \\| on \\| what happens \\|\n\\|---\\|---\\|---\\|\n")[1];
        assertThat(table.lines()).containsExactlyElementsOf(rows);
    }

    @Test
    void itListsEveryLoginAndFile(@TempDir Path dir) throws Exception {
        String guide = Files.readString(GUIDE);
        try (Lab lab = Lab.start(LabOptions.garage(dir))) {
            assertThat(lab.logins()).isNotEmpty().allSatisfy(login -> {
                assertThat(guide).contains("`" + login.user() + "`").doesNotContain(login.password());
            });
            for (String file : List.of("site.json", "kubeconfig", "ssh_config", "known_hosts", "ca.pem", "lab.lock")) {
                assertThat(dir.resolve(file)).exists();
                assertThat(guide).contains("`" + file + "`");
            }
        }
    }
}
