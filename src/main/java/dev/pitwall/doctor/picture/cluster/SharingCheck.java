package dev.pitwall.doctor.picture.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.picture.Picture.Seen;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.doctor.sign.SignBook;
import dev.pitwall.read.HelmValues;
import dev.pitwall.read.NodeFacts;
import dev.pitwall.read.SharingConfig;
import dev.pitwall.read.SharingReader;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The sharing configuration that is named and chosen, against what is there. */
final class SharingCheck implements Check {
    private static final About PLUGIN = About.NOTHING.of("device-plugin");
    private static final String CHOICE = "nvidia.com/device-plugin.config";
    private final SharingReader reader = new SharingReader();

    /** @param fallback the section for nodes that choose none; empty text for none */
    private record Named(String map, String fallback, Seen<?> by) {
        String from() {
            return by.from();
        }

        /** Where it is named: of values the last words of their paths. */
        Excerpt shown() {
            return by.what() instanceof JsonNode ? by.shown("/spec/devicePlugin/config")
                    : by.shown("devicePlugin", "config", "name");
        }
    }

    @Override
    public void look(Picture picture, SignBook book) {
        List<Seen<SharingConfig>> configs = new ArrayList<>(picture.outputs(SharingConfig.class));
        picture.outputs(HelmValues.class).forEach(v -> v.what().sharing()
                .forEach(s -> configs.add(v.as(s))));
        picture.objects("ConfigMap").stream().filter(SharingCheck::isSharing)
                .forEach(m -> configs.add(m.as(reader.read(m.what()))));
        Optional<Named> chosen = named(picture);
        chosen.ifPresent(named -> compare(named, picture, configs, book));
        configs.stream().filter(config -> inUse(config, chosen, picture)).forEach(config -> config.what().sections().forEach(section -> malformed(section, config, book)));
    }

    /** Where all of a cluster is seen, a ConfigMap that neither the operator names nor a DaemonSet mounts stops no plugin. */
    private static boolean inUse(Seen<SharingConfig> config, Optional<Named> chosen, Picture picture) {
        if (config.what().name().isEmpty() || !picture.knows("ClusterPolicy") || !picture.knows("DaemonSet")) {
            return true;
        }
        String name = config.what().name().get();
        return chosen.filter(named -> named.map().equals(name)).isPresent() || picture.objects("DaemonSet").stream()
                .flatMap(set -> set.what().at("/spec/template/spec/volumes").valueStream())
                .anyMatch(volume -> volume.at("/configMap/name").asText().equals(name));
    }

    private static boolean isSharing(Seen<JsonNode> map) {
        return map.what().path("data").properties().stream().map(e -> e.getValue().asText())
                .anyMatch(text -> text.contains("sharing:") || text.contains("timeSlicing:"));
    }

    private static Optional<Named> named(Picture picture) {
        for (Seen<JsonNode> policy : picture.objects("ClusterPolicy")) {
            JsonNode config = policy.what().path("spec").path("devicePlugin").path("config");
            if (!config.path("name").asText("").isEmpty()) {
                return Optional.of(new Named(config.path("name").asText(), config.path("default").asText(""), policy));
            }
        }
        for (Seen<HelmValues> values : picture.outputs(HelmValues.class)) {
            Map<String, String> settings = values.what().settings();
            boolean alone = values.what().chart().equals(Optional.of("nvidia-device-plugin"));
            String path = alone ? "config." : "devicePlugin.config.";
            if (!settings.getOrDefault(path + "name", "").isEmpty()) {
                return Optional.of(new Named(settings.get(path + "name"), settings.getOrDefault(path + "default", ""),
                        values));
            }
        }
        return Optional.empty();
    }

    private static void compare(Named named, Picture picture, List<Seen<SharingConfig>> configs, SignBook book) {
        List<Seen<SharingConfig>> fitting = configs.stream()
                .filter(c -> c.what().name().equals(Optional.of(named.map()))).toList();
        boolean exists = picture.objects("ConfigMap").stream()
                .anyMatch(m -> m.what().path("metadata").path("name").asText().equals(named.map())) || !fitting.isEmpty();
        if (!exists && picture.knows("ConfigMap") && picture.knows("ClusterPolicy")) {
            book.add(Shown.sign("plugin-configmap-absent", PLUGIN, named.from(), "the ConfigMap " + named.map()
                    + " is named and does not exist", Map.of("configmap", named.map()), named.shown()));
        }
        Set<String> sections = fitting.stream().flatMap(c -> c.what().sections().stream()).map(SharingConfig.Section::name)
                .collect(Collectors.toCollection(TreeSet::new));
        if (!sections.isEmpty()) {
            sections(named, sections, fitting.getFirst().shown("/data"), Nodes.of(picture), book);
        }
    }

    private static void sections(Named named, Set<String> sections, Excerpt map, List<Seen<NodeFacts>> nodes,
                                 SignBook book) {
        String has = "; it has " + String.join(", ", sections);
        if (!named.fallback().isEmpty() && !sections.contains(named.fallback())) {
            book.add(Shown.sign("plugin-config-key-absent", PLUGIN, named.from(), "the default is " + named.fallback()
                    + ", which is no section of " + named.map() + has, Map.of("configkey", named.fallback()), named.shown(), map));
        }
        List<Seen<NodeFacts>> choosing = nodes.stream()
                .filter(n -> n.what().labels().orElse(Map.of()).containsKey(CHOICE)).toList();
        choosing.forEach(node -> {
            String chosen = node.what().labels().orElse(Map.of()).get(CHOICE);
            if (!sections.contains(chosen) && !chosen.isEmpty()) {
                book.add(Shown.sign("plugin-config-key-absent", Nodes.about(node).of("device-plugin"), node.from(),
                        Nodes.called(node.what()) + " chooses " + chosen + ", which is no section of " + named.map() + has,
                        Map.of("configkey", chosen), node.shown("/metadata/labels/nvidia.com~1device-plugin.config"), map));
            }
        });
        boolean cards = nodes.stream().anyMatch(n -> Nodes.hasCard(n.what()));
        if (named.fallback().isEmpty() && choosing.isEmpty() && cards && sections.size() > 1) {
            book.add(Shown.sign("plugin-default-not-chosen", PLUGIN, named.from(), "the ConfigMap " + named.map()
                    + " is named, and neither a default nor a node's label chooses a section of it", named.shown(), map));
        }
    }

    private static void malformed(SharingConfig.Section section, Seen<SharingConfig> config, SignBook book) {
        List<String> mistakes = new ArrayList<>(section.problems());
        if (section.strategy().isPresent()) {
            section.resources().stream().filter(r -> r.replicas().isEmpty() || r.replicas().getAsInt() < 2)
                    .forEach(r -> mistakes.add(r.name() + " has no replicas of 2 or more"));
        }
        mistakes.forEach(mistake -> book.add(Shown.sign("plugin-config-malformed", PLUGIN, config.from(), "section "
                + section.name() + ": " + mistake, config.shown("/data"))));
    }
}
