package dev.pitwall.doctor.picture.host;

import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.SignBook;

import java.util.HashSet;
import java.util.Set;

/**
 * A check of things of one machine: where the evidence is about several, each is looked at with its own things and those that
 * are about no machine in particular, so that the driver of one is not compared with the card of another.
 */
public record OfOneNode(Check check) implements Check {

    @Override
    public void look(Picture picture, SignBook book) {
        Set<String> nodes = book.nodes();
        if (nodes.size() < 2) {
            check.look(picture, book);
            return;
        }
        for (String node : nodes) {
            SignBook own = book.of(node);
            Set<Sign> before = new HashSet<>(own.all());
            check.look(picture.of(node), own);
            own.all().stream().filter(sign -> !before.contains(sign)).forEach(book::add);
        }
    }
}
