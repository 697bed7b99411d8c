package dev.pitwall.journey.node;

import dev.pitwall.card.PciFunction;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells the generation of a card, by the chip that its name has, else by its device id: a system whose pci.ids is older
 * than the card lists it without a name.
 */
public final class Generations {
    private static final Pattern CHIP = Pattern.compile("\\b([A-Z]{2})\\d[0-9A-F]{1,2}[A-Z]{0,3}\\b");

    private final Map<String, Generation> byName = new LinkedHashMap<>();
    private final List<Chip> chips;

    /** @param ids ranges of device ids, {@code 25a0-25fb} */
    private record Chip(String generation, String chip, List<String> ids) {
        boolean has(int id) {
            return ids.stream().map(range -> range.split("-")).anyMatch(r ->
                    id >= Integer.parseInt(r[0], 16) && id <= Integer.parseInt(r[1], 16));
        }
    }

    public Generations() {
        Table.read("gpu-generation-support.csv").stream().map(Generation::of).forEach(g -> byName.put(g.name(), g));
        this.chips = NodeData.rows("card-chips.yaml", Chip.class);
    }

    /** @param family as GPU Feature Discovery labels a node, for example {@code ada-lovelace} */
    public Optional<Generation> ofFamily(String family) {
        return byName.values().stream().filter(g -> g.name().replace(' ', '-').equalsIgnoreCase(family)).findFirst();
    }

    /** @return empty for a card that the tables do not know yet */
    public Optional<Generation> of(PciFunction card) {
        return card.name().flatMap(this::byChip).or(() -> card.deviceId().flatMap(this::byId)).map(byName::get);
    }

    private Optional<String> byChip(String name) {
        Matcher m = CHIP.matcher(name);
        return m.find() ? chips.stream().filter(c -> c.chip().equals(m.group(1))).map(Chip::generation).findFirst()
                : Optional.empty();
    }

    private Optional<String> byId(String id) {
        return id.matches("[0-9a-f]{4}") ? chips.stream().filter(c -> c.has(Integer.parseInt(id, 16)))
                .map(Chip::generation).findFirst() : Optional.empty();
    }
}
