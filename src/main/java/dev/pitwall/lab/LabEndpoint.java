package dev.pitwall.lab;

import java.net.URI;

/**
 * One address of the lab.
 *
 * @param system what speaks there: {@code proxmox}, {@code ssh}, {@code kubernetes}, {@code prometheus}, {@code ollama},
 *               {@code helm}
 * @param name   of the machine or server, for example {@code pve1}
 * @param uri    for example {@code https://127.0.0.1:40123}
 */
public record LabEndpoint(String system, String name, URI uri) {
}
