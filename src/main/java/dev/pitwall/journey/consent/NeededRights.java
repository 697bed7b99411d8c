package dev.pitwall.journey.consent;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Drain;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.ModelAsk;
import dev.pitwall.journey.change.ModelChange;
import dev.pitwall.journey.change.NodeDown;
import dev.pitwall.journey.change.NodeReboot;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.ObjectType.Scope;
import dev.pitwall.journey.change.PackageChange;
import dev.pitwall.journey.change.PodRestart;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.journey.change.TalosConfigChange;
import dev.pitwall.journey.change.TalosUpgrade;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmCreation;
import dev.pitwall.journey.change.VmPowerCycle;
import dev.pitwall.journey.change.VmRemoval;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The rights in a cluster that a change needs: every kind of change is here, so none can be made that was not asked for. */
final class NeededRights {
    private static final String DATA = "/journey/chart-rights.yaml";

    private final Map<String, ChartTypes> charts;

    /**
     * What Helm makes for a chart, as kubectl names types.
     *
     * @param cluster   types of the whole cluster
     * @param namespace types in the release's namespace
     */
    record ChartTypes(List<String> cluster, List<String> namespace) {
        static final ChartTypes UNKNOWN = new ChartTypes(List.of(), List.of());

        ChartTypes {
            cluster = cluster == null ? List.of() : List.copyOf(cluster);
            namespace = namespace == null ? List.of() : List.copyOf(namespace);
        }
    }

    NeededRights() {
        try (InputStream in = NeededRights.class.getResourceAsStream(DATA)) {
            if (in == null) {
                throw new FileNotFoundException(DATA);
            }
            this.charts = new YAMLMapper().readValue(in, new TypeReference<>() { });
        } catch (IOException e) {
            throw new UncheckedIOException(DATA + " cannot be read", e);
        }
    }

    /** Empty for a change that is of no cluster. */
    Set<Right> toMake(Change change) {
        return switch (change) {
            case ManifestChange c -> of(c);
            case HelmChange c -> of(c);
            case PodRun c -> of(c);
            case ModelChange c -> Set.of(proxied(c.service(), "get"), proxied(c.service(),
                    c.after() == ModelChange.Presence.PRESENT ? "create" : "delete"));
            case ModelAsk c -> Set.of(proxied(c.service(), "get"), proxied(c.service(), "create"));
            case PodRestart c -> c.pods().stream().flatMap(pod -> Stream.of(
                    new Right("get", ObjectType.POD, pod.namespace()), new Right("delete", ObjectType.POD, pod.namespace())))
                    .collect(Collectors.toSet());
            case NodeReboot c -> of(c.drain());
            case TalosUpgrade c -> of(c.drain());
            case FileChange c -> Set.of();
            case CommandChange c -> Set.of();
            case VmConfigChange c -> Set.of();
            case VmCreation c -> Set.of();
            case VmRemoval c -> Set.of();
            case MappingChange c -> Set.of();
            case TalosConfigChange c -> Set.of();
            case PackageChange c -> Set.of();
            case HostReboot c -> of(c.nodes().stream().flatMap(n -> n.drain().stream()).findFirst());
            case VmPowerCycle c -> of(c.kubernetes().flatMap(NodeDown::drain));
        };
    }

    /** What undo of a change needs beside that. */
    Set<Right> toTakeBack(Change change) {
        return switch (change) {
            case ManifestChange c -> of(c.inverse());
            case HelmChange c -> of(c.inverse(""));
            case ModelChange c -> toMake(c.inverse());
            default -> Set.of();
        };
    }

    private static Set<Right> of(ManifestChange change) {
        ObjectRef object = change.object();
        String verb = change.before().isEmpty() ? "create" : change.after().isEmpty() ? "delete" : "patch";
        return Set.of(new Right("get", object.type(), object.namespace()), new Right(verb, object.type(), object.namespace()));
    }

    /** Helm keeps each revision in a Secret, and looks for what it makes before it makes it (helm/helm: pkg/storage, pkg/kube). */
    private Set<Right> of(HelmChange change) {
        Set<Right> rights = new LinkedHashSet<>();
        String verb = change.after().isEmpty() ? "delete" : change.before().isEmpty() ? "create" : "patch";
        for (String each : change.after().isEmpty() ? List.of("list", "delete") : List.of("list", "create", "update")) {
            rights.add(new Right(each, ObjectType.SECRET, change.namespace()));
        }
        if (change.dead().isPresent()) {
            rights.add(new Right("delete", ObjectType.SECRET, change.namespace()));
        }
        String chart = change.after().map(HelmChange.Wanted::chart).or(() -> change.before().map(HelmChange.Revision::chart))
                .orElse("");
        ChartTypes types = charts.getOrDefault(chart, ChartTypes.UNKNOWN);
        types.cluster().forEach(type -> rights.add(new Right(verb, type(type, Scope.CLUSTER), "")));
        types.namespace().forEach(type -> rights.add(new Right(verb, type(type, Scope.NAMESPACE), change.namespace())));
        if (!change.traces().definitions().isEmpty()) {
            rights.add(Right.everywhere(verb, ObjectType.DEFINITION));
        }
        boolean clears = change.after().isEmpty() && !(change.traces().prefixes().isEmpty()
                && change.traces().prefixed().isEmpty());
        if (clears) {
            rights.add(Right.everywhere("patch", ObjectType.NODE));
        }
        return rights;
    }

    private static Set<Right> of(PodRun run) {
        String namespace = run.pod().namespace();
        Set<Right> rights = new LinkedHashSet<>(List.of(new Right("create", ObjectType.POD, namespace),
                new Right("get", ObjectType.POD, namespace), new Right("delete", ObjectType.POD, namespace),
                new Right("get", ObjectType.POD.part("log"), namespace)));
        run.pauses().forEach(pause -> rights.add(new Right("patch", pause.workload().type(), pause.workload().namespace())));
        return rights;
    }

    /** The pods that have to leave may be of any namespace by then. */
    private static Set<Right> of(Optional<Drain> drain) {
        return drain.isEmpty() ? Set.of() : Set.of(Right.everywhere("patch", ObjectType.NODE),
                Right.everywhere("list", ObjectType.POD), Right.everywhere("create", ObjectType.POD.part("eviction")));
    }

    private static Right proxied(ObjectRef service, String verb) {
        return new Right(verb, service.type().part("proxy"), service.namespace());
    }

    private static ObjectType type(String resource, Scope scope) {
        int dot = resource.indexOf('.');
        return new ObjectType(dot < 0 ? "" : resource.substring(dot + 1), "", dot < 0 ? resource : resource.substring(0, dot),
                "", scope);
    }
}
