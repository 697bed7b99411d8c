package dev.pitwall.lab.kube.schema;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.CodedOutputStream;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WireReaderTest {
    private final WireReader reader = new WireReader(ApiTypes.load());

    @FunctionalInterface
    private interface Part {
        void write(CodedOutputStream out) throws IOException;
    }

    @Test
    void a_deployment_on_the_wire_is_the_json_that_means_the_same() throws IOException {
        byte[] template = message(out -> out.writeByteArray(2, message(spec -> {
            spec.writeByteArray(2, message(container -> {
                container.writeString(1, "web");
                container.writeString(2, "nginx:1.27");
                container.writeByteArray(6, message(port -> port.writeInt32(3, 80)));
                container.writeByteArray(8, message(resources -> resources.writeByteArray(1, message(entry -> {
                    entry.writeString(1, "nvidia.com/gpu");
                    entry.writeByteArray(2, message(quantity -> quantity.writeString(1, "1")));
                }))));
                container.writeBool(16, false);
            }));
            spec.writeString(3, "");
        })));
        byte[] deployment = message(out -> {
            out.writeByteArray(1, message(metadata -> metadata.writeString(1, "web")));
            out.writeByteArray(2, message(spec -> {
                spec.writeInt32(1, 0);
                spec.writeByteArray(3, template);
                spec.writeInt32(5, 0);
            }));
        });
        ObjectNode object = reader.read(envelope("apps/v1", "Deployment", deployment));
        assertThat(object.path("kind").asText()).isEqualTo("Deployment");
        assertThat(object.at("/metadata/name").asText()).isEqualTo("web");
        assertThat(object.at("/spec/replicas").asInt(-1)).as("a pointer's zero is a value").isZero();
        assertThat(object.path("spec").has("minReadySeconds")).as("a plain zero is nothing").isFalse();
        ObjectNode container = (ObjectNode) object.at("/spec/template/spec/containers/0");
        assertThat(container.at("/resources/limits").path("nvidia.com/gpu").asText()).isEqualTo("1");
        assertThat(container.at("/ports/0/containerPort").asInt()).isEqualTo(80);
        assertThat(container.has("stdin")).isFalse();
        assertThat(object.at("/spec/template/spec").has("restartPolicy")).isFalse();
    }

    @Test
    void inlined_messages_and_times_and_empty_objects_come_through() throws IOException {
        byte[] pod = message(out -> {
            out.writeByteArray(1, message(metadata -> metadata.writeByteArray(8, message(time -> time.writeInt64(1, 60)))));
            out.writeByteArray(2, message(spec -> spec.writeByteArray(1, message(volume -> {
                volume.writeString(1, "scratch");
                volume.writeByteArray(2, message(source -> source.writeByteArray(2, new byte[0])));
            }))));
        });
        ObjectNode object = reader.read(envelope("v1", "Pod", pod));
        assertThat(object.at("/metadata/creationTimestamp").asText()).isEqualTo("1970-01-01T00:01:00Z");
        assertThat(object.at("/spec/volumes/0/emptyDir").isObject()).isTrue();
        assertThat(object.at("/spec/volumes/0/name").asText()).isEqualTo("scratch");
    }

    @Test
    void what_is_no_such_message_is_refused() {
        assertThatThrownBy(() -> reader.read("{}".getBytes(StandardCharsets.UTF_8)))
                .hasMessageContaining("does not appear to be a protobuf message");
        assertThatThrownBy(() -> reader.read(envelope("v1", "Nothing", new byte[0])))
                .hasMessage("no kind \"Nothing\" is registered for version \"v1\"");
    }

    private static byte[] envelope(String apiVersion, String kind, byte[] raw) throws IOException {
        byte[] unknown = message(out -> {
            out.writeByteArray(1, message(type -> {
                type.writeString(1, apiVersion);
                type.writeString(2, kind);
            }));
            out.writeByteArray(2, raw);
        });
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(new byte[] {'k', '8', 's', 0});
        all.write(unknown);
        return all.toByteArray();
    }

    private static byte[] message(Part part) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        part.write(out);
        out.flush();
        return bytes.toByteArray();
    }
}
