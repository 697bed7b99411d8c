package dev.pitwall.ui.page;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import javafx.scene.Node;

/**
 * The nodes of those cards of a wall that are in sight: sixty-four cards cost no more than the ten that can be seen. They are
 * made, or taken from cards that have left, a few rows a frame.
 *
 * @param <K> tells the cards apart
 * @param <C> the node of a card, which can show any card
 */
public final class CardNodes<K, C extends Node & CardNodes.Growing> {

    /** A node that makes its rows in portions. A whole card styled for the first time costs more than a frame has. */
    public interface Growing {
        /** Makes the next few rows that it lacks; true if it lacked any. */
        boolean grow();
    }

    /** The wall that they stand on. */
    public interface Wall<K, C> {
        /** The cards in sight, in the order in which they are made. */
        List<K> inSight();

        /** Whether the node of a card stays though it is out of sight. */
        default boolean keeps(K card) {
            return false;
        }

        /** A new node, in the scene. */
        C make();

        /** Lets a node that has come into sight show its card, in its place. */
        void enter(K card, C node);
    }

    private final Wall<K, C> wall;
    private final Map<K, C> shown = new HashMap<>();
    private final List<C> spare = new ArrayList<>();
    private final FrameByFrame filler;

    public CardNodes(Wall<K, C> wall) {
        this(wall, new Turns());
    }

    /** @param turns of all that works on the same page */
    public CardNodes(Wall<K, C> wall, Turns turns) {
        this.wall = wall;
        this.filler = new FrameByFrame(this::fillOne, turns);
    }

    /** The node of a card, while it is in sight. */
    public Optional<C> get(K card) {
        return Optional.ofNullable(shown.get(card));
    }

    /** All nodes by their cards; a view. */
    public Map<K, C> shown() {
        return Collections.unmodifiableMap(shown);
    }

    /** What is in sight has changed: frees the nodes of cards that have left, and begins to make those of cards that came. */
    public void follow() {
        Set<K> wanted = new HashSet<>(wall.inSight());
        release(card -> !wanted.contains(card) && !wall.keeps(card));
        filler.start();
    }

    private void release(Predicate<K> gone) {
        shown.entrySet().removeIf(entry -> {
            boolean leaves = gone.test(entry.getKey());
            if (leaves) {
                entry.getValue().setVisible(false);
                spare.add(entry.getValue());
            }
            return leaves;
        });
    }

    /** Makes everything in sight now instead of a few rows a frame: for pictures. */
    public void fillNow() {
        filler.finish();
    }

    /** Goes on with a card that lacks rows, else with a card in sight that has no node yet. */
    private boolean fillOne() {
        for (C card : shown.values()) {
            if (card.grow()) {
                return true;
            }
        }
        for (K card : wall.inSight()) {
            if (!shown.containsKey(card)) {
                C node = spare.isEmpty() ? wall.make() : spare.removeLast();
                node.setVisible(true);
                shown.put(card, node);
                wall.enter(card, node);
                return true;
            }
        }
        return false;
    }
}
