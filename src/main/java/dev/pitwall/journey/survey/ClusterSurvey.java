package dev.pitwall.journey.survey;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.journey.FieldManager;
import dev.pitwall.journey.Helm.ChartFile;
import dev.pitwall.journey.Helm.Release;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A cluster as its API showed it at one moment: what the steps of its floors rest on.
 *
 * @param name         the cluster in the site
 * @param version      for example {@code v1.33.5+rke2r1}; empty text where the cluster did not say
 * @param distribution as nodes and version tell it
 * @param objects      what was read, by type; a type that was not read, or may not be, has no entry. Pods are those of
 *                     the card's node, and in the namespaces of the GPU stack those that no node has yet
 * @param releases     of Helm; empty where they may not be read
 * @param given        what a person has given to the releases of the GPU stack, by {@code namespace/name}; it may hold
 *                     secrets and is never shown or kept
 * @param charts       those that steps may install, by chart name, as far as their repositories answered
 * @param unread       what could not be read, by type's resource or chart name
 * @param denied       rights that a step's plan rests on and the person has not, as {@code verb resource namespace}; those
 *                     that its changes need are asked for once they are known
 * @param shown        what the survey rests on
 * @param kept         what others have to do with it
 */
public record ClusterSurvey(String name, String version, Distribution distribution,
                            Map<ObjectType, List<JsonNode>> objects, List<Release> releases,
                            Map<String, JsonNode> given, Map<String, Charts> charts, Map<String, Trouble> unread,
                            Set<String> denied, Map<String, Shown> shown, Kept kept) {

    /**
     * What others have to do with a cluster's objects.
     *
     * @param managers who has written the fields of those objects that steps may change
     * @param past     of a release of the GPU stack whose newest revision is pending, the one that counts without that, by
     *                 {@code namespace/name}; no entry where there is none
     * @param reach    whether the person may do everything
     */
    public record Kept(Map<ObjectRef, List<FieldManager>> managers, Map<String, Release> past, Reach reach) {
        /** Where nobody has written anything, and nothing was asked. */
        public static final Kept NONE = new Kept(Map.of(), Map.of(), Reach.PARTS);

        public Kept {
            managers = Map.copyOf(managers);
            past = Map.copyOf(past);
        }
    }

    /** How far the person's rights go. */
    public enum Reach { EVERYTHING, PARTS }

    /** What somebody who may do everything may do. */
    public static final ObjectType EVERY_TYPE = new ObjectType("*", "*", "*", "*", ObjectType.Scope.CLUSTER);
    /** The entry of {@link #unread} for the releases of Helm. */
    public static final String RELEASES = "releases";
    /** The entry of {@link #unread} for the rights that were asked for. */
    public static final String RIGHTS = "rights";

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
        given = Map.copyOf(given);
        charts = Map.copyOf(charts);
        unread = Map.copyOf(unread);
        denied = Set.copyOf(denied);
        shown = Map.copyOf(shown);
    }

    /** The same, with more of it read. */
    public ClusterSurvey with(Map<ObjectType, List<JsonNode>> read, List<Release> all, Map<String, Charts> found,
                              Map<String, Trouble> missed) {
        return new ClusterSurvey(name, version, distribution, read, all, given, found, missed, denied, shown, kept);
    }

    /** Where nobody has given a release anything. */
    public ClusterSurvey(String name, String version, Distribution distribution,
                         Map<ObjectType, List<JsonNode>> objects, List<Release> releases, Map<String, Charts> charts,
                         Map<String, Trouble> unread, Set<String> denied, Map<String, Shown> shown) {
        this(name, version, distribution, objects, releases, Map.of(), charts, unread, denied, shown, Kept.NONE);
    }

    /** Empty also where it may not be read: {@link #unread} tells. */
    public List<JsonNode> all(ObjectType type) {
        return objects.getOrDefault(type, List.of());
    }

    /** Those of one namespace. */
    public Stream<JsonNode> in(ObjectType type, String namespace) {
        return all(type).stream().filter(o -> o.at("/metadata/namespace").asText("").equals(namespace));
    }

    /** @param namespace empty text for an object of the whole cluster */
    public Optional<JsonNode> one(ObjectType type, String namespace, String name) {
        return in(type, namespace).filter(o -> o.at("/metadata/name").asText().equals(name)).findFirst();
    }

    public Optional<JsonNode> node(String node) {
        return one(ObjectType.NODE, "", node);
    }

    /** Names of the nodes by SMBIOS UUID, lower case, in both byte orders. */
    public Map<String, String> nodesByUuid() {
        return NodeNames.byUuid(all(ObjectType.NODE));
    }

    /** Whether a custom resource definition is there, for example {@code clusterpolicies.nvidia.com}. */
    public boolean defines(String definition) {
        return one(ObjectType.DEFINITION, "", definition).isPresent();
    }

    /** The release of this name; one that is uninstalled and kept for its history is none. */
    public Optional<Release> release(String namespace, String release) {
        return releases.stream().filter(r -> r.namespace().equals(namespace) && r.name().equals(release)
                && !r.status().equals("uninstalled")).findFirst();
    }

    /** The releases of a chart, whatever their state. */
    public List<Release> releasesOf(String chart) {
        return releases.stream().filter(r -> r.chart().equals(chart) && !r.status().equals("uninstalled")).toList();
    }

    /** The same, of one whose newest revision is pending the one that counts without that; none where there is none. */
    public List<Release> counting(String chart) {
        return releasesOf(chart).stream().flatMap(r -> r.pending()
                ? Optional.ofNullable(kept.past().get(r.namespace() + "/" + r.name())).stream() : Stream.of(r)).toList();
    }

    /** Who has written the fields of an object; empty also where nobody has looked. */
    public List<FieldManager> managers(ObjectRef object) {
        return kept.managers().getOrDefault(object, List.of());
    }

    /** What a person has given to a release. */
    public Optional<JsonNode> givenTo(Release release) {
        return Optional.ofNullable(given.get(release.namespace() + "/" + release.name()));
    }

    /** Why something could not be read, by the type's resource, a chart's name, or one of the names above. */
    public Optional<Trouble> trouble(String what) {
        return Optional.ofNullable(unread.get(what));
    }

    /** False if the person was refused the right when it was asked for. */
    public boolean may(String verb, ObjectType type, String namespace) {
        return !denied.contains(right(verb, type, namespace));
    }

    static String right(String verb, ObjectType type, String namespace) {
        return (verb + " " + type.resource() + " " + namespace).strip();
    }

    /** The cluster does not answer at all, for example while what its API server runs in restarts. */
    public Optional<Trouble> silence() {
        return trouble(ObjectType.NODE.resource()).filter(t -> t.kind().unreachable());
    }

    @Override
    public String toString() {
        return "ClusterSurvey[" + name + " " + version + " " + distribution + "]";
    }
}
