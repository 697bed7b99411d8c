package dev.pitwall.read;

import java.util.Optional;
import java.util.regex.Pattern;

/** Finds out what a YAML text holds, Kubernetes objects or chart values, and reads it. */
final class YamlReader {

    private static final Pattern LINE = Pattern.compile(
            "\\s*(?:- )*(?:#.*|---.*|\\.\\.\\.|[\\w./\"'-]+:(?:\\s.*)?|- .*|\\{.*}?|[\\]}],?)");
    private static final Pattern KEY_AT_START = Pattern.compile("[A-Za-z][\\w.-]*:(?: .*)?");

    private final Documents documents = new Documents();
    private final KubeReader kube = new KubeReader();
    private final HelmValuesReader values = new HelmValuesReader();

    double likeness(Text text) {
        if (text.hits(t -> KEY_AT_START.matcher(t).matches()) == 0) {
            return 0;
        }
        double share = text.share(t -> LINE.matcher(t).matches() || t.startsWith("  "));
        boolean object = text.hits(t -> t.startsWith("apiVersion:")) > 0 && text.hits(t -> t.startsWith("kind:")) > 0;
        return object ? 0.5 + 0.45 * share : 0.75 * share;
    }

    /** @return empty if it is YAML of something Pitwall does not know, or none at all */
    Optional<Understood> read(Text text) {
        Tree tree = documents.yaml(text);
        if (tree.roots().isEmpty()) {
            return Optional.empty();
        }
        if (values.recognises(tree.roots())) {
            return Optional.of(values.read(tree));
        }
        return kube.read(tree);
    }
}
