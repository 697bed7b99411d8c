package dev.pitwall.journey.change;

import java.time.Duration;
import java.util.Optional;

/**
 * A Talos node gets another image: the node is drained, the image is installed, the node reboots into it and takes pods
 * again. It is done when the node runs the image after another boot and is ready in its cluster.
 *
 * @param node    the node's name in the cluster
 * @param address as its endpoint knows it
 * @param before  what it runs
 * @param after   what it will run
 * @param factory where the schematic of {@code after} is posted first
 * @param drain   empty where its pods go down with it: nothing else could take them, or they are not to leave
 * @param takes   how long the node is usually away
 * @param limit   how long it is waited for
 */
public record TalosUpgrade(String node, String address, Image before, Image after, String factory, Optional<Drain> drain,
                           Duration takes, Duration limit, String summary) implements Change {

    /**
     * An image.
     *
     * @param reference what the node pulls, for example {@code factory.talos.dev/metal-installer/ID:v1.13.9}
     * @param version   of Talos
     * @param schematic its id
     * @param content   the schematic in YAML; empty text where it is not known
     */
    public record Image(String reference, String version, String schematic, String content) {
    }

    @Override
    public String system() {
        return node;
    }

    @Override
    public String target() {
        return "Talos image of " + node;
    }

    @Override
    public Risk risk() {
        return Risk.DRAINS_NODE;
    }

    @Override
    public Optional<String> undo() {
        return Optional.of("installs the image that ran before, and reboots again");
    }

    @Override
    public Optional<Duration> usual() {
        return Optional.of(takes);
    }

    /** The image as it is, with what it is made of. */
    public String textBefore() {
        return text(before);
    }

    public String textAfter() {
        return text(after);
    }

    private static String text(Image image) {
        return "image: " + image.reference() + "\n" + image.content();
    }

    /**
     * This change and a later one of the same node as one.
     *
     * @return empty if the later one takes this one back
     */
    public Optional<TalosUpgrade> with(TalosUpgrade later) {
        return before.equals(later.after()) ? Optional.empty() : Optional.of(new TalosUpgrade(node, address, before,
                later.after(), later.factory(), later.drain(), later.takes(), later.limit(), later.summary()));
    }

    /** The same with other pods that leave before. */
    public TalosUpgrade draining(Drain pods) {
        return new TalosUpgrade(node, address, before, after, factory, Optional.of(pods), takes, limit, summary);
    }

    /** The change that takes this one back. */
    public TalosUpgrade inverse() {
        return new TalosUpgrade(node, address, after, before, factory, drain, takes, limit, "the image of before");
    }
}
