package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Json;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PatchesTest {
    private static final ResourceType PODS = ResourceCatalog.load().find("", "v1", "pods").orElseThrow();
    private static final String POD = """
            {"metadata":{"labels":{"a":"1","b":"2"}},"spec":{"containers":[{"name":"x","image":"old"},{"name":"y"}]}}""";

    @Test
    void a_merge_patch_removes_what_is_null_and_replaces_lists() throws IOException {
        assertThat(patched("merge-patch", "{\"metadata\":{\"labels\":{\"a\":null}},\"spec\":{\"containers\":[]}}"))
                .isEqualTo(json("{\"metadata\":{\"labels\":{\"b\":\"2\"}},\"spec\":{\"containers\":[]}}"));
    }

    @Test
    void a_strategic_patch_joins_containers_by_name() throws IOException {
        ObjectNode pod = patched("strategic-merge-patch",
                "{\"spec\":{\"containers\":[{\"name\":\"x\",\"image\":\"new\"},{\"name\":\"y\",\"$patch\":\"delete\"}]}}");
        assertThat(pod.at("/spec/containers")).isEqualTo(json("[{\"name\":\"x\",\"image\":\"new\"}]"));
    }

    @Test
    void a_json_patch_adds_replaces_tests_and_removes() throws IOException {
        ObjectNode pod = patched("json-patch", """
                [{"op":"test","path":"/metadata/labels/a","value":"1"},
                 {"op":"add","path":"/spec/containers/-","value":{"name":"z"}},
                 {"op":"remove","path":"/spec/containers/0"},
                 {"op":"replace","path":"/metadata/labels/b","value":"3"},
                 {"op":"add","path":"/metadata/labels/x~1y","value":"4"}]""");
        assertThat(pod.at("/spec/containers")).isEqualTo(json("[{\"name\":\"y\"},{\"name\":\"z\"}]"));
        assertThat(pod.at("/metadata/labels")).isEqualTo(json("{\"a\":\"1\",\"b\":\"3\",\"x/y\":\"4\"}"));
        assertThatThrownBy(() -> patched("json-patch", "[{\"op\":\"remove\",\"path\":\"/spec/none\"}]"))
                .isInstanceOf(ApiFailure.class).hasMessageContaining("doc is missing path: \"/spec/none\"");
    }

    private static ObjectNode patched(String kind, String patch) throws IOException {
        return Patches.apply("application/" + kind + "+json", (ObjectNode) json(POD), json(patch), PODS);
    }

    private static JsonNode json(String text) throws IOException {
        return Json.parse(text.getBytes(StandardCharsets.UTF_8));
    }
}
