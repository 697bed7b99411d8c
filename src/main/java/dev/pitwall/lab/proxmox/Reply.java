package dev.pitwall.lab.proxmox;

import java.util.Map;

/**
 * An answer with more than its data, such as {@code total} beside a page of lines.
 *
 * @param beside what stands beside {@code data} in the body
 */
record Reply(Object data, Map<String, Object> beside) {
}
