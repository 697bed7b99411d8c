package dev.pitwall.doctor.reason;

import dev.pitwall.doctor.catalogue.SignRef;
import dev.pitwall.doctor.sign.SignBook;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which machines stand on each other: a host and the nodes in its VMs, as signs {@code stands-on} say it. What is wrong with a
 * host may explain what is seen of its nodes.
 *
 * @param pairs of names, in both orders
 */
record Kinship(Set<List<String>> pairs) {

    static Kinship of(SignBook book) {
        Set<List<String>> pairs = new HashSet<>();
        book.find(SignRef.of("stands-on")).forEach(sign -> {
            String host = sign.values().getOrDefault("host", "");
            pairs.add(List.of(host, sign.about().node()));
            pairs.add(List.of(sign.about().node(), host));
        });
        return new Kinship(pairs);
    }

    boolean share(String one, String other) {
        return one.equals(other) || pairs.contains(List.of(one, other));
    }
}
