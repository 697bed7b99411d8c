package dev.pitwall.lab.kube.api;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CatalogTest {
    private final ResourceCatalog catalog = ResourceCatalog.load();

    @Test
    void every_column_has_a_pointer_or_a_formula_and_every_formula_is_used() {
        var values = catalog.types().stream().flatMap(type -> type.columns().stream())
                .map(ResourceType.Column::value).filter(value -> !value.startsWith("/") && !value.startsWith(".")).collect(Collectors.toSet());
        assertThat(new Cells().names()).isEqualTo(values);
    }

    @Test
    void ages_are_written_as_kubectl_writes_them() {
        assertThat(List.of(0, 119, 120, 200, 600, 10_799, 10_800, 28_799, 28_800, 172_799, 172_800, 691_200,
                63_072_000).stream().map(seconds -> Ages.text(Duration.ofSeconds(seconds))))
                .containsExactly("0s", "119s", "2m", "3m20s", "10m", "179m", "3h", "7h59m", "8h", "47h", "2d", "8d",
                        "2y");
    }

    @Test
    void label_selectors_follow_the_grammar() {
        Map<String, String> labels = Map.of("app", "web", "tier", "front");
        for (String matching : List.of("", "app=web", "app==web,tier!=back", "app in (web, api),!gone",
                "gone notin (x)", "tier")) {
            assertThat(LabelSelector.parse(matching).test(labels)).as(matching).isTrue();
        }
        for (String other : List.of("app=api", "!app", "gone", "app notin (web)", "gone in (x)")) {
            assertThat(LabelSelector.parse(other).test(labels)).as(other).isFalse();
        }
        assertThatThrownBy(() -> LabelSelector.parse("a=b=c")).isInstanceOf(ApiFailure.class);
    }

    @Test
    void a_path_is_taken_apart_whatever_its_scope() {
        assertThat(RequestPath.parse("/api/v1/namespaces/llm/pods/a/log")).hasValue(
                new RequestPath("", "v1", "llm", "pods", "a", "log", ""));
        assertThat(RequestPath.parse("/api/v1/namespaces/llm/status")).hasValue(
                new RequestPath("", "v1", "", "namespaces", "llm", "status", ""));
        assertThat(RequestPath.parse("/apis/nvidia.com/v1/clusterpolicies")).hasValue(
                new RequestPath("nvidia.com", "v1", "", "clusterpolicies", "", "", ""));
        assertThat(RequestPath.parse("/api/v1/namespaces/llm/services/a:1/proxy/x/y")).hasValue(
                new RequestPath("", "v1", "llm", "services", "a:1", "proxy", "/x/y"));
        assertThat(RequestPath.parse("/apis/nvidia.com/v1")).isEmpty();
    }
}
