package dev.pitwall.lab.talos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

class SchematicTest {
    @TestFactory
    Stream<DynamicTest> idsAreThoseOfTheRealFactory() throws Exception {
        try (InputStream in = SchematicTest.class.getResourceAsStream("/lab/talos-schematic-vectors.json")) {
            JsonNode vectors = new ObjectMapper().readTree(in).path("vectors");
            return StreamSupport.stream(vectors.spliterator(), false).map(vector -> DynamicTest.dynamicTest(
                    vector.path("name").asText(), () -> {
                        Schematic schematic = Schematic.parse(vector.path("canonicalYaml").asText());
                        assertThat(schematic.canonical()).isEqualTo(vector.path("canonicalYaml").asText());
                        assertThat(schematic.id()).isEqualTo(vector.path("id").asText());
                    }));
        }
    }

    @Test
    void jsonAndLooseYamlGiveTheSameId() throws Exception {
        String json = "{\"customization\":{\"systemExtensions\":{\"officialExtensions\":[\"siderolabs/qemu-guest-agent\"]}}}";
        assertThat(Schematic.parse(json).id()).isEqualTo(Schematic.of(List.of("siderolabs/qemu-guest-agent")).id());
        assertThat(Schematic.parse("customization:\n  extraKernelArgs: []\n  secureboot: {}\n").canonical())
                .isEqualTo("customization: {}\n");
        assertThat(Schematic.parse("customization:\n    meta:\n        - {value: foo, key: 0xa}\n").id())
                .isEqualTo("d308a2a5ee2277bed5fbaa104fcbc8d59122abfa737df987a95b4ca763459a7f");
    }

    @Test
    void aFieldThatThereIsNotIsRefusedWithItsLine() {
        assertThatThrownBy(() -> Schematic.parse("customization:\n  extensions: [x]\n"))
                .isInstanceOf(FactoryRefusal.class)
                .hasMessage("yaml: unmarshal errors:\n  line 2: field extensions not found in type schematic.Customization");
        assertThatThrownBy(() -> Schematic.parse("owner: me\ncustomization: {}\n"))
                .hasMessage("owner field is only supported in Enterprise edition");
        assertThatThrownBy(() -> Schematic.parse("")).hasMessage("EOF");
    }

    @Property
    void everyTextIsReadBackAsItWasWritten(@ForAll @Size(max = 4) List<String> args) throws Exception {
        List<String> kept = args.stream().map(arg -> arg.replaceAll("[^\\x20-\\x7e]", "")).filter(arg -> !arg.isEmpty())
                .toList();
        String yaml = GoYaml.write(Map.of("customization", kept.isEmpty() ? Map.of()
                : Map.of("extraKernelArgs", kept)));
        assertThat(Schematic.parse(yaml).canonical()).isEqualTo(yaml);
    }
}
