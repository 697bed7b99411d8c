package dev.pitwall.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

/** Labs that are not like the garage start, answer and describe themselves as sites. */
class OtherScenesTest {
    @TempDir
    Path dir;

    @Test
    void aBareMetalSiteHasEverythingButProxmox() throws Exception {
        try (Lab lab = Lab.start(LabOptions.garage(dir).withScene("metal"))) {
            JsonNode site = new ObjectMapper().readTree(lab.siteFile().toFile());
            assertThat(site.has("proxmox")).isFalse();
            assertThat(site.path("ssh")).hasSize(2);
            assertThat(site.at("/ssh/0/role").asText()).isEqualTo("node");
            assertThat(site.at("/cluster/context").asText()).isEqualTo("metal");
            assertThat(site.has("prometheus")).isTrue();
            assertThat(site.path("modelServers")).hasSize(2);
            assertThat(lab.endpoints()).noneMatch(e -> e.system().equals("talos"));
        }
    }

    @Test
    void aTalosSiteHasATalosconfigAndNoShellOnItsNodes() throws Exception {
        try (Lab lab = Lab.start(LabOptions.garage(dir).withScene("talos"))) {
            assertThat(lab.endpoints().stream().filter(e -> e.system().equals("talos"))).hasSize(7);
            assertThat(lab.endpoints().stream().filter(e -> e.system().equals("image-factory"))).hasSize(1);
            assertThat(lab.endpoints().stream().filter(e -> e.system().equals("ssh")).map(LabEndpoint::name))
                    .containsExactly("ember", "forge", "jump");
            assertThat(Files.readString(dir.resolve("talosconfig"))).contains("endpoints:", "crt:", "talos-reader:");
        }
    }

    @Test
    void aBareSiteHasAClusterWithoutTheOperator() throws Exception {
        try (Lab lab = Lab.start(LabOptions.garage(dir).withScene("metal").withGround(LabOptions.Ground.BARE))) {
            JsonNode site = new ObjectMapper().readTree(lab.siteFile().toFile());
            assertThat(site.has("modelServers") && !site.path("modelServers").isEmpty()).isFalse();
            assertThat(lab.possibleFaults()).isNotNull();
        }
    }
}
