package dev.pitwall.journey.guest;

import dev.pitwall.card.HostReport.PciMapping;
import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.survey.DatacenterSurvey;
import dev.pitwall.journey.survey.Grants;
import dev.pitwall.journey.survey.HostSurvey;
import dev.pitwall.read.PropertyText;
import dev.pitwall.read.PropertyText.NodeMapping;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Knows by which {@code hostpciN} entries a VM has a card: by address, or by a mapping looked up for the card's host.
 */
final class CardEntries {
    private static final Pattern KEY = Pattern.compile("hostpci(1[0-5]|[0-9])");
    static final int MOST = 16;
    /** Any of them shows a mapping in the list (facts: api-subset.json). */
    private static final List<String> SEES = List.of("Mapping.Audit", "Mapping.Use", "Mapping.Modify");

    private final HostSurvey host;
    private final PciAddress slot;
    private final Map<String, List<String>> mappings;
    private final Grants grants;

    CardEntries(Situation situation) {
        this.host = situation.host();
        this.slot = situation.card().slot();
        this.mappings = situation.datacenter().flatMap(DatacenterSurvey::mappings)
                .map(m -> (Map<String, List<String>>) m).orElse(Map.of());
        this.grants = situation.datacenter().map(DatacenterSurvey::grants).orElse(new Grants(false, Map.of()));
    }

    /**
     * One entry.
     *
     * @param key       for example {@code hostpci0}
     * @param addresses that it names on this host, by itself or by its mapping
     */
    record Entry(String key, PropertyText text, List<PciAddress> addresses) {
        Optional<String> mapping() {
            return text.get("mapping");
        }

        boolean raw() {
            return mapping().isEmpty();
        }
    }

    /** All entries of a configuration, by their numbers. */
    List<Entry> all(Map<String, String> config) {
        return config.entrySet().stream().filter(e -> KEY.matcher(e.getKey()).matches())
                .sorted(Comparator.comparingInt(e -> Integer.parseInt(e.getKey().substring("hostpci".length()))))
                .map(e -> entry(e.getKey(), e.getValue())).toList();
    }

    /** Those that name the card or a part of it. */
    List<Entry> of(Map<String, String> config) {
        return all(config).stream().filter(e -> e.addresses().stream().anyMatch(slot::sameSlot)).toList();
    }

    /** True if the entry passes every function of the card. */
    boolean whole(Entry entry) {
        return functions(entry).size() == host.slot(slot).size();
    }

    /** The functions of the card that the entry passes. */
    Set<PciAddress> functions(Entry entry) {
        return host.slot(slot).stream().map(PciFunction::address)
                .filter(f -> entry.addresses().stream().anyMatch(a -> a.equals(f) || a.equals(f.slot())))
                .collect(Collectors.toCollection(HashSet::new));
    }

    /** True if it names other slots too: a mapping of several cards, of which Proxmox takes the first that is free. */
    boolean shared(Entry entry) {
        return entry.addresses().stream().anyMatch(a -> !a.sameSlot(slot));
    }

    /** True if nothing is where the entry points to: Proxmox would not start the VM (facts 1.8). */
    boolean dead(Entry entry) {
        return entry.addresses().stream().noneMatch(a ->
                host.functions().stream().anyMatch(f -> f.address().sameSlot(a)));
    }

    /** True if it names a mapping that the caller may not see: it may be this card or any other. */
    boolean hidden(Entry entry) {
        return entry.mapping().filter(id -> !mappings.containsKey(id) && SEES.stream().noneMatch(right ->
                grants.holds("/mapping/pci/" + id, right))).isPresent();
    }

    /** The entries of a mapping for this host, as they are stored. */
    List<NodeMapping> here(String mapping) {
        return mappings.getOrDefault(mapping, List.of()).stream().map(PropertyText::mapping)
                .filter(e -> e.node().equals(host.host())).toList();
    }

    private Entry entry(String key, String value) {
        PropertyText text = PropertyText.parse(value, "host");
        List<PciAddress> addresses = text.get("mapping")
                .map(id -> here(id).stream().map(NodeMapping::entry).map(PciMapping::paths).flatMap(List::stream)
                        .toList())
                .orElseGet(() -> Arrays.stream(text.get("host").orElse("").split(";")).map(PciAddress::parse)
                        .flatMap(Optional::stream).toList());
        return new Entry(key, text, addresses);
    }
}
