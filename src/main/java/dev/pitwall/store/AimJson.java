package dev.pitwall.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.pitwall.journey.Aim;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Journal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** What a run is to reach as JSON, and back. */
final class AimJson {
    private final JsonMapper mapper = new JsonMapper();

    private final ChangeJson changes = new ChangeJson();

    /**
     * @param last  empty text for none
     * @param shown null of what was written before previews were kept
     */
    private record Form(SortedMap<String, String> choices, String last, List<Shown> shown) {
    }

    /** @param change as {@link ChangeJson} writes it */
    private record Shown(String step, String change) {
    }

    String write(Aim aim) {
        try {
            return mapper.writeValueAsString(new Form(aim.choices().values(), aim.last().orElse(""), aim.shown().stream()
                    .map(i -> new Shown(i.step(), changes.write(i.change()))).toList()));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("plain texts can always be written", e);
        }
    }

    private List<Journal.Intended> shown(List<Shown> kept) throws JsonProcessingException {
        List<Journal.Intended> shown = new ArrayList<>();
        for (Shown one : kept == null ? List.<Shown>of() : kept) {
            shown.add(new Journal.Intended(one.step(), changes.read(one.change())));
        }
        return shown;
    }

    /** {@link Aim#NONE} of what another version wrote: the run then makes its changes and no more. */
    Aim read(String json) {
        try {
            Form form = mapper.readValue(json, Form.class);
            return new Aim(Choices.of(form.choices() == null ? Map.of() : form.choices()),
                    Optional.ofNullable(form.last()).filter(l -> !l.isEmpty()), shown(form.shown()));
        } catch (JsonProcessingException e) {
            return Aim.NONE;
        }
    }
}
