package dev.pitwall.lab.proxmox;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;

import dev.pitwall.lab.data.DataFile;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The named formats of Proxmox's schema: plain ones, which are a pattern, and property strings, whose grammar is in
 * {@code lab/proxmox/formats.json}. [pve-common PVE/JSONSchema.pm; facts: proxmox.md 1.8]
 */
final class Formats {
    private static final Map<String, Plain> PLAIN = Map.ofEntries(
            plain("pve-node", "[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?", "value does not look like a valid node name"),
            plain("pve-vmid", "[1-9][0-9]{2,8}", "value does not look like a valid VM ID"),
            plain("pve-configid", "(?i)[a-z][a-z0-9_-]+", "invalid configuration ID '%s'"),
            plain("pve-storage-id", "(?i)[a-z][a-z0-9\\-_.]*[a-z0-9]", "storage ID '%s' contains illegal characters"),
            plain("pve-userid", "[^\\s:/]+@[A-Za-z][A-Za-z0-9.\\-_]+", "value '%s' does not look like a valid user name"),
            plain("pve-roleid", "[A-Za-z0-9.\\-_]+", "role name '%s' contains invalid characters"),
            plain("pve-realm", "[A-Za-z][A-Za-z0-9.\\-_]+", "value does not look like a valid realm"),
            plain("pve-poolid", "[A-Za-z0-9.\\-_/]+", "poolid '%s' contains invalid characters"),
            plain("pve-ha-resource-or-vm-id", "(?:(?:vm|ct):)?[0-9]+", "value does not look like a valid HA resource or VM ID"),
            plain("dns-name", "(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*",
                    "value does not look like a valid DNS name"),
            plain("mac-addr", "(?i)[a-f0-9][02468ace](?::[a-f0-9]{2}){5}", "value does not look like a valid unicast MAC address"),
            plain("pve-bridge-id", "[-_.\\w\\d]+", "invalid bridge ID '%s'"),
            plain("disk-size", "\\d+(?:\\.\\d+)?[KMGT]?", "value does not look like a valid disk size: %s"),
            plain("pve-tag-list", "(?i)[a-z0-9_][a-z0-9_\\-+.]*(?:[;, ]+[a-z0-9_][a-z0-9_\\-+.]*)*[;, ]*",
                    "value does not look like a valid tag list"),
            plain("pve-hotplug-features", "[01]|(?:network|disk|cpu|memory|usb|cloudinit)(?:[,; ]+(?:network|disk|cpu|memory|usb|cloudinit))*",
                    "value does not look like a valid list of hotplug features"));

    private final Map<String, JsonNode> grammars;

    private record Plain(Pattern pattern, String complaint) {
    }

    Formats() {
        this.grammars = DataFile.read("proxmox/formats.json", new TypeReference<Map<String, JsonNode>>() { });
    }

    /** What is wrong with a value, without the words before it; empty if nothing is, or nothing is known of the format. */
    Optional<String> complaint(String format, String value) {
        return Optional.ofNullable(PLAIN.get(format)).filter(plain -> !plain.pattern.matcher(value).matches())
                .map(plain -> String.format(plain.complaint, value));
    }

    /** The grammar of a property string. */
    Optional<JsonNode> grammar(String format) {
        return Optional.ofNullable(grammars.get(format));
    }

    /** A format that is one of the two. */
    boolean isKnown(String format) {
        return PLAIN.containsKey(format) || grammars.containsKey(format);
    }

    private static Map.Entry<String, Plain> plain(String name, String pattern, String complaint) {
        return Map.entry(name, new Plain(Pattern.compile(pattern), complaint));
    }
}
