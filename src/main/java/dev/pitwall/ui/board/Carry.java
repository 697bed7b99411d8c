package dev.pitwall.ui.board;

import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.engine.live.ProviderId;
import dev.pitwall.engine.live.Wish;
import java.util.List;
import java.util.Optional;

/** What a person has lifted, with the pointer or the keyboard, and not put down yet. */
sealed interface Carry {

    /** Of the shelf. */
    record OfShelf(ModelName name) implements Carry {
    }

    /** Of cards. */
    record OfCards(List<PlacementId> all) implements Carry {
        public OfCards {
            all = List.copyOf(all);
        }
    }

    /** The models, the one it was lifted by first. */
    default List<ModelName> models() {
        return switch (this) {
            case OfShelf(ModelName name) -> List.of(name);
            case OfCards(List<PlacementId> all) -> all.stream().map(PlacementId::model).toList();
        };
    }

    /** What putting it down on a card asks for. What is there already stays. */
    default Wish onto(ProviderId to) {
        return switch (this) {
            case OfShelf(ModelName name) -> new Wish.Place(name, to);
            case OfCards(List<PlacementId> all) -> {
                List<PlacementId> elsewhere = all.stream().filter(p -> !p.provider().equals(to)).toList();
                List<Wish> moves = (elsewhere.isEmpty() ? all : elsewhere).stream()
                        .map(p -> (Wish) new Wish.Move(p, to)).toList();
                yield one(moves);
            }
        };
    }

    /** What putting it down on the shelf asks for; empty for what comes from there. */
    default Optional<Wish> ontoShelf() {
        return switch (this) {
            case OfShelf _ -> Optional.empty();
            case OfCards(List<PlacementId> all) -> Optional.of(one(all.stream().map(p -> (Wish) new Wish.Evict(p)).toList()));
        };
    }

    /** True if all of it comes from there. */
    default boolean isFrom(ProviderId provider) {
        return switch (this) {
            case OfShelf _ -> false;
            case OfCards(List<PlacementId> all) -> all.stream().allMatch(p -> p.provider().equals(provider));
        };
    }

    default boolean holds(PlacementId placement) {
        return switch (this) {
            case OfShelf _ -> false;
            case OfCards(List<PlacementId> all) -> all.contains(placement);
        };
    }

    /** Several wishes as one. */
    static Wish one(List<Wish> wishes) {
        return wishes.size() == 1 ? wishes.getFirst() : new Wish.All(wishes);
    }
}
