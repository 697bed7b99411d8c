package dev.pitwall.doctor.picture;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.read.Understood;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the evidence shows beyond its lines: objects of a cluster and understood outputs, each with the document that it
 * comes from. Checks compare them with each other.
 *
 * <p>It is filled while the evidence goes by. Of a cluster with thousands of pods only those are kept whole that
 * {@link Kept} names, since a diagnosis must not hold all of them.
 */
public final class Picture {
    /** In characters; a VM, a node or a host prints less, a log more. */
    private static final int LONGEST_TEXT = 200_000;
    /** In characters, of all outputs together. */
    private static final long MOST_TEXT = 8_000_000;

    private final Map<String, List<Seen<JsonNode>>> objects = new TreeMap<>();
    private final List<Seen<Understood>> outputs = new ArrayList<>();
    private final Kept kept = new Kept();
    private long held;

    /**
     * @param from   name of the document
     * @param about  what the document is about
     * @param origin where its lines can be looked up
     */
    public record Seen<T>(T what, String from, About about, Origin origin) {

        private boolean concerns(String node) {
            return about.node().isEmpty() || about.node().equals(node);
        }

        /** Something that was read from it. */
        public <U> Seen<U> as(U other) {
            return new Seen<>(other, from, about, origin);
        }

        /**
         * What it shows that counts where it is compared with another.
         *
         * @param places of an object its fields as JSON pointers, for example {@code /spec/taints}; of an output words of
         *               its lines, where the last part of a pointer is taken for the word
         */
        public Excerpt shown(String... places) {
            return origin.shown(List.of(places));
        }

        /** The same. */
        public Excerpt shown(List<String> places) {
            return origin.shown(places);
        }
    }

    /** Shows parts of a document. */
    @FunctionalInterface
    public interface Origin {
        Excerpt shown(List<String> places);
    }

    /** A Kubernetes object goes by. */
    public void object(JsonNode object, String from, About about) {
        String kind = object.path("kind").asText("");
        List<Seen<JsonNode>> alike = objects.computeIfAbsent(kind, k -> new ArrayList<>());
        kept.reduced(kind, object).ifPresent(part ->
                alike.add(new Seen<>(part, from, about, places -> FieldExcerpt.of(part, from, places))));
    }

    /**
     * An output was understood.
     *
     * @param text as it stands in the document; of a long one nothing is kept, so that nothing of it can be shown
     */
    public void output(Understood what, String from, About about, String text) {
        boolean keeps = text.length() <= LONGEST_TEXT && held + text.length() <= MOST_TEXT;
        held += keeps ? text.length() : 0;
        outputs.add(new Seen<>(what, from, about, keeps ? places -> TextExcerpt.of(text, from, places)
                : places -> new Excerpt(from, List.of())));
    }

    /** Objects of a kind, for example {@code ClusterPolicy}, in the order they came. */
    public List<Seen<JsonNode>> objects(String kind) {
        return objects.getOrDefault(kind, List.of());
    }

    /** True if the evidence has objects of this kind, so that the absence of one means something. */
    public boolean knows(String kind) {
        return objects.containsKey(kind);
    }

    /** Outputs of one form. */
    public <T extends Understood> List<Seen<T>> outputs(Class<T> form) {
        return outputs.stream().filter(o -> form.isInstance(o.what()))
                .map(o -> o.as(form.cast(o.what()))).toList();
    }

    /** Every object, whatever its kind. */
    public Stream<Seen<JsonNode>> everyObject() {
        return objects.values().stream().flatMap(List::stream);
    }

    /** What is about one node, and what is about no node in particular. */
    public Picture of(String node) {
        Picture part = new Picture();
        objects.forEach((kind, all) -> part.objects.put(kind, all.stream().filter(o -> o.concerns(node)).toList()));
        outputs.stream().filter(o -> o.concerns(node)).forEach(part.outputs::add);
        return part;
    }
}
