package dev.pitwall.lab.proxmox;

import java.util.List;
import java.util.Map;
import java.util.Optional;

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

    /** Proxmox's truth values; the check has seen that it is one of them. */
    boolean flag(String name, boolean otherwise) {
        return text(name).map(ParameterCheck::isTrue).orElse(otherwise);
    }

    int vmid() {
        return Integer.parseInt(need("vmid"));
    }

    /** @throws IllegalStateException in a method that asks for no login */
    Caller login() {
        return caller.orElseThrow(() -> new IllegalStateException("this method asks for no login"));
    }
}
