package dev.pitwall.read;

import java.util.List;
import java.util.Optional;

/** Kubernetes objects Pitwall has no closer reader for: what they are, never what is in them. */
public record KubeObjects(List<Identity> objects, List<String> notes) implements Understood {
    public KubeObjects {
        objects = List.copyOf(objects);
        notes = List.copyOf(notes);
    }

    public record Identity(Optional<String> apiVersion, String kind, Optional<String> namespace, Optional<String> name) {
    }

    @Override
    public Kind kind() {
        return Kind.KUBERNETES_OBJECTS;
    }
}
