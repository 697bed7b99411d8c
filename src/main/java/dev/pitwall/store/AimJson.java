package dev.pitwall.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.pitwall.journey.Aim;
import dev.pitwall.journey.Choices;

import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** What a run is to reach as JSON, and back. */
final class AimJson {
    private final JsonMapper mapper = new JsonMapper();

    /** @param last empty text for none */
    private record Form(SortedMap<String, String> choices, String last) {
    }

    String write(Aim aim) {
        try {
            return mapper.writeValueAsString(new Form(aim.choices().values(), aim.last().orElse("")));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("plain texts can always be written", e);
        }
    }

    /** {@link Aim#NONE} of what another version wrote: the run then makes its changes and no more. */
    Aim read(String json) {
        try {
            Form form = mapper.readValue(json, Form.class);
            return new Aim(Choices.of(form.choices() == null ? Map.of() : form.choices()),
                    Optional.ofNullable(form.last()).filter(l -> !l.isEmpty()));
        } catch (JsonProcessingException e) {
            return Aim.NONE;
        }
    }
}
