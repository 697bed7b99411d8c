package dev.pitwall.ui.board;

import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.ProviderId;
import java.util.List;
import java.util.Optional;

/**
 * One model server with its cards, as its column shows it.
 *
 * @param group   what it stands under: the node, or the server where no node is known
 * @param place   what stands beside the group's name
 * @param index   {@code card 0}
 * @param hold    in the head, while nothing may be moved here
 * @param trouble why it does not answer, in place
 * @param source  where total and used come from
 */
record ColumnLine(ProviderId id, String group, String place, String index, String name, String figures, Bar bar,
                  String free, String total, List<PlacementLine> placements, List<Others> foreign,
                  Optional<Remark> hold, Optional<Remark> trouble, String source, String spoken) {

    ColumnLine {
        placements = List.copyOf(placements);
        foreign = List.copyOf(foreign);
    }

    /** Memory that others use. */
    record Others(String owner, String size) {
    }

    Optional<PlacementLine> placement(ModelName model) {
        return placements.stream().filter(p -> p.id().model().equals(model)).findFirst();
    }

    /** The name with its index, for sentences. */
    String called() {
        return index.isEmpty() ? name : index + " " + name;
    }
}
