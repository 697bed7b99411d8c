package dev.pitwall.engine.live;

/** As its server names it, with its tag: {@code qwen3:14b}. */
public record ModelName(String text) implements Comparable<ModelName> {

    @Override
    public int compareTo(ModelName other) {
        return text.compareTo(other.text);
    }

    @Override
    public String toString() {
        return text;
    }
}
