package dev.pitwall.lab.kube.apply;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.apply.FieldOwners.OnConflict;
import dev.pitwall.lab.kube.apply.FieldOwners.Write;
import dev.pitwall.lab.kube.schema.ApiTypes;
import dev.pitwall.lab.kube.schema.Schema;
import dev.pitwall.lab.kube.store.Json;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FieldOwnersTest {
    private static final Schema DEPLOYMENT = ApiTypes.load().schema("apps", "v1", "Deployment").orElseThrow();
    private static final String WEB = """
            {"metadata":{"name":"web","labels":{"a":"1"}},"spec":{"replicas":1,"template":{"spec":{"containers":
            [{"name":"c","image":"nginx","env":[{"name":"A","value":"1"},{"name":"B","value":"2"}]}]}}}}""";

    @Test
    void what_an_applied_configuration_no_longer_names_goes_unless_others_own_it() throws IOException {
        ObjectNode first = apply(Json.object(), WEB, "one", OnConflict.REFUSE);
        ObjectNode both = apply(first, "{\"metadata\":{\"name\":\"web\",\"labels\":{\"a\":\"1\"}}}", "two", OnConflict.REFUSE);
        ObjectNode less = apply(both, WEB.replace(",{\"name\":\"B\",\"value\":\"2\"}", "").replace("\"a\":\"1\"", ""),
                "one", OnConflict.REFUSE);
        assertThat(less.at("/spec/template/spec/containers/0/env")).hasSize(1);
        assertThat(less.at("/metadata/labels/a").asText()).as("the other manager's label stays").isEqualTo("1");
        ObjectNode none = apply(less, "{\"metadata\":{\"name\":\"web\",\"labels\":{}}}", "two", OnConflict.REFUSE);
        assertThat(none.at("/metadata/labels").has("a")).isFalse();
    }

    @Test
    void a_field_of_another_manager_is_a_conflict_until_it_is_forced() throws IOException {
        ObjectNode first = apply(Json.object(), WEB, "one", OnConflict.REFUSE);
        String other = "{\"metadata\":{\"name\":\"web\"},\"spec\":{\"replicas\":3,\"template\":{\"spec\":{\"containers\":"
                + "[{\"name\":\"c\",\"image\":\"other\"}]}}}}";
        assertThatThrownBy(() -> apply(first, other, "two", OnConflict.REFUSE)).isInstanceOf(ApplyConflict.class)
                .hasMessage("Apply failed with 2 conflicts: conflicts with \"one\":\n- .spec.replicas\n"
                        + "- .spec.template.spec.containers[name=\"c\"].image");
        ObjectNode forced = apply(first, other, "two", OnConflict.FORCE);
        assertThat(forced.at("/spec/replicas").asInt()).isEqualTo(3);
        assertThat(forced.at("/spec/template/spec/containers/0/env")).hasSize(2);
        assertThat(fields(forced, "one").at("/f:spec").has("f:replicas")).isFalse();
        assertThat(fields(forced, "two").at("/f:spec").has("f:replicas")).isTrue();
    }

    @Test
    void the_same_value_is_owned_by_both() throws IOException {
        ObjectNode first = apply(Json.object(), WEB, "one", OnConflict.REFUSE);
        ObjectNode shared = apply(first, "{\"metadata\":{\"name\":\"web\"},\"spec\":{\"replicas\":1}}", "two", OnConflict.REFUSE);
        assertThat(fields(shared, "one").at("/f:spec").has("f:replicas")).isTrue();
        assertThat(fields(shared, "two").at("/f:spec").has("f:replicas")).isTrue();
    }

    @Test
    void an_update_takes_over_what_it_changes_and_a_conflict_names_it_with_its_version_and_time() throws IOException {
        ObjectNode first = apply(Json.object(), WEB, "one", OnConflict.REFUSE);
        ObjectNode updated = first.deepCopy();
        ((ObjectNode) updated.path("spec")).put("replicas", 5);
        FieldOwners.update(first, updated, DEPLOYMENT, write("kubectl"));
        assertThat(fields(updated, "one").at("/f:spec").has("f:replicas")).isFalse();
        assertThat(fields(updated, "kubectl").at("/f:spec").has("f:replicas")).isTrue();
        assertThatThrownBy(() -> apply(updated, WEB, "one", OnConflict.REFUSE))
                .hasMessage("Apply failed with 1 conflict: conflict with \"kubectl\" using apps/v1 at"
                        + " 2026-01-01T00:00:00Z: .spec.replicas");
    }

    @Test
    void applying_the_same_again_changes_nothing() throws IOException {
        ObjectNode first = apply(Json.object(), WEB, "one", OnConflict.REFUSE);
        assertThat(apply(first, WEB, "one", OnConflict.REFUSE)).isEqualTo(first);
    }

    @Test
    void an_empty_list_of_owners_takes_them_all_away() throws IOException {
        ObjectNode first = apply(Json.object(), WEB, "one", OnConflict.REFUSE);
        ObjectNode reset = first.deepCopy();
        ((ObjectNode) reset.path("metadata")).putArray("managedFields").addObject();
        FieldOwners.update(first, reset, DEPLOYMENT, write("kubectl"));
        assertThat(reset.at("/metadata/managedFields").isMissingNode()).isTrue();
    }

    private static ObjectNode apply(ObjectNode live, String configuration, String manager, OnConflict onConflict)
            throws IOException {
        return FieldOwners.apply(live, (ObjectNode) Json.parse(configuration.getBytes(StandardCharsets.UTF_8)),
                DEPLOYMENT, write(manager), onConflict);
    }

    private static Write write(String manager) {
        return new Write(manager, "apps/v1", "", "2026-01-01T00:00:00Z");
    }

    private static ObjectNode fields(ObjectNode object, String manager) {
        for (var entry : object.at("/metadata/managedFields")) {
            if (entry.path("manager").asText().equals(manager)) {
                return (ObjectNode) entry.path("fieldsV1");
            }
        }
        return Json.object();
    }
}
