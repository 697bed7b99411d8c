package dev.pitwall.store;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.pitwall.card.PciAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Optional;

/** The reports of {@code card} as JSON, and back. */
final class ReportJson {
    private static final Logger LOG = LoggerFactory.getLogger(ReportJson.class);

    private final JsonMapper mapper = JsonMapper.builder()
            .addModules(new Jdk8Module(), new JavaTimeModule(), new SimpleModule()
                    .addKeyDeserializer(PciAddress.class, new PciKey()))
            // A report is its components; what it computes from them ("isNvidiaGpu") is no part of it.
            .visibility(PropertyAccessor.FIELD, Visibility.ANY)
            .visibility(PropertyAccessor.GETTER, Visibility.NONE)
            .visibility(PropertyAccessor.IS_GETTER, Visibility.NONE)
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private static final class PciKey extends KeyDeserializer {
        @Override
        public Object deserializeKey(String key, DeserializationContext context) {
            return PciAddress.parse(key).orElseThrow(() -> new IllegalArgumentException("no PCI address: " + key));
        }
    }

    String write(Object report) {
        try {
            return mapper.writeValueAsString(report);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("this report has no JSON form: " + report.getClass(), e);
        }
    }

    <T> Optional<T> read(String json, Class<T> report) {
        return read(json, mapper.constructType(report));
    }

    <T> Optional<List<T>> readList(String json, Class<T> report) {
        return read(json, mapper.getTypeFactory().constructCollectionType(List.class, report));
    }

    /** What another version kept may have another shape; it is only a memory, so it is let go. */
    private <T> Optional<T> read(String json, JavaType type) {
        try {
            return Optional.ofNullable(mapper.readValue(json, type));
        } catch (JsonProcessingException e) {
            LOG.info("A kept answer is not understood as {} and is not used", type.toCanonical());
            return Optional.empty();
        }
    }
}
