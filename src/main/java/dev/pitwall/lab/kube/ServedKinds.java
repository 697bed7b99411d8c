package dev.pitwall.lab.kube;

import dev.pitwall.lab.kube.api.ResourceCatalog;
import dev.pitwall.lab.kube.api.ResourceType;
import dev.pitwall.lab.kube.control.Kinds;
import dev.pitwall.lab.kube.store.Resource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The kinds that an API server serves now and keeps objects of. Safe for any number of threads. */
public final class ServedKinds implements Kinds {
    private final ResourceCatalog catalog;
    private volatile View view = new View(List.of(), Set.of(), Set.of(), Map.of(), Map.of());

    public ServedKinds(ResourceCatalog catalog) {
        this.catalog = catalog;
    }

    private record Kind(String group, String name) {
    }

    /** @param of the catalogue's types it was made from; the same list as long as they are */
    private record View(List<ResourceType> of, Set<Resource> all, Set<Resource> namespaced,
                        Map<Kind, Resource> byKind, Map<Resource, Named> names) {
        static View of(List<ResourceType> types) {
            Set<Resource> all = new HashSet<>();
            Set<Resource> namespaced = new HashSet<>();
            Map<Kind, Resource> byKind = new HashMap<>();
            Map<Resource, Named> names = new HashMap<>();
            for (ResourceType type : types) {
                boolean kept = type.allows("list") && type.resource().equals(type.stored());
                if (kept) {
                    all.add(type.resource());
                    byKind.put(new Kind(type.resource().group(), type.kind()), type.resource());
                    names.putIfAbsent(type.resource(), new Named(type.apiVersion(), type.kind()));
                }
                if (kept && type.namespaced()) {
                    namespaced.add(type.resource());
                }
            }
            return new View(types, Set.copyOf(all), Set.copyOf(namespaced), Map.copyOf(byKind),
                    Map.copyOf(names));
        }
    }

    @Override
    public Set<Resource> resources() {
        return view().all();
    }

    @Override
    public Set<Resource> namespaced() {
        return view().namespaced();
    }

    @Override
    public Optional<Resource> find(String group, String kind) {
        return Optional.ofNullable(view().byKind().get(new Kind(group, kind)));
    }

    @Override
    public Optional<Named> named(Resource resource) {
        return Optional.ofNullable(view().names().get(resource));
    }

    private View view() {
        List<ResourceType> types = catalog.types();
        View known = view;
        if (known.of() != types) {
            known = View.of(types);
            view = known;
        }
        return known;
    }
}
