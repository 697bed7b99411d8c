package dev.pitwall.engine.live;

/** A model server of the site, by its name there. */
public record ProviderId(String text) implements Comparable<ProviderId> {

    @Override
    public int compareTo(ProviderId other) {
        return text.compareTo(other.text);
    }

    @Override
    public String toString() {
        return text;
    }
}
