package dev.pitwall.doctor.picture.host;

import dev.pitwall.doctor.picture.Picture.Seen;
import dev.pitwall.doctor.sign.Cited;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.SignBook;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a comparison gave: a sign without a line of its own.
 *
 * @param sign   its id
 * @param says   what was seen, in words
 * @param values for the catalogue's sentences
 */
record Remark(String sign, String says, Map<String, String> values) {

    Remark(String sign, String says) {
        this(sign, says, Map.of());
    }

    /**
     * Notes it as seen in a document.
     *
     * @param sides what each of the things shows that were compared
     */
    void in(SignBook book, Seen<?> seen, Excerpt... sides) {
        Map<String, String> all = new LinkedHashMap<>(values);
        all.put("says", says);
        book.add(new Sign(sign, seen.about(), all, Optional.of(new Cited(seen.from(), 0, says))).comparing(List.of(sides)));
    }

    /** Notes it beside another sign, which it follows from, and those that this one was compared with. */
    void beside(SignBook book, Sign other, Sign... compared) {
        Map<String, String> all = new LinkedHashMap<>(values);
        all.put("says", says);
        book.add(new Sign(sign, other.about(), all, other.line()).comparing(
                Stream.concat(Stream.of(other), Stream.of(compared)).flatMap(s -> s.line().stream()).map(Excerpt::of).toList()));
    }
}
