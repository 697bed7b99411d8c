package dev.pitwall.read;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Keys of the sharing configuration that stand where the device plugin does not look are told, and only those. */
class SharingReaderTest {
    private static List<String> problems(String section) {
        ObjectNode map = JsonNodeFactory.instance.objectNode();
        map.putObject("metadata").put("name", "sharing");
        map.putObject("data").put("any", section);
        return new SharingReader().read(map).sections().getFirst().problems();
    }

    @Test
    void aKeyOfSharingUnderFlagsOrBesideItsStrategyIsTold() {
        assertThat(problems("""
                version: v1
                flags: {failRequestsGreaterThanOne: true}
                sharing:
                  renameByDefault: true
                  timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}
                """)).containsExactly("renameByDefault stands under sharing, where nobody looks; its place is under timeSlicing or mps",
                "failRequestsGreaterThanOne stands under flags, where nobody looks; its place is under timeSlicing or mps");
        assertThat(problems("""
                version: v1
                renameByDefault: true
                sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}
                """)).containsExactly("renameByDefault stands at the top, where nobody looks; its place is under timeSlicing or mps");
    }

    @Test
    void whereTheyBelongNothingIsTold() {
        assertThat(problems("""
                version: v1
                flags: {migStrategy: none}
                sharing:
                  timeSlicing:
                    renameByDefault: true
                    failRequestsGreaterThanOne: true
                    resources: [{name: nvidia.com/gpu, replicas: 4}]
                """)).isEmpty();
    }
}
