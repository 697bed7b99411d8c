package dev.pitwall.journey.export;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.journey.CardPlan;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class AnsibleExportTest {

    @Test
    void isAPlaybookOfOneHost() throws IOException {
        for (CardPlan plan : Plans.all(Path.of("/etc"))) {
            JsonNode play = read(plan);
            assertThat(play.path("hosts").asText()).isEqualTo("pve1");
            assertThat(play.path("tasks").isArray()).isTrue();
            play.path("tasks").forEach(task -> assertThat(task.properties().stream().map(e -> e.getKey())
                    .filter(key -> key.startsWith("ansible.builtin."))).hasSize(1));
        }
    }

    @Test
    void readsAndAssertsEverythingBeforeTheFirstChange() throws IOException {
        List<JsonNode> tasks = read(Plans.host(Path.of("/etc"))).path("tasks").valueStream().toList();
        List<Boolean> reads = tasks.stream().map(t -> t.has("ansible.builtin.stat") || t.has("ansible.builtin.assert")).toList();

        assertThat(reads.subList(0, 8)).containsOnly(true);
        assertThat(reads.subList(8, reads.size())).containsOnly(false);
        assertThat(tasks.getLast().has("ansible.builtin.reboot")).isTrue();
        assertThat(tasks.stream().filter(t -> t.has("ansible.builtin.command"))).hasSize(1);
    }

    @Test
    void textGoesInExactlyAndIsNeverATemplate() throws IOException {
        JsonNode copy = read(Plans.host(Path.of("/etc"))).path("tasks").valueStream().filter(t -> t.has("ansible.builtin.copy"))
                .findFirst().orElseThrow().path("ansible.builtin.copy");
        String content = copy.path("content").asText();

        assertThat(content).startsWith("{{ '").endsWith("' | b64decode }}");
        assertThat(new String(Base64.getDecoder().decode(content.replaceAll("^\\{\\{ '|' \\| b64decode }}$", "")), UTF_8))
                .isEqualTo(Plans.TRICKY);
    }

    @Test
    void whatChangesSomethingIsLeftAloneByACheck() throws IOException {
        for (JsonNode task : read(Plans.vm()).path("tasks")) {
            boolean reads = task.path("ansible.builtin.command").path("argv").toString().matches(".*\"(config|get|status|pending)\".*");
            if (task.has("ansible.builtin.command")) {
                assertThat(task.has("check_mode")).isEqualTo(reads);
                assertThat(reads || task.has("when")).isTrue();
            }
        }
    }

    private static JsonNode read(CardPlan plan) throws IOException {
        JsonNode document = new YAMLMapper().readTree(new AnsibleExport().render(plan));
        assertThat(document).hasSize(1);
        return document.get(0);
    }
}
