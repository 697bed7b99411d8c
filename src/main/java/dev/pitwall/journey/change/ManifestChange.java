package dev.pitwall.journey.change;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.util.Optional;

/**
 * An object of a cluster is made, gets other values in some fields, or goes. Both trees name the same fields and no
 * others: what a change does not name, others may change at will. Neither tree holds a secret, so a Secret is made by
 * no such change.
 *
 * @param cluster the cluster in the site
 * @param before  the fields as they are, {@code null} for one that is not there; empty where there is no such object
 * @param after   the fields as they will be, or the whole object that is made; empty where the object goes
 * @param risk    what happens to pods, which the object alone does not tell
 * @param summary for example {@code taint nvidia.com/gpu=present:NoSchedule}
 * @param others  what becomes of it where a field is in somebody else's hands
 */
public record ManifestChange(String cluster, ObjectRef object, Optional<JsonNode> before, Optional<JsonNode> after,
                             Risk risk, String summary, Others others) implements Change {

    /** What is done about a field that another field manager declares: it is left alone, or the person wants it all the same. */
    public enum Others { LEFT_ALONE, TAKEN_OVER }

    /** One that takes nothing out of somebody else's hands. */
    public ManifestChange(String cluster, ObjectRef object, Optional<JsonNode> before, Optional<JsonNode> after, Risk risk,
                          String summary) {
        this(cluster, object, before, after, risk, summary, Others.LEFT_ALONE);
    }

    public ManifestChange {
        // What a journal of an older Pitwall does not say.
        others = others == null ? Others.LEFT_ALONE : others;
        // What is absent is null in the journal, and Jackson makes a tree of that.
        before = before.filter(tree -> !tree.isNull());
        after = after.filter(tree -> !tree.isNull());
        if (before.equals(after)) {
            throw new IllegalArgumentException("changes nothing: " + object);
        }
    }

    /** An object that is not there yet. */
    public static ManifestChange making(String cluster, ObjectRef object, JsonNode manifest, String summary) {
        return new ManifestChange(cluster, object, Optional.empty(), Optional.of(manifest), Risk.NONE, summary);
    }

    /**
     * Some fields of an object that is there.
     *
     * @param present the object as it was read
     * @param fields  the fields as they shall be
     */
    public static ManifestChange setting(String cluster, ObjectRef object, JsonNode present, JsonNode fields,
                                         Risk risk, String summary) {
        return new ManifestChange(cluster, object, Optional.of(Tree.same(present, fields)), Optional.of(fields), risk,
                summary);
    }

    /** The same, also where others declare its fields: they will write them back. */
    public ManifestChange takingOver() {
        return new ManifestChange(cluster, object, before, after, risk, summary, Others.TAKEN_OVER);
    }

    /** The fields that get another value; an empty object where the object is made or goes. */
    public JsonNode differing() {
        return before.isPresent() && after.isPresent() ? Tree.differing(before.get(), after.get())
                : JsonNodeFactory.instance.objectNode();
    }

    @Override
    public String system() {
        return cluster;
    }

    @Override
    public String target() {
        return object.toString();
    }

    @Override
    public Optional<String> undo() {
        return Optional.of(before.isEmpty() ? "removes the object"
                : after.isEmpty() ? "makes it again" : "puts back the fields that were there");
    }

    @Override
    public Optional<Duration> usual() {
        return Optional.empty();
    }

    /**
     * This change and a later one of the same object as one. Of two that set fields the later one may name others.
     *
     * @return empty if the later one takes this one back
     */
    public Optional<ManifestChange> with(ManifestChange later) {
        Optional<JsonNode> first = before.isPresent() && later.before().isPresent()
                ? Optional.of(Tree.over(later.before().get(), before.get())) : before;
        Optional<JsonNode> last = after.isPresent() && later.after().isPresent()
                ? Optional.of(Tree.over(after.get(), later.after().get())) : later.after();
        return first.equals(last) ? Optional.empty()
                : Optional.of(new ManifestChange(cluster, object, first, last, later.risk(), later.summary(),
                        others == Others.TAKEN_OVER ? others : later.others()));
    }

    /** The change that takes this one back. */
    public ManifestChange inverse() {
        return new ManifestChange(cluster, object, after, before, risk, before.isEmpty() ? "removed" : "as it was before",
                others);
    }
}
