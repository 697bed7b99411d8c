package dev.pitwall.lab.kube.api;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A path below {@code /api/v1} or {@code /apis/GROUP/VERSION}, taken apart.
 *
 * @param namespace   empty for cluster scope or all namespaces
 * @param name        empty for the collection
 * @param subresource empty for the object itself
 * @param rest        what follows the subresource, with its leading slash; empty if nothing does
 */
record RequestPath(String group, String version, String namespace, String plural, String name, String subresource,
                   String rest) {

    /** @return empty if the path is not one of a resource */
    static Optional<RequestPath> parse(String path) {
        List<String> parts = new ArrayList<>(Arrays.asList(path.substring(1).split("/", -1)));
        boolean core = parts.getFirst().equals("api");
        int head = core ? 2 : 3;
        if (!core && !parts.getFirst().equals("apis") || parts.size() <= head || parts.get(head).isEmpty()) {
            return Optional.empty();
        }
        String group = core ? "" : parts.get(1);
        String version = parts.get(head - 1);
        List<String> tail = parts.subList(head, parts.size());
        // namespaces/NS/RESOURCE… is in a namespace; namespaces/NS and its subresources are the namespace itself.
        boolean inNamespace = tail.size() > 2 && tail.getFirst().equals("namespaces")
                && !tail.get(2).isEmpty() && !List.of("status", "finalize").contains(tail.get(2));
        String namespace = inNamespace ? tail.get(1) : "";
        List<String> own = inNamespace ? tail.subList(2, tail.size()) : tail;
        String rest = own.size() > 3 ? "/" + String.join("/", own.subList(3, own.size())) : "";
        return Optional.of(new RequestPath(group, version, namespace, own.getFirst(), part(own, 1), part(own, 2),
                rest));
    }

    private static String part(List<String> parts, int index) {
        return parts.size() > index ? parts.get(index) : "";
    }

    boolean isCollection() {
        return name.isEmpty();
    }
}
