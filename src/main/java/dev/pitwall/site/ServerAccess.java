package dev.pitwall.site;

import java.util.Optional;

/**
 * Where a model server is.
 *
 * @param node the Kubernetes node or machine it runs on, where the person has said so
 */
public record ServerAccess(String name, Endpoint endpoint, Optional<String> node) {
}
