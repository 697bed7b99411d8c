package dev.pitwall.ui.garage;

import dev.pitwall.card.FloorState;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The order of the towers. Ties keep the order host, address. */
enum Sort {
    HOST {
        @Override
        Comparator<TowerLine> order() {
            return BY_PLACE;
        }
    },
    STATE {
        @Override
        boolean movesWithState() {
            return true;
        }

        @Override
        Comparator<TowerLine> order() {
            return Comparator.<TowerLine>comparingInt(t -> URGENCY.indexOf(t.state())).thenComparing(BY_PLACE);
        }
    },
    NAME {
        @Override
        Comparator<TowerLine> order() {
            return Comparator.<TowerLine, String>comparing(t -> t.card().name(), Sort::natural)
                    .thenComparing(BY_PLACE);
        }
    };

    private static final Comparator<TowerLine> BY_PLACE = Comparator
            .<TowerLine, String>comparing(t -> t.card().host(), Sort::natural)
            .thenComparing(t -> t.card().address().map(Object::toString).orElse(""))
            .thenComparing(TowerLine::id);

    /** What needs somebody comes first. */
    private static final List<FloorState> URGENCY = List.of(FloorState.FAILING,
            FloorState.BLOCKED, FloorState.UNKNOWN,
            FloorState.WAITING, FloorState.OK,
            FloorState.NOT_APPLICABLE);

    abstract Comparator<TowerLine> order();

    /** True if a card may change its place when its state changes. */
    boolean movesWithState() {
        return false;
    }

    String key() {
        return "sort." + name().toLowerCase(Locale.ROOT);
    }

    /** {@code pve2} before {@code pve10}: a shorter run of digits is a smaller number. */
    private static int natural(String a, String b) {
        int i = 0;
        int j = 0;
        while (i < a.length() && j < b.length()) {
            int endA = tokenEnd(a, i);
            int endB = tokenEnd(b, j);
            String x = a.substring(i, endA);
            String y = b.substring(j, endB);
            boolean numbers = Character.isDigit(x.charAt(0)) && Character.isDigit(y.charAt(0));
            int order = numbers && x.length() != y.length() ? Integer.compare(x.length(), y.length()) : x.compareTo(y);
            if (order != 0) {
                return order;
            }
            i = endA;
            j = endB;
        }
        return Integer.compare(a.length() - i, b.length() - j);
    }

    private static int tokenEnd(String text, int start) {
        boolean digits = Character.isDigit(text.charAt(start));
        int end = start + 1;
        while (end < text.length() && Character.isDigit(text.charAt(end)) == digits) {
            end++;
        }
        return end;
    }
}
