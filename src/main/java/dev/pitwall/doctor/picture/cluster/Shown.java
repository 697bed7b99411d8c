package dev.pitwall.doctor.picture.cluster;

import dev.pitwall.doctor.sign.Cited;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.Sign.About;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes the signs of comparisons: what was compared is told in words, with the document that shows it. */
final class Shown {

    private Shown() {
    }

    /**
     * @param says  what was seen, in one sentence
     * @param sides what each of the things shows that were compared
     */
    static Sign sign(String id, About about, String from, String says, Map<String, String> values, Excerpt... sides) {
        Map<String, String> all = new HashMap<>(values);
        all.put("says", says);
        return new Sign(id, about, all, Optional.of(new Cited(from, 0, says))).comparing(List.of(sides));
    }

    static Sign sign(String id, About about, String from, String says, Excerpt... sides) {
        return sign(id, about, from, says, Map.of(), sides);
    }

    static About node(String node) {
        return new About("", node, "", "");
    }
}
