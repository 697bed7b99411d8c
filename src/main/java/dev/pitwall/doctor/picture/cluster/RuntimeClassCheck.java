package dev.pitwall.doctor.picture.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.picture.Picture.Seen;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.doctor.sign.SignBook;
import dev.pitwall.read.ContainerdConfig;
import dev.pitwall.read.PodObject;

import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Pods that ask for a card and name no RuntimeClass, where nothing else gives it to them: CDI is off and the default runtime
 * is not nvidia.
 */
final class RuntimeClassCheck implements Check {
    private final PodObject reader = new PodObject();

    @Override
    public void look(Picture picture, SignBook book) {
        if (!classNeeded(picture)) {
            return;
        }
        picture.objects("Pod").stream().filter(RuntimeClassCheck::plain)
                .filter(pod -> !reader.read(pod.what()).gpuRequests().isEmpty())
                .filter(pod -> !nvidiaIsDefault(pod.what(), picture))
                .filter(pod -> fails(pod.what()) || withoutDriver(pod.what(), picture))
                .forEach(pod -> book.add(Shown.sign("pod-without-runtime-class", Pods.about(pod.what()), pod.from(),
                        Pods.named(pod.what()) + " asks for a card and names no RuntimeClass; nvidia is not the default")
                        .comparing(sides(Pods.asking(pod, "/spec/runtimeClassName"), picture))));
        picture.objects("DaemonSet").stream()
                .filter(set -> set.what().path("metadata").path("name").asText().contains("device-plugin"))
                .filter(set -> !set.what().path("spec").path("template").path("spec").hasNonNull("runtimeClassName"))
                .forEach(set -> book.add(Shown.sign("plugin-no-runtime-class", set.about().of("device-plugin"), set.from(),
                        set.what().path("metadata").path("name").asText() + " names no RuntimeClass; nvidia is not the default")
                        .comparing(sides(set.shown("/spec/template/spec/runtimeClassName"), picture))));
    }

    /** What names no class, and what says that it would have to. */
    private static List<Excerpt> sides(Excerpt plain, Picture picture) {
        return Stream.of(Stream.of(plain), Settings.of(picture).map(s -> s.shown("cdi.enabled")).stream(),
                picture.outputs(ContainerdConfig.class).stream().limit(1).map(c -> c.shown("default_runtime_name", "runtimes")))
                .flatMap(side -> side).toList();
    }

    private static boolean classNeeded(Picture picture) {
        boolean cdi = Settings.of(picture).filter(s -> s.isTrue("cdi.enabled") || s.isFalse("cdi.enabled"))
                .map(s -> s.isTrue("cdi.enabled")).orElseGet(() -> picture.outputs(ContainerdConfig.class).stream().anyMatch(c -> c.what().cdiEnabled().orElse(false)));
        boolean switchedOff = Settings.of(picture).map(s -> s.isFalse("cdi.enabled")
                && !"true".equals(s.toolkit().getOrDefault("NVIDIA_RUNTIME_SET_AS_DEFAULT",
                s.toolkit().getOrDefault("CONTAINERD_SET_AS_DEFAULT", "true")))).orElse(false);
        boolean plainDefault = picture.outputs(ContainerdConfig.class).stream().anyMatch(c -> !c.what().runtimes().isEmpty()
                && c.what().defaultRuntime().map(d -> !d.contains("nvidia")).orElse(true));
        return !cdi && (switchedOff || plainDefault);
    }

    private static boolean nvidiaIsDefault(JsonNode pod, Picture picture) {
        String node = pod.path("spec").path("nodeName").asText("");
        return !node.isEmpty() && picture.outputs(ContainerdConfig.class).stream().anyMatch(c -> c.about().node().equals(node)
                && c.what().defaultRuntime().filter(d -> d.contains("nvidia")).isPresent());
    }

    private static boolean plain(Seen<JsonNode> pod) {
        return !pod.what().path("spec").hasNonNull("runtimeClassName");
    }

    /** Nothing fails where a server falls back to the processor; the settings and the engine's own configuration tell as surely. */
    private static boolean withoutDriver(JsonNode pod, Picture picture) {
        String node = pod.path("spec").path("nodeName").asText("");
        return !node.isEmpty() && Settings.of(picture).filter(s -> s.isFalse("cdi.enabled")).isPresent()
                && picture.outputs(ContainerdConfig.class).stream().anyMatch(c -> c.about().node().equals(node)
                && c.what().runtimes().stream().anyMatch(r -> r.name().equals("nvidia"))
                && c.what().defaultRuntime().map(d -> !d.contains("nvidia")).orElse(true));
    }

    private static boolean fails(JsonNode pod) {
        return StreamSupport.stream(pod.path("status").path("containerStatuses").spliterator(), false)
                .anyMatch(c -> c.path("restartCount").asInt() > 0
                        || c.path("state").path("terminated").path("exitCode").asInt() != 0);
    }
}
