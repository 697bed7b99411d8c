package dev.pitwall.journey.survey;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Talos.Service;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A node that runs Talos, as its machine API showed it. Of its machine configuration only named fields are read: the rest
 * holds the cluster's secrets.
 *
 * @param address    as its endpoint knows it
 * @param version    for example {@code v1.13.2}
 * @param platform   for example {@code nocloud}
 * @param arch       for example {@code amd64}
 * @param ready      true if it runs and is ready, by its own word
 * @param image      of what it runs
 * @param extensions of the image that runs, by their manifests' names
 * @param modules    kernel modules that are loaded
 * @param devices    NVIDIA's devices in it, addresses as in the node
 * @param security   what its firmware and kernel enforce
 * @param services   of Talos and of extensions
 * @param config     the fields that the steps rest on, {@code null} for those that are not there; empty where they may not be read
 * @param offered    full names of the extensions that the factory has for this version; empty where it was not reached
 * @param factory    address of the Image Factory
 * @param unread     what could not be read, by the names of {@code shown}
 * @param shown      what the survey rests on
 */
public record TalosNode(String name, String address, String version, String platform, String arch, boolean ready,
                        Image image, List<Extension> extensions, Set<String> modules, List<PciFunction> devices,
                        Security security, List<Service> services, Optional<JsonNode> config, Set<String> offered,
                        String factory, Map<String, Trouble> unread, Map<String, Shown> shown) implements NodeSurvey {

    public TalosNode {
        extensions = List.copyOf(extensions);
        modules = Set.copyOf(modules);
        devices = List.copyOf(devices);
        services = List.copyOf(services);
        offered = Set.copyOf(offered);
        unread = Map.copyOf(unread);
        shown = Map.copyOf(shown);
    }

    /**
     * The image that runs.
     *
     * @param schematic its id; empty for an image that no Image Factory made
     * @param content   what the factory says it is made of, in YAML; empty where the factory does not know it
     */
    public record Image(Optional<String> schematic, Optional<String> content) {
    }

    /** @param name of its manifest, for example {@code nvidia-container-toolkit-production} */
    public record Extension(String name, String version) {
    }

    /**
     * @param secureBoot        its firmware checks signatures
     * @param signedModulesOnly its kernel loads no module that Talos's makers have not signed
     */
    public record Security(boolean secureBoot, boolean signedModulesOnly) {
    }

    /** Looks for a service. */
    public Optional<Service> service(String id) {
        return services.stream().filter(service -> service.id().equals(id)).findFirst();
    }

    /** Whether it is a worker, which may not set its own taints (facts: cluster.md 4.3). */
    public boolean worker() {
        return config.filter(c -> c.at("/machine/type").asText().equals("worker")).isPresent();
    }
}
