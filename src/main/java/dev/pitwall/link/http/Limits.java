package dev.pitwall.link.http;

import java.time.Duration;

/**
 * Time limits of one link.
 *
 * @param connect for a TCP connection
 * @param answer  for a whole exchange, connection included
 */
public record Limits(Duration connect, Duration answer) {
}
