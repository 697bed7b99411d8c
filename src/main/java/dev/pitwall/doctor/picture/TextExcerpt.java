package dev.pitwall.doctor.picture;

import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.doctor.sign.Excerpt.Line;
import dev.pitwall.doctor.sign.Excerpt.Weight;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The lines of an output that hold certain words, with those around them. Each word is looked for from the line of the one
 * before on, so that the driver of a device is that of the device that was named and not of the first in the list.
 */
final class TextExcerpt {
    private static final int AROUND = 2;

    private TextExcerpt() {
    }

    /**
     * @param places words, compared without regard to case and blanks, or JSON pointers, whose last part is the word. One with a
     *               colon at its end is a setting: where it is not there, that is a line too
     */
    static Excerpt of(String text, String from, List<String> places) {
        List<String> all = text.lines().toList();
        List<String> squeezed = all.stream().map(TextExcerpt::squeezed).toList();
        TreeSet<Integer> marked = new TreeSet<>();
        List<Line> absent = new ArrayList<>();
        int at = 0;
        for (String place : places) {
            int found = find(squeezed, squeezed(word(place)), at);
            if (found >= 0) {
                marked.add(found);
                at = found;
            } else if (place.endsWith(":")) {
                absent.add(new Line(0, "# no " + place.substring(0, place.length() - 1), Weight.COUNTS));
            }
        }
        Stream<Line> there = IntStream.range(0, all.size())
                .filter(i -> marked.subSet(i - AROUND, true, i + AROUND, true).size() > 0)
                .mapToObj(i -> new Line(i + 1, all.get(i), marked.contains(i) ? Weight.COUNTS : Weight.AROUND));
        return new Excerpt(from, Stream.concat(there, absent.stream()).toList());
    }

    private static String word(String place) {
        return place.startsWith("/") ? place.substring(place.lastIndexOf('/') + 1).replace("~1", "/") : place;
    }

    /** From a line on; where it is not there, from the beginning. */
    private static int find(List<String> lines, String word, int from) {
        return IntStream.concat(IntStream.range(from, lines.size()), IntStream.range(0, from))
                .filter(i -> lines.get(i).contains(word)).findFirst().orElse(-1);
    }

    private static String squeezed(String text) {
        return text.toLowerCase(Locale.ROOT).replace(" ", "").replace("\t", "");
    }
}
