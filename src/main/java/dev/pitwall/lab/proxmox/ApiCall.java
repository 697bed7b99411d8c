package dev.pitwall.lab.proxmox;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One call of an API method, its parameters checked and its caller known to be allowed.
 *
 * @param node       the node that handles it
 * @param caller     empty for methods that ask for no login
 * @param parameters of path, query and body together; repeated ones have several values
 */
record ApiCall(String node, Optional<Caller> caller, Map<String, List<String>> parameters) {

    /** A parameter the method requires. */
    String need(String name) {
        return parameters.get(name).getFirst();
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(parameters.get(name)).map(List::getFirst);
    }

    /** All values of a parameter that may be repeated. */
    List<String> all(String name) {
        return parameters.getOrDefault(name, List.of());
    }

    /** Pieces of a parameter that is a list in one text. */
    List<String> list(String name) {
        return text(name).stream().flatMap(value -> Arrays.stream(value.split("[,;\\s\\x00]+")))
                .filter(piece -> !piece.isEmpty()).toList();
    }

    /** Proxmox's truth values; the check has seen that it is one of them. */
    boolean flag(String name, boolean otherwise) {
        return text(name).map(ParameterCheck::isTrue).orElse(otherwise);
    }

    int number(String name, int otherwise) {
        return text(name).map(Integer::parseInt).orElse(otherwise);
    }

    Optional<Duration> seconds(String name) {
        return text(name).map(Long::parseLong).map(Duration::ofSeconds);
    }

    /** Every parameter but some, each with its first value. */
    Map<String, String> without(Set<String> names) {
        Map<String, String> rest = new LinkedHashMap<>();
        parameters.forEach((name, values) -> {
            if (!names.contains(name)) {
                rest.put(name, values.getFirst());
            }
        });
        return rest;
    }

    int vmid() {
        return Integer.parseInt(need("vmid"));
    }

    /** @throws IllegalStateException in a method that asks for no login */
    Caller login() {
        return caller.orElseThrow(() -> new IllegalStateException("this method asks for no login"));
    }
}
