package dev.pitwall.store;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonSubTypes.Type;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.pitwall.engine.live.Away;
import dev.pitwall.engine.live.Entry;
import dev.pitwall.engine.live.MeasuredSpeed;
import dev.pitwall.engine.live.Mode;
import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.engine.live.ProviderId;
import dev.pitwall.engine.live.ProviderView.Hold;
import dev.pitwall.engine.live.Wish;
import dev.pitwall.engine.vram.MeasuredLoad;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the engine keeps, as JSON, and back. */
final class EngineJson {
    private static final Logger LOG = LoggerFactory.getLogger(EngineJson.class);

    private final JsonMapper mapper = JsonMapper.builder()
            .addModules(new Jdk8Module(), new JavaTimeModule())
            .visibility(PropertyAccessor.FIELD, Visibility.ANY)
            .visibility(PropertyAccessor.GETTER, Visibility.NONE)
            .visibility(PropertyAccessor.IS_GETTER, Visibility.NONE)
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .addMixIn(Wish.class, WishForm.class)
            .build();

    /** Says which wish it is; the names stay when classes are renamed. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "wish")
    @JsonSubTypes({@Type(value = Wish.Place.class, name = "place"), @Type(value = Wish.Move.class, name = "move"),
            @Type(value = Wish.Evict.class, name = "evict"), @Type(value = Wish.Pin.class, name = "pin"),
            @Type(value = Wish.Unpin.class, name = "unpin"), @Type(value = Wish.Hold.class, name = "hold"),
            @Type(value = Wish.Release.class, name = "release"), @Type(value = Wish.Cancel.class, name = "cancel"),
            @Type(value = Wish.Pull.class, name = "pull"), @Type(value = Wish.CancelPull.class, name = "cancel-pull"),
            @Type(value = Wish.MeasureSpeed.class, name = "measure-speed"),
            @Type(value = Wish.SetMode.class, name = "mode"), @Type(value = Wish.All.class, name = "all")})
    private interface WishForm {
    }

    /** What people have decided. */
    record Decisions(Mode mode, Set<PlacementId> pins, List<Held> holds) {
    }

    record Held(ProviderId provider, Hold hold) {
    }

    String write(Object value) {
        try {
            return mapper.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("this has no JSON form: " + value.getClass(), e);
        }
    }

    Optional<Decisions> decisions(String json) {
        return read(json, new TypeReference<>() { });
    }

    List<MeasuredLoad> loads(String json) {
        return read(json, new TypeReference<List<MeasuredLoad>>() { }).orElse(List.of());
    }

    List<MeasuredSpeed> speeds(String json) {
        return read(json, new TypeReference<List<MeasuredSpeed>>() { }).orElse(List.of());
    }

    List<Away> away(String json) {
        return read(json, new TypeReference<List<Away>>() { }).orElse(List.of());
    }

    Optional<Entry> entry(String json) {
        return read(json, new TypeReference<>() { });
    }

    /** What another version kept may have another shape; then it is let go. */
    private <T> Optional<T> read(String json, TypeReference<T> type) {
        try {
            return Optional.ofNullable(mapper.readValue(json, type));
        } catch (JsonProcessingException e) {
            LOG.info("What the engine of another version kept is not understood and is not used");
            return Optional.empty();
        }
    }
}
