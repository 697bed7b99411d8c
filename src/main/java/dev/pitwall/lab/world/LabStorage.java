package dev.pitwall.lab.world;

import java.util.List;

/**
 * A storage that every Proxmox host has under the same name.
 *
 * @param type    {@code dir} or {@code lvmthin}
 * @param content what it takes: {@code images}, {@code iso}, {@code backup}, …
 * @param bytes   size on each host
 * @param shared  the hosts share one and the same
 */
public record LabStorage(String name, String type, List<String> content, long bytes, boolean shared) {
    public LabStorage {
        content = List.copyOf(content);
    }
}
