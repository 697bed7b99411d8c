package dev.pitwall.doctor.picture.words;

import java.util.List;

/**
 * What an object says.
 *
 * @param name  by which its component is known
 * @param node  it is about; empty text for none in particular
 * @param pod   {@code namespace/name}; empty text if it is no pod
 * @param lines in the words in which kubectl prints them, so that the same expressions find them in a pasted text
 */
public record Spoken(String name, String node, String pod, List<String> lines) {
    public Spoken {
        lines = List.copyOf(lines);
    }
}
