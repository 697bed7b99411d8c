package dev.pitwall.journey.survey;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Helm.ChartFile;
import dev.pitwall.journey.Helm.Release;
import dev.pitwall.journey.change.ObjectType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A cluster as its API showed it at one moment: what the steps of its floors rest on.
 *
 * @param name         the cluster in the site
 * @param version      for example {@code v1.33.5+rke2r1}
 * @param distribution as nodes and version tell it
 * @param objects      what was read, by type; a type that was not read, or may not be, has no entry
 * @param releases     of Helm; empty where they may not be read
 * @param charts       those that steps may install, by chart name, as far as their repositories answered
 * @param unread       what could not be read, by type's resource or chart name
 * @param denied       rights that the steps need and the person has not, as {@code verb resource namespace}
 * @param shown        what the survey rests on
 */
public record ClusterSurvey(String name, String version, Distribution distribution,
                            Map<ObjectType, List<JsonNode>> objects, List<Release> releases,
                            Map<String, Charts> charts, Map<String, Trouble> unread, Set<String> denied,
                            Map<String, Shown> shown) {

    /** What set the cluster up: it decides where containerd is and how it is configured (facts: cluster.md 5). */
    public enum Distribution { RKE2, K3S, MICROK8S, TALOS, KUBEADM }

    /**
     * A chart in its repository.
     *
     * @param versions newest first
     * @param file     of the version that would be installed
     */
    public record Charts(String repository, List<String> versions, ChartFile file) {
        public Charts {
            versions = List.copyOf(versions);
        }
    }

    public ClusterSurvey {
        objects = Map.copyOf(objects);
        releases = List.copyOf(releases);
        charts = Map.copyOf(charts);
        unread = Map.copyOf(unread);
        denied = Set.copyOf(denied);
        shown = Map.copyOf(shown);
    }

    /** The same, with more of it read. */
    public ClusterSurvey with(Map<ObjectType, List<JsonNode>> read, List<Release> all, Map<String, Charts> found,
                              Map<String, Trouble> missed) {
        return new ClusterSurvey(name, version, distribution, read, all, found, missed, denied, shown);
    }

    /** Empty also where it may not be read: {@link #unread} tells. */
    public List<JsonNode> all(ObjectType type) {
        return objects.getOrDefault(type, List.of());
    }

    /** @param namespace empty text for an object of the whole cluster */
    public Optional<JsonNode> one(ObjectType type, String namespace, String name) {
        return all(type).stream().filter(o -> o.at("/metadata/name").asText().equals(name)
                && o.at("/metadata/namespace").asText("").equals(namespace)).findFirst();
    }

    public Optional<JsonNode> node(String node) {
        return one(ObjectType.NODE, "", node);
    }
}
