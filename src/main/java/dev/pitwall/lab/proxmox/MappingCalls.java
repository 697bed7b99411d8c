package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.World;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** PCI resource mappings through the API. [facts: proxmox.md 1.10] */
final class MappingCalls {
    private static final Set<String> NO_OPTIONS = Set.of("id", "map", "digest", "delete");

    private final World world;
    private final Rights rights;
    private final Mappings mappings;

    MappingCalls(World world, Datacenter datacenter) {
        this.world = world;
        this.rights = datacenter.rights();
        this.mappings = datacenter.mappings();
    }

    void addTo(RouteTable routes) {
        routes.add("GET /cluster/mapping", call -> List.of(Map.of("name", "pci"), Map.of("name", "usb")));
        routes.add("GET /cluster/mapping/pci", this::list);
        routes.add("POST /cluster/mapping/pci", this::create);
        routes.add("GET /cluster/mapping/pci/{id}", this::one);
        routes.add("PUT /cluster/mapping/pci/{id}", this::update);
        routes.add("DELETE /cluster/mapping/pci/{id}", call -> {
            mappings.delete(call.need("id"));
            return null;
        });
    }

    private Object list(ApiCall call) {
        return world.read(w -> w.pciMappings.keySet().stream().filter(id -> maySee(call, id)).map(id -> {
            Map<String, Object> data = data(w, id);
            call.text("check-node").ifPresent(node -> data.put("checks",
                    new MappingCheck(w, id, w.pciMappings.get(id)).on(node.equals("localhost") ? call.node() : node)));
            return data;
        }).toList());
    }

    private Object one(ApiCall call) throws PveError {
        String id = call.need("id");
        Optional<Map<String, Object>> found = world.read(w -> Optional.of(id).filter(w.pciMappings::containsKey)
                .map(known -> data(w, known)));
        return found.orElseThrow(() -> PveError.died("mapping '" + id + "' not found"));
    }

    private Object create(ApiCall call) throws PveError {
        mappings.create(call.need("id"), call.all("map"), new TreeMap<>(call.without(NO_OPTIONS)));
        return null;
    }

    private Object update(ApiCall call) throws PveError {
        mappings.update(call.need("id"), Optional.of(call.all("map")).filter(list -> !list.isEmpty()),
                new TreeMap<>(call.without(NO_OPTIONS)), call.list("delete"), call.text("digest"));
        return null;
    }

    private static Map<String, Object> data(World w, String id) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("id", id);
        data.put("type", "pci");
        data.put("map", w.pciMappings.get(id));
        w.pciMappingOptions.getOrDefault(id, Map.of()).forEach((name, value) ->
                data.put(name, name.equals("description") ? value : ParameterCheck.isTrue(value) ? 1 : 0));
        data.put("digest", Mappings.digest(w));
        return data;
    }

    private boolean maySee(ApiCall call, String mapping) {
        return rights.at(call.login(), "/mapping/pci/" + mapping).stream().anyMatch(has -> has.startsWith("Mapping."));
    }
}
