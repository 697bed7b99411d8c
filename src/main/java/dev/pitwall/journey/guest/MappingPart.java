package dev.pitwall.journey.guest;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer.Option;
import dev.pitwall.journey.Answer.Question;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.guest.CardEntries.Entry;
import dev.pitwall.journey.survey.CardGroup;
import dev.pitwall.journey.survey.DatacenterSurvey;
import dev.pitwall.read.PropertyText;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The resource mapping of a card. Proxmox's schema asks for less than its start does: without group and subsystem the VM
 * does not start, and a value that no longer fits the hardware stops it too (facts 1.10).
 */
final class MappingPart {
    static final String KEY = "mapping";
    private static final String GROUP = "iommugroup";

    private final Sentences texts;

    MappingPart(Sentences texts) {
        this.texts = texts;
    }

    /**
     * The entry of the VM whose mapping points to where the card was before it got another address.
     *
     * @return empty too if another card of the host could be meant
     */
    Optional<Entry> moved(Situation s, CardEntries entries, Draft draft) {
        return entries.all(draft.vm().config()).stream().filter(e -> !e.raw()).filter(e -> wasHere(s, entries, e.mapping().get()))
                .findFirst();
    }

    private static boolean wasHere(Situation s, CardEntries entries, String mapping) {
        Optional<String> id = first(s).flatMap(PciFunction::vendorDevice);
        long twins = s.host().functions().stream().filter(f -> f.vendorDevice().equals(id)).count();
        return twins == 1 && entries.here(mapping).size() == 1 && entries.here(mapping).stream().allMatch(e ->
                e.entry().vendorDevice().equals(id) && e.entry().paths().stream().noneMatch(p ->
                        s.host().functions().stream().anyMatch(f -> f.address().sameSlot(p))));
    }

    /**
     * Plans the mapping that the VM will name.
     *
     * @return its id; empty if there cannot be one, and then the draft says why
     */
    Optional<String> plan(Situation s, CardEntries entries, List<Entry> present, Draft draft) {
        Optional<SortedMap<String, List<String>>> all = s.datacenter().flatMap(DatacenterSurvey::mappings);
        Optional<PropertyText> wanted = wanted(s);
        if (all.isEmpty() || wanted.isEmpty()) {
            draft.refuse(texts.say(all.isEmpty() ? "attach.mappingsUnread" : "attach.cardUnread", s.host().host()));
            return Optional.empty();
        }
        SortedMap<String, List<String>> usable = new TreeMap<>(all.get());
        usable.keySet().removeIf(id -> !onlyThisCard(s, entries, id) && !named(present, id));
        String fresh = "gpu-" + s.host().host() + "-" + s.card().slot().toString().replaceFirst("^0000:", "").replace(':', '-');
        String id = s.choices().get(KEY).or(() -> present.stream().flatMap(e -> e.mapping().stream()).findFirst())
                .or(() -> usable.keySet().stream().findFirst()).orElse(fresh);
        ask(usable, fresh, id, draft);
        if (!id.matches("[a-zA-Z][a-zA-Z0-9_-]{1,127}")) {
            draft.refuse(texts.say("attach.badMapping", id));
            return Optional.empty();
        }
        if (!usable.containsKey(id) && !entries.here(id).isEmpty()) {
            draft.refuse(texts.say("attach.otherMapping", id, s.host().host()));
            return Optional.empty();
        }
        change(s, Optional.ofNullable(all.get().get(id)), id, wanted.get(), draft);
        draft.need("/mapping/pci/" + id, "Mapping.Use");
        return Optional.of(id);
    }

    private void ask(SortedMap<String, List<String>> usable, String fresh, String id, Draft draft) {
        List<Option> options = new ArrayList<>(usable.keySet().stream()
                .map(known -> new Option(known, known, texts.say("ask.mapping.known"))).toList());
        List.of(fresh, id).stream().distinct().filter(name -> !usable.containsKey(name))
                .forEach(name -> options.add(new Option(name, name, texts.say("ask.mapping.new"))));
        draft.ask(new Question(KEY, texts.say("ask.mapping"), options, id));
    }

    private static boolean named(List<Entry> present, String id) {
        return present.stream().anyMatch(e -> e.mapping().filter(id::equals).isPresent());
    }

