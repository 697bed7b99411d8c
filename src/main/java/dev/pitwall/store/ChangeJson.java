package dev.pitwall.store;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ModelAsk;
import dev.pitwall.journey.change.ModelChange;
import dev.pitwall.journey.change.NodeReboot;
import dev.pitwall.journey.change.PackageChange;
import dev.pitwall.journey.change.PodRestart;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.journey.change.TalosConfigChange;
import dev.pitwall.journey.change.TalosUpgrade;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmCreation;
import dev.pitwall.journey.change.VmPowerCycle;
import dev.pitwall.journey.change.VmRemoval;

import java.io.IOException;

/**
 * The changes of the journal as JSON, and back: the record's components under the name of its kind. The names are part of
 * the database's format.
 */
final class ChangeJson {
    private final JsonMapper mapper = JsonMapper.builder()
            .addModules(new Jdk8Module(), new JavaTimeModule(), new SimpleModule()
                    .addSerializer(Content.class, new ContentWriter()).addDeserializer(Content.class, new ContentReader()))
            .addMixIn(Change.class, Named.class)
            .addMixIn(VmCreation.Origin.class, NamedOrigin.class)
            // A change is its components; what follows from them ("inverse") is no part of it.
            .visibility(PropertyAccessor.FIELD, Visibility.ANY)
            .visibility(PropertyAccessor.GETTER, Visibility.NONE)
            .visibility(PropertyAccessor.IS_GETTER, Visibility.NONE)
            .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .build();

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "change")
    @JsonSubTypes({
            @JsonSubTypes.Type(value = FileChange.class, name = "file"),
            @JsonSubTypes.Type(value = CommandChange.class, name = "command"),
            @JsonSubTypes.Type(value = VmConfigChange.class, name = "vm-config"),
            @JsonSubTypes.Type(value = VmCreation.class, name = "vm-creation"),
            @JsonSubTypes.Type(value = VmRemoval.class, name = "vm-removal"),
            @JsonSubTypes.Type(value = MappingChange.class, name = "mapping"),
            @JsonSubTypes.Type(value = ManifestChange.class, name = "manifest"),
            @JsonSubTypes.Type(value = HelmChange.class, name = "helm"),
            @JsonSubTypes.Type(value = TalosUpgrade.class, name = "talos-upgrade"),
            @JsonSubTypes.Type(value = TalosConfigChange.class, name = "talos-config"),
            @JsonSubTypes.Type(value = PodRun.class, name = "pod-run"),
            @JsonSubTypes.Type(value = ModelChange.class, name = "model"),
            @JsonSubTypes.Type(value = ModelAsk.class, name = "model-ask"),
            @JsonSubTypes.Type(value = PodRestart.class, name = "pod-restart"),
            @JsonSubTypes.Type(value = PackageChange.class, name = "packages"),
            @JsonSubTypes.Type(value = NodeReboot.class, name = "node-reboot"),
            @JsonSubTypes.Type(value = HostReboot.class, name = "host-reboot"),
            @JsonSubTypes.Type(value = VmPowerCycle.class, name = "vm-power-cycle")})
    private interface Named {
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "origin")
    @JsonSubTypes({
            @JsonSubTypes.Type(value = VmCreation.Template.class, name = "template"),
            @JsonSubTypes.Type(value = VmCreation.Blank.class, name = "blank")})
    private interface NamedOrigin {
    }

    /** Bytes as base64, no file as {@code false}: a null would be left to Jackson's own handling. */
    private static final class ContentWriter extends StdSerializer<Content> {
        private static final long serialVersionUID = 1L;

        ContentWriter() {
            super(Content.class);
        }

        @Override
        public void serialize(Content content, JsonGenerator out, SerializerProvider provider) throws IOException {
            switch (content) {
                case Content.Absent a -> out.writeBoolean(false);
                case Content.Bytes(byte[] bytes) -> out.writeBinary(bytes);
            }
        }

        @Override
        public void serializeWithType(Content content, JsonGenerator out, SerializerProvider provider,
                                      TypeSerializer type) throws IOException {
            serialize(content, out, provider);
        }
    }

    private static final class ContentReader extends StdDeserializer<Content> {
        private static final long serialVersionUID = 1L;

        ContentReader() {
            super(Content.class);
        }

        @Override
        public Content deserialize(JsonParser in, DeserializationContext context) throws IOException {
            return in.currentToken().isBoolean() ? Content.ABSENT : new Content.Bytes(in.getBinaryValue());
        }
    }

    String write(Change change) {
        try {
            return mapper.writeValueAsString(change);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("this change has no JSON form: " + change.getClass(), e);
        }
    }

    /** @throws JsonProcessingException if another version wrote it */
    Change read(String json) throws JsonProcessingException {
        return mapper.readValue(json, Change.class);
    }
}
