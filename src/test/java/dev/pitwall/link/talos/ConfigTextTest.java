package dev.pitwall.link.talos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigTextTest {
    private static final String MODULES = "{machine: {kernel: {modules: [{name: nvidia}, {name: nvidia_uvm}]}}}";
    private static final String NO_MODULES = "{machine: {kernel: {modules: null}}}";
    private static final String OWN = """
            version: v1alpha1 # the only one
            machine:
              type: worker
              files:
                - content: "a"
                  permissions: 0o644
              install:
                image: 'factory.talos.dev/x:v1.13.0'   # do not touch
                wipe: no
            cluster:
              secret: "7pQ+é="
            ---
            apiVersion: v1alpha1
            kind: ExtensionServiceConfig
            machine: not this one
            """;

    private static JsonNode tree(String flow) throws Exception {
        return new YAMLMapper().readTree(flow);
    }

    @Test
    void aFieldIsAddedAndNoOtherByteChanges() throws Exception {
        String changed = new ConfigText(OWN).with(tree(MODULES)).text();

        assertThat(changed).isEqualTo(OWN.replace("    wipe: no\n", "    wipe: no\n  kernel:\n    modules:\n"
                + "      - name: nvidia\n      - name: nvidia_uvm\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {OWN, "machine:\n    kernel:\n        modules:\n            - name: zfs\n              parameters: [a=1]\n    type: worker\n",
        "machine: {type: worker, kernel: {}}\n", "machine: {type: worker, kernel: {modules: [{name: zfs}], x: 1}}\ncluster: {}",
        "version: v1alpha1\nmachine:\n  type: worker # no line end", "machine:\n  kernel:\n  type: worker\n",
        "# first\nmachine:\n- no map\nversion: v1alpha1\n", "---\nmachine:\n  type: worker\n  ca:\n    crt: |\n      abc\n\n\n# end\n"})
    void whatIsSetIsReadAndWhatWasThereComesBack(String own) throws Exception {
        ConfigText before = new ConfigText(own);
        JsonNode fields = before.fields(tree(MODULES));

        ConfigText changed = before.with(tree(MODULES));

        assertThat(changed.fields(tree(MODULES))).isEqualTo(tree(MODULES));
        assertThat(changed.with(fields).fields(tree(MODULES))).isEqualTo(fields);
        assertThat(changed.with(fields).fields(tree("{machine: {type: null}, cluster: null}")))
                .isEqualTo(before.fields(tree("{machine: {type: null}, cluster: null}")));
    }

    @Test
    void takingAwayWhatWasAddedGivesTheSameBytes() throws Exception {
        assertThat(new ConfigText(OWN).with(tree(MODULES)).with(tree(NO_MODULES)).text()).isEqualTo(OWN);
        String other = "machine:\n    type: worker\n    kernel:\n        modules:\n            - name: zfs\n";
        JsonNode both = tree("{machine: {kernel: {modules: [{name: zfs}, {name: nvidia}]}}}");
        JsonNode one = tree("{machine: {kernel: {modules: [{name: zfs}]}}}");
        assertThat(new ConfigText(other).with(both).with(one).fields(one)).isEqualTo(one);
    }

    @Test
    void aValueWithItsCommentIsReplacedInItsPlace() throws Exception {
        String changed = new ConfigText(OWN).with(tree("{machine: {install: {image: 'factory.talos.dev/y:v1.13.0'}}}")).text();

        assertThat(changed).contains("    image: factory.talos.dev/y:v1.13.0   # do not touch\n    wipe: no\n")
                .contains("permissions: 0o644").contains("machine: not this one");
    }

    @Test
    void keysWithDotsAreKeys() throws Exception {
        ConfigText changed = new ConfigText(OWN).with(tree("{machine: {sysctls: {net.core.bpf_jit_harden: '1'}}}"));

        assertThat(changed.text()).contains("\n  sysctls:\n    net.core.bpf_jit_harden: \"1\"\n");
        assertThat(changed.with(tree("{machine: {sysctls: {net.core.bpf_jit_harden: null}}}")).text()).isEqualTo(OWN);
    }

    @Test
    void whatIsNotThereIsNull() throws Exception {
        assertThat(new ConfigText(OWN).fields(tree(MODULES)).toString())
                .isEqualTo(new ObjectMapper().readTree("{\"machine\":{\"kernel\":{\"modules\":null}}}").toString());
    }

    @Test
    void aTextWithoutTheMainDocumentIsRefused() {
        assertThatThrownBy(() -> new ConfigText("kind: X\n")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ConfigText("a: [")).isInstanceOf(IllegalArgumentException.class);
    }
}
