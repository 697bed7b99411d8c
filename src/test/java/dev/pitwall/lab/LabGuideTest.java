package dev.pitwall.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/** The guide of the lab says what is so. */
class LabGuideTest {
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");
    private static final Path GUIDE = Path.of("docs/guide/lab.md");

    @Test
    void itListsEveryFaultAndNoOther() throws Exception {
        List<String> rows = new ArrayList<>();
        for (JsonNode fault : faults()) {
            rows.add("| `" + fault.path("trap").asText() + "` | " + fault.path("on").asText() + " | "
                    + fault.path("summary").asText() + " |");
        }
        assertThat(table("| fault | on | what happens |\n|---|---|---|\n")).containsExactlyElementsOf(rows);
    }

    @Test
    void aTrapCanEitherBeSwitchedOnOrTheGuideSaysWhyNot() throws Exception {
        List<String> known = new ArrayList<>();
        faults().forEach(fault -> known.add(fault.path("trap").asText()));
        List<String> missing = table("| trap | why |\n|---|---|\n").stream()
                .flatMap(row -> NAME.matcher(row.split("\\|")[1]).results().map(name -> name.group(1))).toList();
        assertThat(missing).isNotEmpty().doesNotHaveDuplicates().doesNotContainAnyElementsOf(known);
        assertThat(known).doesNotHaveDuplicates();
    }

    private static JsonNode faults() throws IOException {
        return new YAMLMapper().readTree(LabGuideTest.class.getResourceAsStream("/lab/faults.yaml"));
    }

    /** The rows of the table with this head. */
    private static List<String> table(String head) throws IOException {
        return Files.readString(GUIDE).split(Pattern.quote(head))[1].lines().takeWhile(line -> !line.isBlank()).toList();
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
