package dev.pitwall.read;

import dev.pitwall.card.HostReport.PciMapping;
import dev.pitwall.card.PciAddress;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A comma-separated property string such as {@code node=pve1,path=0000:01:00,id=10de:25b0}. The default key's value may stand without
 * its key; order is free (facts: property-formats.json).
 *
 * @param properties in the order of the text
 */
public record PropertyText(Map<String, String> properties) {

    public PropertyText {
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }

    /** @param defaultKey key of an element that has none; empty where the format has no default key */
    public static PropertyText parse(String text, String defaultKey) {
        Map<String, String> properties = new LinkedHashMap<>();
        for (String element : text.split(",")) {
            int equals = element.indexOf('=');
            String key = equals < 0 ? defaultKey : element.substring(0, equals).strip();
            String value = equals < 0 ? element.strip() : element.substring(equals + 1).strip();
            if (!key.isEmpty() && !value.isEmpty()) {
                properties.putIfAbsent(key, value);
            }
        }
        return new PropertyText(properties);
    }

    public Optional<String> get(String key) {
        return Optional.ofNullable(properties.get(key));
    }

    /** Proxmox takes {@code 1}, {@code on}, {@code yes} and {@code true} for true; absent is false. */
    public boolean flag(String key) {
        return get(key).filter(v -> v.equals("1") || v.equals("on") || v.equals("yes") || v.equals("true")).isPresent();
    }

    /** The same properties with one of them set: where it was, else at the end. */
    public PropertyText with(String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(properties);
        more.put(key, value);
        return new PropertyText(more);
    }

    public PropertyText without(String key) {
        Map<String, String> fewer = new LinkedHashMap<>(properties);
        fewer.remove(key);
        return new PropertyText(fewer);
    }

    /** As Proxmox takes it: the default key's value first, without its key. */
    public String text(String defaultKey) {
        return Stream.concat(get(defaultKey).stream(), properties.entrySet().stream()
                .filter(e -> !e.getKey().equals(defaultKey)).map(e -> e.getKey() + "=" + e.getValue()))
                .collect(Collectors.joining(","));
    }

    /** The {@code uuid} of {@code smbios1}, lower case. */
    public static Optional<String> smbiosUuid(String text) {
        return parse(text, "").get("uuid").map(uuid -> uuid.toLowerCase(Locale.ROOT));
    }

    /** One element of a resource mapping's {@code map}. */
    public static NodeMapping mapping(String text) {
        PropertyText entry = parse(text, "");
        return new NodeMapping(entry.get("node").orElse(""), new PciMapping(
                addresses(entry.get("path").orElse("")),
                entry.get("id").map(id -> id.toLowerCase(Locale.ROOT)),
                entry.get("iommugroup").filter(group -> group.matches("\\d{1,9}")).map(Integer::valueOf),
                entry.get("subsystem-id").map(id -> id.toLowerCase(Locale.ROOT))));
    }

    /** A mapping's entry and the node it is for. */
    public record NodeMapping(String node, PciMapping entry) {
    }

    private static List<PciAddress> addresses(String list) {
        return Arrays.stream(list.split(";")).map(PciAddress::parse).flatMap(Optional::stream).toList();
    }
}
