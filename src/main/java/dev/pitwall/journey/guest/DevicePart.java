package dev.pitwall.journey.guest;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer.Option;
import dev.pitwall.journey.Answer.Question;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.guest.CardEntries.Entry;
import dev.pitwall.journey.guest.MachinePart.Slots;
import dev.pitwall.journey.survey.DatacenterSurvey;
import dev.pitwall.read.PropertyText;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The {@code hostpciN} entry: one for the whole slot, so that all functions come as one device and can be reset
 * together. {@code x-vga} and {@code hidden} are never set: a card that computes needs neither (facts 1.8).
 */
final class DevicePart {
    private static final int FIRST_WITH_MAPPINGS = 8;
    private static final String RAW = "raw";
    private static final String MAPPING = "mapping";

    private final Sentences texts;
    private final MappingPart mappings;

    DevicePart(Sentences texts) {
        this.texts = texts;
        this.mappings = new MappingPart(texts);
    }

    void plan(Situation s, Slots slots, Draft draft) {
        CardEntries entries = new CardEntries(s);
        List<Entry> present = new ArrayList<>(entries.of(draft.vm().config()));
        entries.all(draft.vm().config()).stream().filter(entries::hidden).findFirst().ifPresent(e -> draft.refuse(
                texts.say("attach.hidden", e.key(), e.mapping().orElseThrow(), draft.vm().caller().user())));
        mappings.moved(s, entries, draft).filter(e -> present.isEmpty()).ifPresent(present::add);
        String via = via(s, present, draft);
        switch (via) {
            case RAW -> write(entries, present, PropertyText.parse(s.card().slot().toString(), "host"), slots, draft);
            case MAPPING -> mappings.plan(s, entries, present, draft).ifPresent(id ->
                    write(entries, present, PropertyText.parse("mapping=" + id, "host"), slots, draft));
            default -> draft.refuse(texts.say("attach.badChoice", "via", via, "raw, mapping"));
        }
        rawIsForRoot(s, present, via, draft);
        if (present.stream().anyMatch(e -> e.text().flag("x-vga"))) {
            draft.note(texts.say("note.xVga", draft.vm().vmid()));
        }
    }

    private String via(Situation s, List<Entry> present, Draft draft) {
        boolean canMap = mappingsExist(s);
        String fallback = present.stream().findFirst().map(e -> e.raw() ? RAW : MAPPING)
                .orElseGet(() -> canMap && mapsByDefault(s, draft) ? MAPPING : RAW);
        String chosen = s.choices().get("via").orElse(fallback);
        if (canMap) {
            draft.ask(new Question("via", texts.say("ask.via"), List.of(
                    new Option(MAPPING, texts.say("ask.via.mapping"), texts.say("ask.via.mapping.note")),
                    new Option(RAW, texts.say("ask.via.raw"), texts.say("ask.via.raw.note"))), chosen));
        } else if (chosen.equals(MAPPING)) {
            draft.refuse(texts.say("attach.noMappings", s.host().proxmox().orElse("")));
            return RAW;
        }
        return chosen;
    }

    static boolean mappingsExist(Situation s) {
        return s.host().proxmox().map(v -> v.split("\\D")[0]).filter(v -> v.matches("\\d{1,4}"))
                .filter(v -> Integer.parseInt(v) >= FIRST_WITH_MAPPINGS).isPresent();
    }

    private static boolean mapsByDefault(Situation s, Draft draft) {
        return !draft.vm().caller().root()
                || s.datacenter().flatMap(DatacenterSurvey::mappings).filter(m -> !m.isEmpty()).isPresent();
    }

    /** @param names how the entry names the card: an address or a mapping */
    private void write(CardEntries entries, List<Entry> present, PropertyText names, Slots slots, Draft draft) {
        Optional<Entry> kept = present.stream().filter(entries::whole).findFirst()
                .or(() -> present.stream().findFirst());
        Optional<String> key = kept.map(Entry::key).or(() -> free(draft));
        if (key.isEmpty()) {
            draft.refuse(texts.say("attach.full", draft.vm().vmid()));
            return;
        }
        boolean same = kept.isPresent() && entries.whole(kept.get())
                && kept.get().raw() == names.get("mapping").isEmpty()
                && (kept.get().raw() || kept.get().mapping().equals(names.get("mapping")));
        if (!same && kept.isPresent() && kept.get().raw() && entries.shared(kept.get())) {
            draft.refuse(texts.say("attach.severalCards", kept.get().key()));
            return;
        }
        if (same && slots == Slots.PCIE && kept.get().raw() && !kept.get().text().flag("pcie")
                && !draft.vm().caller().root()) {
            draft.note(texts.say("note.pcieByRoot", kept.get().key()));
            return;
        }
        if (same && slots == Slots.PCI && kept.get().raw() && kept.get().text().flag("pcie")
                && !draft.vm().caller().root()) {
            draft.refuse(texts.say("attach.pcieNeedsQ35", draft.vm().vmid(), kept.get().key(), draft.vm().caller().user()));
            return;
        }
        PropertyText value = same ? kept.get().text() : names(kept, names);
        draft.set(key.get(), slots == Slots.PCIE ? pcie(value) : value.without("pcie"), "host");
        // The same function twice is refused at the start: "assigned more than once".
        present.stream().filter(e -> !e.key().equals(key.get())).filter(e -> !entries.shared(e))
                .forEach(e -> draft.remove(e.key()));
    }

    /** What else the entry says, a ROM file for instance, stays. */
    private static PropertyText names(Optional<Entry> kept, PropertyText names) {
        PropertyText rest = kept.map(Entry::text).orElse(new PropertyText(Map.of()))
                .without("host").without("mapping");
        PropertyText value = names;
        for (var property : rest.properties().entrySet()) {
            value = value.with(property.getKey(), property.getValue());
        }
        return value;
    }

    private static PropertyText pcie(PropertyText value) {
        return value.flag("pcie") ? value : value.with("pcie", "1");
    }

    private static Optional<String> free(Draft draft) {
        return IntStream.range(0, CardEntries.MOST).mapToObj(i -> "hostpci" + i).filter(key -> draft.now(key).isEmpty())
                .findFirst();
    }

    /** The rule holds for the old value and for the new one (facts 1.4), so it is told before the attempt. */
    private void rawIsForRoot(Situation s, List<Entry> present, String via, Draft draft) {
        List<String> changed = draft.keys().stream().filter(key -> key.startsWith("hostpci")).toList();
        if (changed.isEmpty() || draft.vm().caller().root()) {
            return;
        }
        String user = draft.vm().caller().user();
        if (present.stream().anyMatch(e -> e.raw() && changed.contains(e.key()))) {
            draft.refuse(texts.say("attach.rawThere", user, changed.getFirst()));
        } else if (via.equals(RAW)) {
            draft.refuse(texts.say(mappingsExist(s) ? "attach.rawByRoot" : "attach.rawByRoot7", user));
        }
    }
}
