package dev.pitwall.lab.proxmox;

import com.fasterxml.jackson.databind.JsonNode;

import dev.pitwall.lab.data.DataFile;
import java.util.Map;
import java.util.Optional;

/** What Proxmox knows of a VM's options beyond their form: {@code lab/proxmox/config-options.yaml}. */
final class ConfigOptions {
    private final JsonNode data;

    ConfigOptions() {
        this.data = DataFile.tree("proxmox/config-options.yaml");
    }

    /** How many options there are with this name and a number; 0 where they have none. */
    int count(String name) {
        return data.path("numbered").path(name).asInt(0);
    }

    boolean isDrive(String option) {
        return in("drives", stem(option)) && !stem(option).equals(option);
    }

    /** The privilege at the VM that an option needs; empty where only root may, or where its value decides. */
    Optional<String> privilege(String option) {
        return data.path("privileges").properties().stream()
                .filter(entry -> lists(entry.getValue(), option) || lists(entry.getValue(), stem(option)) && isNumbered(option))
                .map(Map.Entry::getKey).findFirst();
    }

    /** A running VM takes it at once, whatever its hotplug option says. */
    boolean isFastPlug(String option) {
        return in("fastPlug", option) || in("fastPlug", stem(option));
    }

    /** The hotplug feature with which a running VM takes it at once; empty where none does. */
    Optional<String> hotPlugFeature(String option) {
        return Optional.of(data.path("hotPlug").path(isNumbered(option) ? stem(option) : option).asText())
                .filter(feature -> !feature.isEmpty());
    }

    boolean isNotInTheLab(String option) {
        return in("notInTheLab", option);
    }

    boolean isInteger(String option) {
        return in("integers", option);
    }

    /** {@code hostpci3} without its number, where it is one of several. */
    String stem(String option) {
        String name = option.replaceFirst("\\d+$", "");
        return count(name) > 0 || in("drives", name) ? name : option;
    }

    private boolean isNumbered(String option) {
        return !stem(option).equals(option);
    }

    private boolean in(String list, String text) {
        return lists(data.path(list), text);
    }

    private static boolean lists(JsonNode list, String text) {
        return list.valueStream().anyMatch(item -> item.asText().equals(text));
    }
}