    /** A mapping that names other cards of this host too could give the VM one of those. */
    private static boolean onlyThisCard(Situation s, CardEntries entries, String id) {
        return !entries.here(id).isEmpty() && entries.here(id).stream().allMatch(e -> !e.entry().paths().isEmpty()
                && e.entry().paths().stream().allMatch(p -> p.sameSlot(s.card().slot())));
    }

    private void change(Situation s, Optional<List<String>> before, String id, PropertyText wanted, Draft draft) {
        List<String> after = new ArrayList<>(before.orElse(List.of()));
        OptionalInt at = ours(s, after);
        if (at.isEmpty()) {
            after.add(wanted.text(""));
        } else {
            PropertyText now = PropertyText.parse(after.get(at.getAsInt()), "");
            PropertyText right = corrected(s, now, wanted);
            if (!right.equals(now)) {
                after.set(at.getAsInt(), right.text(""));
                draft.note(texts.say("note.stale", id));
            }
        }
        if (!before.equals(Optional.of(after))) {
            if (wanted.get(GROUP).filter(MappingChange.LATER::equals).isPresent()) {
                draft.note(texts.say("note.groupLater", MappingChange.LATER, id));
            }
            draft.map(new MappingChange(s.host().host(), id, before, Optional.of(after),
                    texts.say(before.isEmpty() ? "change.mapping.new" : at.isEmpty() ? "change.mapping.add"
                            : "change.mapping.fix")));
            draft.need(before.isEmpty() ? "/mapping/pci" : "/mapping/pci/" + id, "Mapping.Modify");
        }
    }

    /** The place of the entry for this card among those of all nodes: by its slot, else the only one of this host. */
    private static OptionalInt ours(Situation s, List<String> map) {
        List<Integer> here = new ArrayList<>();
        for (int i = 0; i < map.size(); i++) {
            PropertyText.NodeMapping entry = PropertyText.mapping(map.get(i));
            if (entry.node().equals(s.host().host())) {
                if (entry.entry().paths().stream().anyMatch(s.card().slot()::sameSlot)) {
                    return OptionalInt.of(i);
                }
                here.add(i);
            }
        }
        return here.size() == 1 ? OptionalInt.of(here.getFirst()) : OptionalInt.empty();
    }

    /** A path that lists all functions one by one is as good as the slot, and stays. */
    private static PropertyText corrected(Situation s, PropertyText now, PropertyText wanted) {
        List<PciAddress> paths = PropertyText.mapping(now.text("")).entry().paths();
        boolean whole = s.host().slot(s.card().slot()).stream().map(PciFunction::address)
                .allMatch(f -> paths.contains(f) || paths.contains(f.slot()));
        PropertyText right = now;
        for (var property : wanted.properties().entrySet()) {
            boolean asGood = property.getKey().equals("path") && whole
                    || property.getKey().equals(GROUP) && !s.host().iommuOn() && now.get(GROUP).isPresent()
                    || now.get(property.getKey()).filter(property.getValue()::equalsIgnoreCase).isPresent();
            right = asGood ? right : right.with(property.getKey(), property.getValue());
        }
        return right;
    }

    /** Every value that Proxmox compares at the start; of a whole slot they are those of function 0. */
    private static Optional<PropertyText> wanted(Situation s) {
        return first(s).flatMap(f -> f.vendorDevice().map(id -> {
            PropertyText entry = PropertyText.parse("id=" + id, "");
            entry = entry.with(GROUP, group(s, f)).with("node", s.host().host()).with("path", s.card().slot().toString());
            return f.subsystemId().isPresent() ? entry.with("subsystem-id", f.subsystemId().get()) : entry;
        }));
    }

    /** Without an IOMMU there are no groups, and one that the card must not stay in is not the one it will have. */
    private static String group(Situation s, PciFunction function) {
        OptionalInt now = s.host().group(function.address());
        return now.isPresent() && new CardGroup(s.host(), s.card().slot()).clean() ? String.valueOf(now.getAsInt())
                : MappingChange.LATER;
    }

    private static Optional<PciFunction> first(Situation s) {
        return s.host().slot(s.card().slot()).stream().findFirst();
    }
}
