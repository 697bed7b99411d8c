package dev.pitwall.lab.kube.container;

import java.util.List;
import java.util.Optional;

/** Issues tokens of service accounts, as a kubelet asks for them. Safe for any number of threads. */
@FunctionalInterface
public interface TokenSource {
    /** There are none to be had. */
    TokenSource NONE = (namespace, account, audiences, seconds) -> Optional.empty();

    /**
     * @param audiences empty for the API server's own
     * @param seconds   how long it is good
     * @return empty if there is no such account
     */
    Optional<String> token(String namespace, String account, List<String> audiences, long seconds);
}
